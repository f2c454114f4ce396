static __device__ inline unsigned int k_add_shared_u32(unsigned int* at, unsigned int value) {
    return (unsigned int)atomicAdd((unsigned int*)at, (unsigned int)value);
}
static __device__ inline long long k_max_global_i64(long long* at, long long value) {
    return atomicMax(at, value);
}
extern "C" __global__ void __launch_bounds__(8, 1) tile_kernel(
    const float* __restrict__ x_,
    unsigned long long k_offset0,
    unsigned long long k_wide_k_len0w,
    long long* __restrict__ y_,
    unsigned long long k_offset1,
    unsigned long long k_wide_k_len1w,
    unsigned long long k_wide_n_w,
    unsigned long long k_wide_k_extent0w,
    unsigned long long k_wide_k_extent1w
) {
    x_ += k_offset0;
    unsigned int k_len0 = (unsigned int)k_wide_k_len0w;
    y_ += k_offset1;
    unsigned int k_len1 = (unsigned int)k_wide_k_len1w;
    unsigned int n_ = (unsigned int)k_wide_n_w;
    unsigned int k_extent0 = (unsigned int)k_wide_k_extent0w;
    unsigned int k_extent1 = (unsigned int)k_wide_k_extent1w;
    unsigned int k_lid0 = threadIdx.x;
    unsigned int k_lid1 = threadIdx.y;
    unsigned int k_lid2 = threadIdx.z;
    unsigned int k_group0 = blockIdx.x;
    unsigned int k_group1 = blockIdx.y;
    unsigned int k_lane = (unsigned int)(k_lid0 + 4u * (k_lid1 + 2u * k_lid2));
    __shared__ unsigned int t_0_a[8];
    __shared__ float k_all_f32[8];
    unsigned int o_2 = 0;
    float s_0 = 0.0f;
    t_0_a[k_lid1 * 4u + k_lid0] = k_group0;
    __syncthreads();
    for (unsigned int k_1 = k_lane, k_end1 = n_; k_1 < k_end1; k_1 += 8u) {
        if ((k_1 == 63u)) {
            break;
        }
        s_0 = (s_0 + x_[k_1]);
    }
    k_all_f32[k_lane] = s_0;
    __syncthreads();
    for (unsigned int k_half = 4u; k_half > 0u; k_half >>= 1) {
        if (k_lane < k_half) k_all_f32[k_lane] = (k_all_f32[k_lane] + k_all_f32[k_lane + k_half]);
        __syncthreads();
    }
    s_0 = k_all_f32[0];
    __syncthreads();
    o_2 = k_add_shared_u32(&t_0_a[1u * 4u + k_lid0], 3u);
    k_max_global_i64(&y_[(n_ >> ((unsigned int)1u & 63u))], (long long)o_2);
}
