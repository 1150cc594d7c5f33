/* How much memory this process has of malloc, counted at each call. */
#ifndef PORTOLAN_ALLOCATIONS_H
#define PORTOLAN_ALLOCATIONS_H

/* Forgets the peak: it is what is held now. Returns that, in bytes, or -1 where the C library cannot be counted. */
long portolan_allocations_begin(void);

/* The most bytes held at once since the last begin, to 64 KiB a thread. */
long portolan_allocations_peak(void);

/* The same of this thread alone, for work that stays on it: what others do meanwhile does not count. */
long portolan_allocations_begin_here(void);
long portolan_allocations_peak_here(void);

#endif
