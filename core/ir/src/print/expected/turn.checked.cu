static __device__ inline void k_fault(unsigned long long at, unsigned long long len, unsigned int site, unsigned int* cell) {
    if (atomicCAS(cell, 0u, site + 1u) == 0u) {
        cell[2] = (unsigned int)at;
        cell[3] = (unsigned int)(at >> 32);
        cell[4] = (unsigned int)len;
        cell[5] = (unsigned int)(len >> 32);
    }
}
static __device__ inline unsigned long long k_place2(unsigned long long i0, unsigned long long n0, unsigned long long s0, unsigned long long i1, unsigned long long n1, unsigned long long s1, unsigned int site, unsigned int* cell) {
    if (i0 >= n0) { k_fault(i0, n0, site, cell); return ~(unsigned long long)0; }
    if (i1 >= n1) { k_fault(i1, n1, site, cell); return ~(unsigned long long)0; }
    return i0 * s0 + i1 * s1;
}
static __device__ inline float k_get_global_f32(const float* data, unsigned long long at) { return at == ~(unsigned long long)0 ? 0 : data[at]; }
static __device__ inline unsigned long long k_find1(unsigned long long i0, unsigned long long n0, unsigned long long s0) {
    if (i0 >= n0) { return ~(unsigned long long)0; }
    return i0 * s0;
}
static __device__ inline void k_set_local_f32(float* data, unsigned long long at, float value) { if (at != ~(unsigned long long)0) data[at] = value; }
static __device__ inline float half_function1(float a_) {
    return (a_ * 0.5f);
}
static __device__ inline float quarter_function0(float a_) {
    float l_0_a[2];
    {
        float k_value = a_;
        for (unsigned int k_i = 0u; k_i < 2u; k_i++) l_0_a[k_i] = k_value;
    }
    k_set_local_f32(l_0_a, k_find1((unsigned long long)2u, (unsigned long long)2u, (unsigned long long)1u), a_);
    return half_function1(l_0_a[(unsigned long long)1u]);
}
static __device__ inline void k_set_global_f32(float* data, unsigned long long at, float value) { if (at != ~(unsigned long long)0) data[at] = value; }
extern "C" __global__ void turn_kernel(
    const float* __restrict__ x_,
    unsigned long long k_offset0,
    unsigned long long k_dim0d0,
    unsigned long long k_dim0d1,
    unsigned long long k_stride0d0,
    unsigned long long k_stride0d1,
    float* __restrict__ y_,
    unsigned long long k_offset1,
    unsigned long long k_dim1d0,
    unsigned long long k_dim1d1,
    unsigned long long k_stride1d0,
    unsigned long long k_stride1d1,
    unsigned long long k_extent0,
    unsigned long long k_extent1,
    unsigned int* k_cell
) {
    x_ += k_offset0;
    y_ += k_offset1;
    for (unsigned long long k_gid1 = ((unsigned long long)blockIdx.y * blockDim.y + threadIdx.y); k_gid1 < k_extent1; k_gid1 += (unsigned long long)gridDim.y * blockDim.y) {
        for (unsigned long long k_gid0 = ((unsigned long long)blockIdx.x * blockDim.x + threadIdx.x); k_gid0 < k_extent0; k_gid0 += (unsigned long long)gridDim.x * blockDim.x) {
            k_set_global_f32(y_, k_place2(k_gid1, k_dim1d0, k_stride1d0, k_gid0, k_dim1d1, k_stride1d1, 1u, k_cell), quarter_function0(k_get_global_f32(x_, k_place2(k_gid0, k_dim0d0, k_stride0d0, k_gid1, k_dim0d1, k_stride0d1, 2u, k_cell))));
        }
    }
}
