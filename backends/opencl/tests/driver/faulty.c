// An OpenCL library over the one of the system, for tests: it forwards every call, and shows faults that
// no driver shows when asked. FAULTY_DRIVER, read once, names the fault:
//
//   refused      from a fill with LOSS on, the device takes no commands
//   failed       commands that are not over at that fill end with an error
//   silent       nobody can tell how they end
//   flushing     the device says that it flushes subnormal numbers of f32
//   unopened     the first context cannot be made
//   closed       no context can be made
//   old          the device that is asked first is of OpenCL 1.1
//
// A lost device gives neither queues nor buffers.
//
// What is not defined here is found in libOpenCL.so.1, which this library needs.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_bitfield;
typedef void *handle;

enum {
    DEVICE_NOT_AVAILABLE = -2,
    OUT_OF_RESOURCES = -5,
    STATUS_ERROR_IN_WAIT_LIST = -14,
    DEVICE_SINGLE_FP_CONFIG = 0x101B,
    DEVICE_VERSION = 0x102F,
    FP_DENORM = 1,
    EVENT_STATUS = 0x11D3,
    COMPLETE = 0,
};

// The byte of the fill during which the device is lost.
static const unsigned char LOSS = 0xDE;

static atomic_int lost;

static int fault_is(const char *name) {
    const char *fault = getenv("FAULTY_DRIVER");
    return fault && strcmp(fault, name) == 0;
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

// What a call that submits something answers now; 0 for the driver's own answer.
static cl_int refusal(void) {
    return atomic_load(&lost) && fault_is("refused") ? DEVICE_NOT_AVAILABLE : 0;
}

// What a call that creates something answers now.
static cl_int exhausted(void) {
    return atomic_load(&lost) ? OUT_OF_RESOURCES : 0;
}

#define FORWARD(name, params, args)                                  \
    cl_int name params {                                             \
        static cl_int(*real) params;                                 \
        if (!real) real = (cl_int(*) params)next(#name);             \
        cl_int code = refusal();                                     \
        return code ? code : real args;                              \
    }

FORWARD(clEnqueueNDRangeKernel,
        (handle q, handle k, cl_uint dims, const size_t *o, const size_t *g, const size_t *l, cl_uint n,
         const handle *w, handle *e),
        (q, k, dims, o, g, l, n, w, e))
FORWARD(clEnqueueReadBuffer,
        (handle q, handle b, cl_uint block, size_t o, size_t s, void *p, cl_uint n, const handle *w, handle *e),
        (q, b, block, o, s, p, n, w, e))
FORWARD(clEnqueueWriteBuffer,
        (handle q, handle b, cl_uint block, size_t o, size_t s, const void *p, cl_uint n, const handle *w,
         handle *e),
        (q, b, block, o, s, p, n, w, e))
FORWARD(clEnqueueCopyBuffer,
        (handle q, handle a, handle b, size_t i, size_t o, size_t s, cl_uint n, const handle *w, handle *e),
        (q, a, b, i, o, s, n, w, e))
FORWARD(clEnqueueMarkerWithWaitList, (handle q, cl_uint n, const handle *w, handle *e), (q, n, w, e))
FORWARD(clEnqueueBarrierWithWaitList, (handle q, cl_uint n, const handle *w, handle *e), (q, n, w, e))
FORWARD(clFlush, (handle q), (q))

cl_int clEnqueueFillBuffer(handle q, handle b, const void *pattern, size_t size, size_t o, size_t s, cl_uint n,
                           const handle *w, handle *e) {
    static cl_int (*real)(handle, handle, const void *, size_t, size_t, size_t, cl_uint, const handle *, handle *);
    if (!real) *(void **)&real = next("clEnqueueFillBuffer");
    int loses = *(const unsigned char *)pattern == LOSS;
    if (loses && fault_is("refused")) atomic_store(&lost, 1);
    cl_int code = refusal();
    if (!code) code = real(q, b, pattern, size, o, s, n, w, e);
    if (loses) atomic_store(&lost, 1);
    return code;
}

handle clCreateContext(const void *properties, cl_uint n, const handle *devices, void *notify, void *data,
                       cl_int *code) {
    static handle (*real)(const void *, cl_uint, const handle *, void *, void *, cl_int *);
    static atomic_int made;
    if (!real) *(void **)&real = next("clCreateContext");
    int fails = fault_is("closed") || (atomic_fetch_add(&made, 1) == 0 && fault_is("unopened"));
    if (!fails) return real(properties, n, devices, notify, data, code);
    *code = OUT_OF_RESOURCES;
    return NULL;
}

handle clCreateCommandQueue(handle c, handle d, cl_bitfield properties, cl_int *code) {
    static handle (*real)(handle, handle, cl_bitfield, cl_int *);
    if (!real) *(void **)&real = next("clCreateCommandQueue");
    cl_int refused = exhausted();
    if (!refused) return real(c, d, properties, code);
    *code = refused;
    return NULL;
}

handle clCreateBuffer(handle c, cl_bitfield flags, size_t size, void *host, cl_int *code) {
    static handle (*real)(handle, cl_bitfield, size_t, void *, cl_int *);
    if (!real) *(void **)&real = next("clCreateBuffer");
    cl_int refused = exhausted();
    if (!refused) return real(c, flags, size, host, code);
    *code = refused;
    return NULL;
}

cl_int clWaitForEvents(cl_uint n, const handle *events) {
    static cl_int (*real)(cl_uint, const handle *);
    if (!real) *(void **)&real = next("clWaitForEvents");
    cl_int code = real(n, events);
    if (!atomic_load(&lost)) return code;
    return fault_is("silent") ? OUT_OF_RESOURCES : STATUS_ERROR_IN_WAIT_LIST;
}

cl_int clGetEventInfo(handle event, cl_uint what, size_t size, void *value, size_t *size_ret) {
    static cl_int (*real)(handle, cl_uint, size_t, void *, size_t *);
    if (!real) *(void **)&real = next("clGetEventInfo");
    int is_lost = atomic_load(&lost);
    if (is_lost && fault_is("silent")) return OUT_OF_RESOURCES;
    cl_int code = real(event, what, size, value, size_ret);
    // A command that ended with an error touches no memory any more, so its true end comes first.
    if (code == 0 && is_lost && what == EVENT_STATUS && value && *(cl_int *)value <= COMPLETE)
        *(cl_int *)value = OUT_OF_RESOURCES;
    return code;
}

cl_int clGetDeviceInfo(handle device, cl_uint what, size_t size, void *value, size_t *size_ret) {
    static cl_int (*real)(handle, cl_uint, size_t, void *, size_t *);
    if (!real) *(void **)&real = next("clGetDeviceInfo");
    cl_int code = real(device, what, size, value, size_ret);
    if (code == 0 && what == DEVICE_SINGLE_FP_CONFIG && value && fault_is("flushing"))
        *(cl_bitfield *)value &= ~(cl_bitfield)FP_DENORM;
    static _Atomic(handle) first;
    handle none = NULL;
    atomic_compare_exchange_strong(&first, &none, device);
    // The text of every version is as long: `OpenCL 3.0 …`.
    if (code == 0 && what == DEVICE_VERSION && value && fault_is("old") && device == atomic_load(&first))
        memcpy(value, "OpenCL 1.1", strlen("OpenCL 1.1"));
    return code;
}
