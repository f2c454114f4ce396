#pragma OPENCL FP_CONTRACT OFF
#define k_u32(bits) ((uint)(bits))
#define k_f32(bits) as_float((uint)(bits))
#define k_pick(c, a, b) ((c) ? (a) : (b))
static inline float k_exp_f32(float x) {
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
    uint e = as_uint(t) - k_u32(0x4b400000);
    uint h = ((e + k_u32(0x100)) >> 1) - k_u32(0x80);
    float y = p * as_float((h + k_u32(0x7f)) << 23);
    float z = y * as_float((e - h + k_u32(0x7f)) << 23);
    return k_pick(x != x, x, z);
}
static inline float k_div_f32(float a, float b) { return a / b; }
static inline float k_tanh_f32(float x) {
    uint sign = as_uint(x) & k_u32(0x80000000);
    float a = as_float(as_uint(x) & k_u32(0x7fffffff));
    float z = a * a;
    float p4 = (k_f32(0xbbbaf0ea) * z + k_f32(0x3ca9134e)) * z + k_f32(0xbd5c1e2d);
    float p = (p4 * z + k_f32(0x3e088393)) * z + k_f32(0xbeaaaa99);
    float small = p * z * a + a;
    float e = k_exp_f32(a + a);
    float large = k_f32(0x3f800000) - k_div_f32(k_f32(0x40000000), e + k_f32(0x3f800000));
    float y = k_pick(a < k_f32(0x3f200000), small, large);
    return as_float(as_uint(y) | sign);
}
static inline float squash_map(float a_, float b_) {
    return k_tanh_f32((a_ * b_));
}
__kernel void squash_kernel(
    __global const float* a_,
    ulong k_offset0,
    ulong k_step0d0,
    ulong k_step0d1,
    ulong k_step0d2,
    __global const float* b_,
    ulong k_offset1,
    ulong k_step1d0,
    ulong k_step1d1,
    ulong k_step1d2,
    __global float* k_result,
    ulong k_offset2,
    ulong k_step2d0,
    ulong k_step2d1,
    ulong k_step2d2,
    ulong k_extent0,
    ulong k_extent1,
    ulong k_extent2
) {
    ulong k_count = k_extent0 * k_extent1 * k_extent2;
    for (ulong k_at = get_global_id(0); k_at < k_count; k_at += get_global_size(0)) {
        ulong k_rest = k_at;
        ulong k_i0 = k_rest % k_extent0;
        k_rest /= k_extent0;
        ulong k_i1 = k_rest % k_extent1;
        k_rest /= k_extent1;
        ulong k_i2 = k_rest;
        k_result[k_offset2 + k_i0 * k_step2d0 + k_i1 * k_step2d1 + k_i2 * k_step2d2] = squash_map(a_[k_offset0 + k_i0 * k_step0d0 + k_i1 * k_step0d1 + k_i2 * k_step0d2], b_[k_offset1 + k_i0 * k_step1d0 + k_i1 * k_step1d1 + k_i2 * k_step1d2]);
    }
}
