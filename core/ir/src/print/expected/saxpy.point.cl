#pragma OPENCL FP_CONTRACT OFF
__kernel void saxpy_kernel(
    float a_,
    __global const float* restrict x_,
    ulong k_offset1,
    ulong k_wide_k_len1w,
    __global float* restrict y_,
    ulong k_offset2,
    ulong k_wide_k_len2w,
    ulong k_wide_k_extent0w
) {
    x_ += k_offset1;
    uint k_len1 = (uint)k_wide_k_len1w;
    y_ += k_offset2;
    uint k_len2 = (uint)k_wide_k_len2w;
    uint k_extent0 = (uint)k_wide_k_extent0w;
    ulong k_next0 = get_global_id(0);
    if (k_next0 < k_extent0) {
        uint k_gid0 = (uint)k_next0;
        uint i_0 = k_gid0;
        y_[i_0] = ((a_ * x_[i_0]) + y_[i_0]);
    }
}
