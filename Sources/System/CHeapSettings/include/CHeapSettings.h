#pragma once

/// Keeps blocks of up to 32 MiB, and up to 128 MiB of free memory, in the process if the C library supports it.
void heap_keeps_large_blocks(void);

/// Returns the free pages of all threads to the system if the C library supports it.
void heap_gives_back(void);
