#include <stdlib.h>

#include "CHeapSettings.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

void heap_keeps_large_blocks(void) {
#ifdef __GLIBC__
    // mallopt rejects more than half of a thread's heap.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
#endif
}

void heap_gives_back(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
