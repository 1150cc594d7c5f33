#include <stddef.h>
#include <stdint.h>

/* Encodes RGB (channels 3) or RGBA (4) rows with libpng at its default level and filters, and returns the count of bytes,
 * or 0 when it fails. */
size_t peer_png_size(const uint8_t *rows, uint32_t width, uint32_t height, int channels);
