#include "allocation_count.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_bool is_counting;
static atomic_uint_fast64_t count;
static atomic_uint_fast64_t bytes;

void allocation_count_start(void) {
    atomic_store(&count, 0);
    atomic_store(&bytes, 0);
    atomic_store(&is_counting, true);
}

allocation_count allocation_count_stop(void) {
    atomic_store(&is_counting, false);
    allocation_count result = {atomic_load(&count), atomic_load(&bytes)};
    return result;
}

#if defined(__GLIBC__)

// The executable's own definitions come before those of the C library, for the libraries it loads as well.
// The library's stay within reach by these names.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t number, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

bool allocation_count_is_possible(void) { return true; }

static void *counted(void *memory, size_t size) {
    if (memory != NULL && atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
    }
    return memory;
}

void *malloc(size_t size) { return counted(__libc_malloc(size), size); }

void *calloc(size_t number, size_t size) { return counted(__libc_calloc(number, size), number * size); }

void *realloc(void *memory, size_t size) { return counted(__libc_realloc(memory, size), size); }

void *memalign(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size), size); }

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size), size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void *result = counted(__libc_memalign(alignment, size), size);
    if (result == NULL) return ENOMEM;
    *memory = result;
    return 0;
}

#else

bool allocation_count_is_possible(void) { return false; }

#endif
