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

/// Returns a bit for each of 32 bytes at a multiple of 8: its highest bit. The other bits of the bytes are 0.
static inline unsigned int highest_bits(const void *bytes) {
#if defined(__x86_64__)
    const __m128i *halves = (const __m128i *)bytes;
    return (unsigned int)_mm_movemask_epi8(_mm_loadu_si128(halves))
        | (unsigned int)_mm_movemask_epi8(_mm_loadu_si128(halves + 1)) << 16;
#else
    const unsigned long long *words = (const unsigned long long *)bytes;
    unsigned int bits = 0;
    for (int index = 0; index < 4; index++)
        // The product moves the bit of each byte to the highest byte.
        bits |= (unsigned int)((words[index] >> 7) * 0x0102040810204080 >> 56) << 8 * index;
    return bits;
#endif
}
