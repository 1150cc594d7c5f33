#pragma once

/// Has the memory at an address, which is soon written, brought into the nearest cache. Any address may be given.
static inline void prefetch_to_write(const void *address) {
    __builtin_prefetch(address, 1);
}

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/// The whole part of a number between -2^63 and 2^63, without asking whether it is: of any other the result is of no use.
static inline long long whole_part(double value) {
#if defined(__x86_64__)
    return _mm_cvttsd_si64(_mm_set_sd(value));
#else
    return value > -0x1p63 && value < 0x1p63 ? (long long)value : 0;
#endif
}
