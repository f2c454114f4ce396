#pragma OPENCL FP_CONTRACT OFF
static inline void k_fault(ulong at, ulong len, uint site, __global uint* cell) {
    if (atomic_cmpxchg(cell, 0u, site + 1u) == 0u) {
        cell[2] = (uint)at;
        cell[3] = (uint)(at >> 32);
        cell[4] = (uint)len;
        cell[5] = (uint)(len >> 32);
    }
}
static inline float k_load_f32(__global const float* data, ulong at, ulong len, uint site, __global uint* cell) {
    if (at < len) return data[at];
    k_fault(at, len, site, cell);
    return 0;
}
static inline void k_store_f32(__global float* data, ulong at, float value, ulong len, uint site, __global uint* cell) {
    if (at < len) data[at] = value;
    else k_fault(at, len, site, cell);
}
__kernel void saxpy_kernel(
    float a_,
    __global const float* restrict x_,
    ulong k_offset1,
    ulong k_len1,
    __global float* restrict y_,
    ulong k_offset2,
    ulong k_len2,
    ulong k_extent0,
    __global uint* k_cell
) {
    x_ += k_offset1;
    y_ += k_offset2;
    for (ulong k_gid0 = get_global_id(0); k_gid0 < k_extent0; k_gid0 += get_global_size(0)) {
        ulong i_0 = k_gid0;
        k_store_f32(y_, i_0, ((a_ * k_load_f32(x_, i_0, k_len1, 4u, k_cell)) + k_load_f32(y_, i_0, k_len2, 7u, k_cell)), k_len2, 9u, k_cell);
    }
}
