#include "peer.h"
#include <png.h>

static void count(png_structp png, png_bytep data, png_size_t length) {
    (void)data;
    *(size_t *)png_get_io_ptr(png) += length;
}

static void flush(png_structp png) { (void)png; }

size_t peer_png_size(const uint8_t *rows, uint32_t width, uint32_t height, int channels) {
    size_t written = 0;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    png_set_write_fn(png, &written, count, flush);
    png_set_IHDR(
        png, info, width, height, 8, channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
        PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t row = 0; row < height; row++) png_write_row(png, rows + (size_t)row * width * channels);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return written;
}
