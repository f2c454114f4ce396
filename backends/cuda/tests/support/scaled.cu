// y = a x + 1, one work-item for each element.
__global__ void scaled(float a, const float* x, unsigned long long x_len, float* y,
                       unsigned long long y_len, unsigned long long items) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < items) y[i] = a * x[i] + 1.0f;
}
