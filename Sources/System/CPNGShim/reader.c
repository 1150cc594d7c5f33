#include "CPNGShim.h"

#if __has_include(<png.h>)

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The maximum compressed data after the last row. libpng would decompress and discard any amount of it, so a picture could
 * contain a decompression bomb after its pixels. */
enum { MAXIMUM_SURPLUS = 1 << 16 };

struct portolan_png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t count;
    size_t offset;
    /* The remaining limit of image data, once the last rows are reached. */
    size_t allowance;
    int is_ending;
    /* The bytes per output row, and the number of rows so far. */
    size_t stride;
    size_t row;
    /* The palette as straight RGBA, if there is one. */
    uint8_t palette[256][4];
    int palette_count;
    int status;
    jmp_buf jump;
    char warning[128];
    char message[256];
};

/* Chunks that do not change the pixels. They are skipped unparsed, which avoids decompressing text. */
static const png_byte skipped_chunks[] =
    "bKGD\0eXIf\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";

static void on_error(png_structp png, png_const_charp message) {
    portolan_png_reader *reader = png_get_error_ptr(png);
    if (reader->status == PORTOLAN_PNG_OK) {
        reader->status = PORTOLAN_PNG_CORRUPT;
    }
    /* libpng reports the cause in warnings, and then only that the header is invalid. */
    int is_header = strcmp(message, "Invalid IHDR data") == 0 && reader->warning[0] != 0;
    snprintf(reader->message, sizeof reader->message, "%s%s%s", message, is_header ? ": " : "",
        is_header ? reader->warning : "");
    longjmp(reader->jump, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    portolan_png_reader *reader = png_get_error_ptr(png);
    snprintf(reader->warning, sizeof reader->warning, "%s", message);
}

static png_voidp on_allocate(png_structp png, png_alloc_size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) {
        portolan_png_reader *reader = png_get_mem_ptr(png);
        reader->status = PORTOLAN_PNG_OUT_OF_MEMORY;
    }
    return memory;
}

static void on_free(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

static void on_read(png_structp png, png_bytep destination, size_t size) {
    static const uint32_t idat = 0x49444154;
    portolan_png_reader *reader = png_get_io_ptr(png);
    if (size > reader->count - reader->offset) {
        reader->status = PORTOLAN_PNG_TRUNCATED;
        reader->offset = reader->count;
        png_error(png, "the file ends too early");
    }
    if (reader->is_ending && png_get_io_chunk_type(png) == idat) {
        if (size > reader->allowance) {
            png_error(png, "image data goes on far behind the last row");
        }
        reader->allowance -= size;
    }
    memcpy(destination, reader->bytes + reader->offset, size);
    reader->offset += size;
}

static int make_structures(portolan_png_reader *reader) {
    if (setjmp(reader->jump)) {
        return 0;
    }
    reader->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, reader, on_error, on_warning, reader, on_allocate, on_free);
    reader->info = reader->png == NULL ? NULL : png_create_info_struct(reader->png);
    return reader->info != NULL;
}

portolan_png_reader *portolan_png_reader_create(const uint8_t *bytes, size_t count) {
    portolan_png_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return NULL;
    }
    reader->bytes = bytes;
    reader->count = count;
    if (!make_structures(reader)) {
        portolan_png_reader_destroy(reader);
        return NULL;
    }
    return reader;
}

void portolan_png_reader_destroy(portolan_png_reader *reader) {
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

int portolan_png_reader_header(portolan_png_reader *reader, portolan_png_header *header) {
    if (setjmp(reader->jump)) {
        return reader->status;
    }
    png_structp png = reader->png;
    png_infop info = reader->info;
    png_set_read_fn(png, reader, on_read);
    /* Checksums of all chunks are verified: tRNS and gAMA are ancillary, but affect the picture. */
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, skipped_chunks, sizeof skipped_chunks / 5);
    /* The caller checks limits and reports them. */
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_read_info(png, info);

    memset(header, 0, sizeof *header);
    header->width = png_get_image_width(png, info);
    header->height = png_get_image_height(png, info);
    header->bit_depth = png_get_bit_depth(png, info);
    header->channels = png_get_channels(png, info);
    header->is_interlaced = png_get_interlace_type(png, info) != PNG_INTERLACE_NONE;
    int intent;
    header->is_srgb = png_get_sRGB(png, info, &intent) != 0;
    header->has_gamma = png_get_gAMA(png, info, &header->gamma) != 0;
    header->has_chromaticities = png_get_cHRM(png, info, &header->white_x, &header->white_y, &header->red_x,
        &header->red_y, &header->green_x, &header->green_y, &header->blue_x, &header->blue_y) != 0;
    return PORTOLAN_PNG_OK;
}

