// Reverses rows of LANES elements, through memory of the group.
__kernel void reversed(__global const T* x, ulong x_len, __global T* y, ulong y_len) {
    __local T row[LANES];
    size_t lane = get_local_id(0), at = get_group_id(0) * LANES;
    row[lane] = x[at + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[at + lane] = row[LANES - 1 - lane];
}
