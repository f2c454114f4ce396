// y = a x + 1, one work-item for each element.
__kernel void scaled(float a, __global const float* x, ulong x_len,
                     __global float* y, ulong y_len, ulong items) {
    ulong i = get_global_id(0);
    if (i < items) y[i] = a * x[i] + 1.0f;
}