/* libpng would silently return black for an index beyond the palette. */
static void read_palette(portolan_png_reader *reader) {
    png_colorp colors = NULL;
    png_bytep alphas = NULL;
    int alpha_count = 0;
    png_get_PLTE(reader->png, reader->info, &colors, &reader->palette_count);
    png_get_tRNS(reader->png, reader->info, &alphas, &alpha_count, NULL);
    for (int i = 0; i < reader->palette_count && i < 256; i++) {
        reader->palette[i][0] = colors[i].red;
        reader->palette[i][1] = colors[i].green;
        reader->palette[i][2] = colors[i].blue;
        reader->palette[i][3] = alphas != NULL && i < alpha_count ? alphas[i] : 255;
    }
}

/* The position where libpng writes a row: palette indices go to the last quarter of the row, and are expanded to pixels
 * from the front, which never overtakes them. */
static png_bytep place_of(portolan_png_reader *reader, uint8_t *row) {
    return reader->palette_count > 0 ? row + reader->stride / 4 * 3 : row;
}

static void paint_palette(portolan_png_reader *reader, uint8_t *row) {
    if (reader->palette_count == 0) {
        return;
    }
    size_t width = reader->stride / 4;
    const uint8_t *indices = row + width * 3;
    for (size_t x = 0; x < width; x++) {
        uint8_t index = indices[x];
        if (index >= reader->palette_count) {
            png_error(reader->png, "a pixel has a colour that is not in the palette");
        }
        memcpy(row + x * 4, reader->palette[index], 4);
    }
}

static int start(portolan_png_reader *reader, int is_wide) {
    png_structp png = reader->png;
    png_infop info = reader->info;
    size_t width = png_get_image_width(png, info);
    if (png_get_color_type(png, info) == PNG_COLOR_TYPE_PALETTE) {
        read_palette(reader);
        png_set_packing(png);
    } else {
        png_set_expand(png);
        png_set_gray_to_rgb(png);
        png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
        if (is_wide) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            png_set_swap(png);
#endif
        } else {
            png_set_scale_16(png);
        }
    }
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    reader->stride = width * (is_wide ? 8 : 4);
    if (png_get_rowbytes(png, info) != (reader->palette_count > 0 ? width : reader->stride)) {
        png_error(png, "rows do not have the expected length");
    }
    return passes;
}

/* libpng reads the surplus together with the last row. With Adam7 that may be one row before the end of the last pass, or in
 * an earlier pass of a single row. */
static void end_before(portolan_png_reader *reader, size_t row, size_t height, int is_last_pass) {
    if (!reader->is_ending && (height == 1 || (is_last_pass && row + 2 >= height))) {
        reader->is_ending = 1;
        reader->allowance = MAXIMUM_SURPLUS + reader->stride * 4;
    }
}

int portolan_png_reader_pixels(portolan_png_reader *reader, void *pixels, size_t capacity, int is_wide) {
    if (setjmp(reader->jump)) {
        return reader->status;
    }
    int passes = start(reader, is_wide);
    size_t height = png_get_image_height(reader->png, reader->info);
    if (capacity / reader->stride < height) {
        png_error(reader->png, "rows do not have the expected length");
    }
    for (int pass = 0; pass < passes; pass++) {
        for (size_t y = 0; y < height; y++) {
            uint8_t *row = (uint8_t *)pixels + y * reader->stride;
            end_before(reader, y, height, pass == passes - 1);
            png_read_row(reader->png, place_of(reader, row), NULL);
            if (pass == passes - 1) {
                paint_palette(reader, row);
            }
        }
    }
    png_read_end(reader->png, NULL);
    return PORTOLAN_PNG_OK;
}

int portolan_png_reader_rows(portolan_png_reader *reader, void *pixels, size_t capacity, size_t count, int is_wide) {
    if (setjmp(reader->jump)) {
        return reader->status;
    }
    if (reader->row == 0 && start(reader, is_wide) != 1) {
        png_error(reader->png, "an interlaced picture has no rows one by one");
    }
    size_t height = png_get_image_height(reader->png, reader->info);
    if (capacity / reader->stride < count || height - reader->row < count) {
        png_error(reader->png, "rows do not have the expected length");
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t *row = (uint8_t *)pixels + i * reader->stride;
        end_before(reader, reader->row, height, 1);
        png_read_row(reader->png, place_of(reader, row), NULL);
        paint_palette(reader, row);
        reader->row++;
    }
    if (reader->row == height) {
        png_read_end(reader->png, NULL);
    }
    return PORTOLAN_PNG_OK;
}

size_t portolan_png_reader_offset(const portolan_png_reader *reader) {
    return reader->offset;
}

const char *portolan_png_reader_message(const portolan_png_reader *reader) {
    return reader->message;
}

const char *portolan_png_version(void) { return png_get_libpng_ver(NULL); }

#endif
