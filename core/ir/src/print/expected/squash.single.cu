#define k_u32(bits) ((unsigned int)(bits))
#define k_f32(bits) __uint_as_float((unsigned int)(bits))
#define k_pick(c, a, b) ((c) ? (a) : (b))
static __device__ inline float k_exp_f32(float x) {
    float low = k_pick(x < k_f32(0xc2d00000), k_f32(0xc2d00000), x);
    float a = k_pick(low > k_f32(0x42b20000), k_f32(0x42b20000), low);
    float t = a * k_f32(0x3fb8aa3b) + k_f32(0x4b400000);
    float n = t - k_f32(0x4b400000);
    float high = a - n * k_f32(0x3f317200);
    float r = high - n * k_f32(0x35bfbe8e);
    float u4 = (k_f32(0x39502bda) * r + k_f32(0x3ab696c9)) * r + k_f32(0x3c0888a6);
    float u2 = (u4 * r + k_f32(0x3d2aaa7a)) * r + k_f32(0x3e2aaaab);
    float u = u2 * r + k_f32(0x3f000000);
    float p = (r * r * u + r) + k_f32(0x3f800000);
    unsigned int e = __float_as_uint(t) - k_u32(0x4b400000);
    unsigned int h = ((e + k_u32(0x100)) >> 1) - k_u32(0x80);
    float y = p * __uint_as_float((h + k_u32(0x7f)) << 23);
    float z = y * __uint_as_float((e - h + k_u32(0x7f)) << 23);
    return k_pick(x != x, x, z);
}
static __device__ inline float k_div_f32(float a, float b) { return a / b; }
static __device__ inline float k_tanh_f32(float x) {
    unsigned int sign = __float_as_uint(x) & k_u32(0x80000000);
    float a = __uint_as_float(__float_as_uint(x) & k_u32(0x7fffffff));
    float z = a * a;
    float p4 = (k_f32(0xbbbaf0ea) * z + k_f32(0x3ca9134e)) * z + k_f32(0xbd5c1e2d);
    float p = (p4 * z + k_f32(0x3e088393)) * z + k_f32(0xbeaaaa99);
    float small = p * z * a + a;
    float e = k_exp_f32(a + a);
    float large = k_f32(0x3f800000) - k_div_f32(k_f32(0x40000000), e + k_f32(0x3f800000));
    float y = k_pick(a < k_f32(0x3f200000), small, large);
    return __uint_as_float(__float_as_uint(y) | sign);
}
static __device__ inline float squash_map(float a_, float b_) {
    return k_tanh_f32((a_ * b_));
}
extern "C" __global__ void squash_kernel(
    const float* a_,
    unsigned long long k_offset0,
    const float* b_,
    unsigned long long k_offset1,
    float* k_result,
    unsigned long long k_offset2,
    unsigned long long k_extent0
) {
    unsigned long long k_count = k_extent0;
    for (unsigned long long k_at = ((unsigned long long)blockIdx.x * blockDim.x + threadIdx.x); k_at < k_count; k_at += (unsigned long long)gridDim.x * blockDim.x) {
        k_result[k_offset2 + k_at] = squash_map(a_[k_offset0 + k_at], b_[k_offset1]);
    }
}
