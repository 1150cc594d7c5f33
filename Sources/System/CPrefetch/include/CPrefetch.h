#pragma once

/// Has the memory at an address, which is soon written, brought into the nearest cache. Any address may be given.
static inline void prefetch_to_write(const void *address) {
    __builtin_prefetch(address, 1);
}
