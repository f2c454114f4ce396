#pragma OPENCL FP_CONTRACT OFF
__kernel void saxpy_kernel(
    float a_,
    __global const float* restrict x_,
    ulong k_offset1,
    ulong k_len1,
    __global float* restrict y_,
    ulong k_offset2,
    ulong k_len2,
    ulong k_extent0
) {
    x_ += k_offset1;
    y_ += k_offset2;
    for (ulong k_gid0 = get_global_id(0); k_gid0 < k_extent0; k_gid0 += get_global_size(0)) {
        ulong i_0 = k_gid0;
        y_[i_0] = ((a_ * x_[i_0]) + y_[i_0]);
    }
}
