#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

/// What was asked of the heap, by all threads.
typedef struct {
    /// Calls of malloc, calloc, realloc and their aligned kin that gave memory.
    uint64_t count;
    /// The bytes asked for.
    uint64_t bytes;
} allocation_count;

/// Whether allocations can be counted here: with glibc alone.
bool allocation_count_is_possible(void);

/// Begins to count at zero.
void allocation_count_start(void);

/// Ends counting and tells what was counted.
allocation_count allocation_count_stop(void);

#endif
