#include "CJPEGShim.h"

#if __has_include(<jpeglib.h>)

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

struct portolan_jpeg_reader {
    struct jpeg_decompress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    size_t count;
    int maximum_scans;
    int is_ink;
    int status;
    jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
};

static void on_error(j_common_ptr common) {
    portolan_jpeg_reader *reader = common->client_data;
    common->err->format_message(common, reader->message);
    switch (common->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
        reader->status = PORTOLAN_JPEG_OUT_OF_MEMORY;
        break;
    case JERR_NO_BACKING_STORE:
        reader->status = PORTOLAN_JPEG_LIMIT_EXCEEDED;
        snprintf(reader->message, sizeof reader->message, "decoding takes more memory than the limit");
        break;
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
        reader->status = PORTOLAN_JPEG_UNSUPPORTED;
        break;
    default:
        reader->status = PORTOLAN_JPEG_CORRUPT;
    }
    longjmp(reader->jump, 1);
}

static void fail(portolan_jpeg_reader *reader, int status, const char *message) {
    reader->status = status;
    snprintf(reader->message, sizeof reader->message, "%s", message);
    longjmp(reader->jump, 1);
}

/* The maximum number of stray bytes after a scan; more indicate a damaged scan. */
#define MAXIMUM_STRAY_BYTES 64

/* Warnings are errors, except for stray bytes between segments, which some cameras and programs write. */
static void on_message(j_common_ptr common, int level) {
    portolan_jpeg_reader *reader = common->client_data;
    if (level >= 0) {
        return;
    }
    if (common->err->msg_code == JWRN_EXTRANEOUS_DATA
        && (reader->info.input_scan_number == 0 || common->err->msg_parm.i[0] <= MAXIMUM_STRAY_BYTES)) {
        return;
    }
    on_error(common);
}

/* Called at the start and end of reading; nothing to do, because all bytes are in memory. */
static void on_border(j_decompress_ptr info) {
    (void)info;
}

static boolean on_fill(j_decompress_ptr info) {
    info->src->bytes_in_buffer = 0;
    fail(info->client_data, PORTOLAN_JPEG_TRUNCATED, "the file ends too early");
    return FALSE;
}

static void on_skip(j_decompress_ptr info, long count) {
    if (count <= 0) {
        return;
    }
    if ((size_t)count > info->src->bytes_in_buffer) {
        info->src->bytes_in_buffer = 0;
        fail(info->client_data, PORTOLAN_JPEG_TRUNCATED, "the file ends too early");
    }
    info->src->next_input_byte += count;
    info->src->bytes_in_buffer -= (size_t)count;
}

static void on_progress(j_common_ptr common) {
    portolan_jpeg_reader *reader = common->client_data;
    if (reader->info.input_scan_number > reader->maximum_scans) {
        fail(reader, PORTOLAN_JPEG_LIMIT_EXCEEDED, "the picture is made of too many scans");
    }
}

static int make_structures(portolan_jpeg_reader *reader) {
    reader->info.client_data = reader;
    reader->info.err = jpeg_std_error(&reader->errors);
    reader->errors.error_exit = on_error;
    reader->errors.emit_message = on_message;
    if (setjmp(reader->jump)) {
        return 0;
    }
    jpeg_create_decompress(&reader->info);
    return 1;
}

portolan_jpeg_reader *portolan_jpeg_reader_create(const uint8_t *bytes, size_t count) {
    portolan_jpeg_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return NULL;
    }
    if (!make_structures(reader)) {
        portolan_jpeg_reader_destroy(reader);
        return NULL;
    }
    reader->count = count;
    reader->source.next_input_byte = bytes;
    reader->source.bytes_in_buffer = count;
    reader->source.init_source = on_border;
    reader->source.fill_input_buffer = on_fill;
    reader->source.skip_input_data = on_skip;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = on_border;
    reader->info.src = &reader->source;
    reader->progress.progress_monitor = on_progress;
    reader->info.progress = &reader->progress;
    return reader;
}

void portolan_jpeg_reader_destroy(portolan_jpeg_reader *reader) {
    jpeg_destroy_decompress(&reader->info);
    free(reader);
}

