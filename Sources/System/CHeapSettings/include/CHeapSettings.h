#pragma once

/// Has blocks of up to 32 MiB, and up to 128 MiB that are free, stay with the process, where the library can do that.
void heap_keeps_large_blocks(void);

/// Gives pages that are free back to the system, those of all threads among them, where the library can do that.
void heap_gives_back(void);
