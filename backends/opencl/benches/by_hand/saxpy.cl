__kernel void saxpy_by_hand(float a, __global const float* x, ulong x_len,
                            __global float* y, ulong y_len, ulong items) {
    size_t i = get_global_id(0);
    if (i < items) y[i] = a * x[i] + y[i];
}
