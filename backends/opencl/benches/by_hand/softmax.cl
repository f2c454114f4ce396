// The softmax of each row of n elements, by 64 work-items.
__kernel void softmax_by_hand(__global const float* x, ulong x_len,
                              __global float* y, ulong y_len, ulong n) {
    __local float part[64];
    uint lane = get_local_id(0);
    ulong row = get_group_id(0) * n;
    float largest = -INFINITY;
    for (ulong k = lane; k < n; k += 64) largest = fmax(largest, x[row + k]);
    part[lane] = largest;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = 32; half_size > 0; half_size /= 2) {
        if (lane < half_size) part[lane] = fmax(part[lane], part[lane + half_size]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    largest = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    float total = 0.0f;
    for (ulong k = lane; k < n; k += 64) {
        float share = exp(x[row + k] - largest);
        y[row + k] = share;
        total += share;
    }
    part[lane] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint half_size = 32; half_size > 0; half_size /= 2) {
        if (lane < half_size) part[lane] += part[lane + half_size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    total = part[0];
    for (ulong k = lane; k < n; k += 64) y[row + k] = y[row + k] / total;
}
