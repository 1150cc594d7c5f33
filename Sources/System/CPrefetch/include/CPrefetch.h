#pragma once

/// Prefetches the memory at an address, which will soon be written, into the nearest cache. Any address is allowed.
static inline void prefetch_to_write(const void *address) {
    __builtin_prefetch(address, 1);
}

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/// Returns the integer part of a number between -2^63 and 2^63 without a check; for other numbers the result is undefined.
static inline long long whole_part(double value) {
#if defined(__x86_64__)
    return _mm_cvttsd_si64(_mm_set_sd(value));
#else
    return value > -0x1p63 && value < 0x1p63 ? (long long)value : 0;
#endif
}
