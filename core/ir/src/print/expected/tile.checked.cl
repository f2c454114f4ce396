#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
static inline void k_fault(ulong at, ulong len, uint site, __global uint* cell) {
    if (atomic_cmpxchg(cell, 0u, site + 1u) == 0u) {
        cell[2] = (uint)at;
        cell[3] = (uint)(at >> 32);
        cell[4] = (uint)len;
        cell[5] = (uint)(len >> 32);
    }
}
static inline ulong k_place2(ulong i0, ulong n0, ulong s0, ulong i1, ulong n1, ulong s1, uint site, __global uint* cell) {
    if (i0 >= n0) { k_fault(i0, n0, site, cell); return ~(ulong)0; }
    if (i1 >= n1) { k_fault(i1, n1, site, cell); return ~(ulong)0; }
    return i0 * s0 + i1 * s1;
}
static inline void k_set_shared_u32(__local uint* data, ulong at, uint value) { if (at != ~(ulong)0) data[at] = value; }
static inline float k_load_f32(__global const float* data, ulong at, ulong len, uint site, __global uint* cell) {
    if (at < len) return data[at];
    k_fault(at, len, site, cell);
    return 0;
}
static inline uint k_add_shared_u32(__local uint* at, uint value) {
    return (uint)atomic_add((__local uint*)at, (uint)value);
}
static inline uint k_add_shared_u32_in(__local uint* data, ulong at, uint value) {
    if (at == ~(ulong)0) return 0;
    return k_add_shared_u32(data + at, value);
}
static inline ulong k_place1(ulong i0, ulong n0, ulong s0, uint site, __global uint* cell) {
    if (i0 >= n0) { k_fault(i0, n0, site, cell); return ~(ulong)0; }
    return i0 * s0;
}
static inline long k_max_global_i64(__global long* at, long value) {
    return atom_max(at, value);
}
static inline long k_max_global_i64_in(__global long* data, ulong at, long value) {
    if (at == ~(ulong)0) return 0;
    return k_max_global_i64(data + at, value);
}
__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void tile_kernel(
    __global const float* restrict x_,
    ulong k_offset0,
    ulong k_len0,
    __global long* restrict y_,
    ulong k_offset1,
    ulong k_len1,
    ulong n_,
    ulong k_extent0,
    ulong k_extent1,
    __global uint* k_cell
) {
    x_ += k_offset0;
    y_ += k_offset1;
    ulong k_lid0 = get_local_id(0);
    ulong k_lid1 = get_local_id(1);
    ulong k_lid2 = get_local_id(2);
    ulong k_group0 = get_group_id(0);
    ulong k_group1 = get_group_id(1);
    uint k_lane = (uint)(k_lid0 + 4u * (k_lid1 + 2u * k_lid2));
    __local uint t_0_a[8];
    __local float k_all_f32[8];
    uint o_2 = 0;
    float s_0 = 0.0f;
    k_set_shared_u32(t_0_a, k_place2(k_lid1, (ulong)2u, (ulong)4u, k_lid0, (ulong)4u, (ulong)1u, 1u, k_cell), (uint)k_group0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (ulong k_1 = k_lane, k_end1 = n_; k_1 < k_end1; k_1 += 8u) {
        if ((k_1 == (ulong)63u)) {
            break;
        }
        s_0 = (s_0 + k_load_f32(x_, k_1, k_len0, 9u, k_cell));
    }
    k_all_f32[k_lane] = s_0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint k_half = 4u; k_half > 0u; k_half >>= 1) {
        if (k_lane < k_half) k_all_f32[k_lane] = (k_all_f32[k_lane] + k_all_f32[k_lane + k_half]);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    s_0 = k_all_f32[0];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    o_2 = k_add_shared_u32_in(t_0_a, k_place2((ulong)1u, (ulong)2u, (ulong)4u, k_lid0, (ulong)4u, (ulong)1u, 11u, k_cell), 3u);
    k_max_global_i64_in(y_, k_place1((n_ >> ((uint)1u & 63u)), k_len1, (ulong)1u, 12u, k_cell), (long)o_2);
}
