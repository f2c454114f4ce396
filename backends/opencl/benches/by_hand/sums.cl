// The sum of each row of n elements, by 64 work-items.
__kernel void sums_by_hand(__global const float* x, ulong x_len,
                           __global float* y, ulong y_len, ulong n) {
    __local float part[64];
    uint lane = get_local_id(0);
    __global const float* row = x + get_group_id(0) * n;
    float total = 0.0f;
    for (ulong k = lane; k < n; k += 64) total += row[k];
    part[lane] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = 32; half_size > 0; half_size /= 2) {
        if (lane < half_size) part[lane] += part[lane + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) y[get_group_id(0)] = part[0];
}
