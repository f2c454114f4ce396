// The product of two matrices, by tiles of 16 by 16.
__kernel void matmul_by_hand(__global const float* a, ulong a_len, __global const float* b, ulong b_len,
                             __global float* c, ulong c_len, ulong m, ulong k, ulong n) {
    __local float left[16][16], right[16][16];
    uint x = get_local_id(0), y = get_local_id(1);
    ulong row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
    float total = 0.0f;
    for (ulong t = 0; t < k; t += 16) {
        left[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0.0f;
        right[y][x] = t + y < k && column < n ? b[(t + y) * n + column] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < 16; i++) total += left[y][i] * right[i][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < m && column < n) c[row * n + column] = total;
}
