// Reverses rows of LANES elements, through memory of the group.
extern "C" __global__ void __launch_bounds__(LANES)
reversed(const T* __restrict__ x, unsigned long long x_len, T* __restrict__ y,
         unsigned long long y_len) {
    __shared__ T row[LANES];
    unsigned lane = threadIdx.x;
    size_t at = (size_t)blockIdx.x * LANES;
    row[lane] = x[at + lane];
    __syncthreads();
    y[at + lane] = row[LANES - 1 - lane];
}
