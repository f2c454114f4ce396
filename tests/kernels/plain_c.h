#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#define bits_f32(x) ((union { float value; uint32_t bits; }){.value = (x)}).bits
#define f32_of(x) ((union { uint32_t bits; float value; }){.bits = (x)}).value
#define bits_f64(x) ((union { double value; uint64_t bits; }){.value = (x)}).bits
#define f64_of(x) ((union { uint64_t bits; double value; }){.bits = (x)}).value
#define keep_less(at, value) ({ __typeof__(*(at)) old = *(at); if ((value) < old) *(at) = (value); old; })
#define keep_greater(at, value) ({ __typeof__(*(at)) old = *(at); if ((value) > old) *(at) = (value); old; })
