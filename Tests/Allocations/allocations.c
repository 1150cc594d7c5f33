#include "allocations.h"

#include <errno.h>
#include <stdlib.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

#include <malloc.h>
#include <stdatomic.h>

// A program's own definitions come before those of the C library, in every library of the process. These count and pass the
// call on. What is resident cannot be counted instead: memory that was freed stays so, and hides the next peak.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static atomic_long held, peak;
static _Thread_local long held_here, peak_here, unsettled;

// Threads that all add to one number for each block wait for each other, so each adds what has come together.
static const long settled_size = 1 << 16;

static void settle(void) {
    long now = atomic_fetch_add_explicit(&held, unsettled, memory_order_relaxed) + unsettled;
    unsettled = 0;
    long known = atomic_load_explicit(&peak, memory_order_relaxed);
    while (now > known
           && !atomic_compare_exchange_weak_explicit(&peak, &known, now, memory_order_relaxed, memory_order_relaxed)) {}
}

static void account(long size) {
    held_here += size;
    if (held_here > peak_here) peak_here = held_here;
    unsettled += size;
    if (unsettled >= settled_size || unsettled <= -settled_size) settle();
}

static void *counted(void *block) {
    if (block) account((long)malloc_usable_size(block));
    return block;
}

static void released(size_t size) { account(-(long)size); }

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) {
    size_t before = block ? malloc_usable_size(block) : 0;
    void *moved = __libc_realloc(block, size);
    // A block that could not grow is still there.
    if (moved || size == 0) released(before);
    return counted(moved);
}

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *made = counted(__libc_memalign(alignment, size));
    if (!made) return ENOMEM;
    *block = made;
    return 0;
}

void free(void *block) {
    if (block) released(malloc_usable_size(block));
    __libc_free(block);
}

long portolan_allocations_begin(void) {
    settle();
    long now = atomic_load(&held);
    atomic_store(&peak, now);
    return now;
}

long portolan_allocations_peak(void) {
    settle();
    return atomic_load(&peak);
}

long portolan_allocations_begin_here(void) { return peak_here = held_here; }

long portolan_allocations_peak_here(void) { return peak_here; }

#else

long portolan_allocations_begin(void) { return -1; }

long portolan_allocations_peak(void) { return -1; }

long portolan_allocations_begin_here(void) { return -1; }

long portolan_allocations_peak_here(void) { return -1; }

#endif