int portolan_jpeg_reader_header(portolan_jpeg_reader *reader, portolan_jpeg_header *header) {
    if (setjmp(reader->jump)) {
        return reader->status;
    }
    jpeg_read_header(&reader->info, TRUE);
    header->width = reader->info.image_width;
    header->height = reader->info.image_height;
    header->components = (uint8_t)reader->info.num_components;
    header->is_arithmetic = reader->info.arith_code != 0;
    header->is_progressive = reader->info.progressive_mode != 0;
    return PORTOLAN_JPEG_OK;
}

static uint8_t product(unsigned a, unsigned b) {
    unsigned scaled = a * b + 128;
    return (uint8_t)((scaled + (scaled >> 8)) >> 8);
}

/* Converts a row of CMYK to RGBA in place. The bytes are inverted, as written by Adobe; browsers interpret files without
 * Adobe's marker the same way. */
static void paint_inks(uint8_t *row, size_t width) {
    for (size_t x = 0; x < width; x++, row += 4) {
        row[0] = product(row[0], row[3]);
        row[1] = product(row[1], row[3]);
        row[2] = product(row[2], row[3]);
        row[3] = 255;
    }
}

#ifndef JCS_EXTENSIONS
/* Expands a row of RGB to RGBA in place, from its end. */
static void add_alpha(uint8_t *row, size_t width) {
    for (size_t x = width; x-- > 0;) {
        row[x * 4 + 3] = 255;
        row[x * 4 + 2] = row[x * 3 + 2];
        row[x * 4 + 1] = row[x * 3 + 1];
        row[x * 4] = row[x * 3];
    }
}
#endif

int portolan_jpeg_reader_begin(
    portolan_jpeg_reader *reader, int denominator, long maximum_memory, int maximum_scans, int keeps_samples,
    uint32_t *width, uint32_t *height) {
    if (setjmp(reader->jump)) {
        return reader->status;
    }
    struct jpeg_decompress_struct *info = &reader->info;
    reader->maximum_scans = maximum_scans;
    info->mem->max_memory_to_use = maximum_memory;
    info->scale_num = 1;
    info->scale_denom = (unsigned)denominator;
    reader->is_ink = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
#ifdef JCS_EXTENSIONS
    info->out_color_space = reader->is_ink ? JCS_CMYK : JCS_EXT_RGBA;
    int channels = 4;
#else
    info->out_color_space = reader->is_ink ? JCS_CMYK : JCS_RGB;
    int channels = reader->is_ink ? 4 : 3;
#endif
    jpeg_start_decompress(info);
    if (info->output_components != channels || info->output_width == 0) {
        fail(reader, PORTOLAN_JPEG_CORRUPT, "rows do not have the expected length");
    }
    if (keeps_samples && info->jpeg_color_space == JCS_CMYK) {
        reader->is_ink = 0;
    }
    *width = info->output_width;
    *height = info->output_height;
    return PORTOLAN_JPEG_OK;
}

int portolan_jpeg_reader_rows(portolan_jpeg_reader *reader, uint8_t *pixels, size_t capacity, size_t count) {
    if (setjmp(reader->jump)) {
        return reader->status;
    }
    struct jpeg_decompress_struct *info = &reader->info;
    size_t width = info->output_width;
    size_t stride = width * 4;
    if (stride == 0 || capacity / stride < count || info->output_height - info->output_scanline < count) {
        fail(reader, PORTOLAN_JPEG_CORRUPT, "rows do not have the expected length");
    }
    for (size_t i = 0; i < count; i++) {
        JSAMPROW row = pixels + i * stride;
        if (jpeg_read_scanlines(info, &row, 1) != 1) {
            fail(reader, PORTOLAN_JPEG_TRUNCATED, "the file ends too early");
        }
        if (reader->is_ink) {
            paint_inks(row, width);
        }
#ifndef JCS_EXTENSIONS
        if (info->out_color_space == JCS_RGB) {
            add_alpha(row, width);
        }
#endif
    }
    if (info->output_scanline == info->output_height) {
        jpeg_finish_decompress(info);
    }
    return PORTOLAN_JPEG_OK;
}

size_t portolan_jpeg_reader_offset(const portolan_jpeg_reader *reader) {
    return reader->count - reader->source.bytes_in_buffer;
}

const char *portolan_jpeg_reader_message(const portolan_jpeg_reader *reader) {
    return reader->message;
}

long portolan_jpeg_version(void) {
#ifdef LIBJPEG_TURBO_VERSION_NUMBER
    return LIBJPEG_TURBO_VERSION_NUMBER;
#else
    return JPEG_LIB_VERSION;
#endif
}

#endif
