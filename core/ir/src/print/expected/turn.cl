#pragma OPENCL FP_CONTRACT OFF
static inline ulong k_find1(ulong i0, ulong n0, ulong s0) {
    if (i0 >= n0) { return ~(ulong)0; }
    return i0 * s0;
}
static inline void k_set_local_f32(float* data, ulong at, float value) { if (at != ~(ulong)0) data[at] = value; }
static inline float half_function1(float a_) {
    return (a_ * 0.5f);
}
static inline float quarter_function0(float a_) {
    float l_0_a[2];
    {
        float k_value = a_;
        for (uint k_i = 0u; k_i < 2u; k_i++) l_0_a[k_i] = k_value;
    }
    k_set_local_f32(l_0_a, k_find1((ulong)2u, (ulong)2u, (ulong)1u), a_);
    return half_function1(l_0_a[(ulong)1u]);
}
__kernel void turn_kernel(
    __global const float* restrict x_,
    ulong k_offset0,
    ulong k_dim0d0,
    ulong k_dim0d1,
    ulong k_stride0d0,
    ulong k_stride0d1,
    __global float* restrict y_,
    ulong k_offset1,
    ulong k_dim1d0,
    ulong k_dim1d1,
    ulong k_stride1d0,
    ulong k_stride1d1,
    ulong k_extent0,
    ulong k_extent1
) {
    x_ += k_offset0;
    y_ += k_offset1;
    for (ulong k_gid1 = get_global_id(1); k_gid1 < k_extent1; k_gid1 += get_global_size(1)) {
        for (ulong k_gid0 = get_global_id(0); k_gid0 < k_extent0; k_gid0 += get_global_size(0)) {
            y_[k_gid1 * k_stride1d0 + k_gid0 * k_stride1d1] = quarter_function0(x_[k_gid0 * k_stride0d0 + k_gid1 * k_stride0d1]);
        }
    }
}
