#include <stddef.h>

/* Gets `count` URLs, `base` followed by 0, 1, 2 and so on, with a bare multi loop, `at_once` at a time over kept
 * connections. Returns the bytes of all bodies, or -1 when one fails. */
long peer_curl_get(const char *base, int count, int at_once);
