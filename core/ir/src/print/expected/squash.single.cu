#define k_u32(bits) ((unsigned int)(bits))
#define k_pick(c, a, b) ((c) ? (a) : (b))
#define k_f32(bits) __uint_as_float((unsigned int)(bits))
static __device__ inline float k_turn_f32(float a) {
    return a * k_f32(0x3fb8aa3b) + k_f32(0x4b400000);
}
static __device__ inline float k_exp_head_f32(float a, float n) {
    return (a - n * k_f32(0x3f317200)) - n * k_f32(0x35bfbe8e);
}
static __device__ inline float k_exp_tail_f32(float r, float l) {
    float z = r * r;
    float q1 = ((k_f32(0x395170c7) * r + k_f32(0x3ab68815)) * r + k_f32(0x3c0887de)) * r + k_f32(0x3d2aaa8d);
    float q = q1 * r + k_f32(0x3e2aaaab);
    return z * k_f32(0x3f000000) + (z * r * q + (l + r * l));
}
static __device__ inline float k_exp_rest_f32(float a, float n, float r) {
    return ((a - n * k_f32(0x3f317200)) - r) - n * k_f32(0x35bfbe8e);
}
static __device__ inline float k_sum_rest_f32(float a, float b, float s) {
    float c = s - a;
    return (a - (s - c)) + (b - c);
}
static __device__ inline float k_div_f32(float a, float b) { return a / b; }
static __device__ inline float k_head_f32(float x) {
    return __uint_as_float(__float_as_uint(x) & k_u32(0xfffff000));
}
static __device__ inline float k_product_rest_f32(float a, float b, float p) {
    float ah = k_head_f32(a);
    float al = a - ah;
    float bh = k_head_f32(b);
    float bl = b - bh;
    return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}
static __device__ inline float k_quotient_rest_f32(float q, float n, float nl, float d, float dl) {
    float p = q * d;
    float rest = ((n - p) - k_product_rest_f32(q, d, p)) + (nl - q * dl);
    return k_div_f32(rest, d);
}
static __device__ inline float k_tanh_f32(float x) {
    unsigned int sign = __float_as_uint(x) & k_u32(0x80000000);
    float a = __uint_as_float(__float_as_uint(x) ^ sign);
    float b = k_pick(a > k_f32(0x41200000), k_f32(0x41a00000), a + a);
    float t = k_turn_f32(b);
    float n = t - k_f32(0x4b400000);
    float s = __uint_as_float((__float_as_uint(t) - __float_as_uint(k_f32(0x4b400000)) + k_u32(0x7f)) << 23);
    float r = k_exp_head_f32(b, n);
    float tail = k_exp_tail_f32(r, k_exp_rest_f32(b, n, r));
    float m = s - k_f32(0x3f800000);
    float g = m + s * r;
    float gl = k_sum_rest_f32(m, s * r, g) + s * tail;
    float e = g + gl;
    float el = (g - e) + gl;
    float d = e + k_f32(0x40000000);
    float dl = k_sum_rest_f32(e, k_f32(0x40000000), d) + el;
    float q = k_div_f32(e, d);
    float y = k_pick(a < k_f32(0x38800000), a, q + k_quotient_rest_f32(q, e, el, d, dl));
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
