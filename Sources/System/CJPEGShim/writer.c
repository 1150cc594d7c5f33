#include "CJPEGShim.h"

#if __has_include(<jpeglib.h>)

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

struct portolan_jpeg_writer {
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    uint8_t *bytes;
    size_t capacity;
    int status;
    jmp_buf jump;
    char message[JMSG_LENGTH_MAX];
};

static void on_error(j_common_ptr common) {
    portolan_jpeg_writer *writer = common->client_data;
    common->err->format_message(common, writer->message);
    switch (common->err->msg_code) {
    case JERR_OUT_OF_MEMORY:
        writer->status = PORTOLAN_JPEG_OUT_OF_MEMORY;
        break;
    case JERR_IMAGE_TOO_BIG:
        writer->status = PORTOLAN_JPEG_LIMIT_EXCEEDED;
        break;
    default:
        writer->status = PORTOLAN_JPEG_CORRUPT;
    }
    longjmp(writer->jump, 1);
}

static void on_message(j_common_ptr common, int level) {
    (void)common;
    (void)level;
}

/* Doubles the full buffer, and gives libjpeg its free half. */
static boolean on_full(j_compress_ptr info) {
    portolan_jpeg_writer *writer = info->client_data;
    size_t capacity = writer->capacity == 0 ? 1 << 16 : writer->capacity * 2;
    uint8_t *bytes = realloc(writer->bytes, capacity);
    if (bytes == NULL) {
        ERREXIT1(info, JERR_OUT_OF_MEMORY, 10);
    }
    writer->bytes = bytes;
    writer->destination.next_output_byte = bytes + writer->capacity;
    writer->destination.free_in_buffer = capacity - writer->capacity;
    writer->capacity = capacity;
    return TRUE;
}

static void on_start(j_compress_ptr info) {
    on_full(info);
}

static void on_end(j_compress_ptr info) {
    (void)info;
}

static int make_structures(portolan_jpeg_writer *writer) {
    writer->info.client_data = writer;
    writer->info.err = jpeg_std_error(&writer->errors);
    writer->errors.error_exit = on_error;
    writer->errors.emit_message = on_message;
    if (setjmp(writer->jump)) {
        return 0;
    }
    jpeg_create_compress(&writer->info);
    return 1;
}

portolan_jpeg_writer *portolan_jpeg_writer_create(void) {
    portolan_jpeg_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return NULL;
    }
    if (!make_structures(writer)) {
        portolan_jpeg_writer_destroy(writer);
        return NULL;
    }
    writer->destination.init_destination = on_start;
    writer->destination.empty_output_buffer = on_full;
    writer->destination.term_destination = on_end;
    writer->info.dest = &writer->destination;
    return writer;
}

void portolan_jpeg_writer_destroy(portolan_jpeg_writer *writer) {
    jpeg_destroy_compress(&writer->info);
    free(writer->bytes);
    free(writer);
}

int portolan_jpeg_writer_begin(
    portolan_jpeg_writer *writer, uint32_t width, uint32_t height, int quality, int has_full_chroma) {
    if (setjmp(writer->jump)) {
        return writer->status;
    }
    struct jpeg_compress_struct *info = &writer->info;
    info->image_width = width;
    info->image_height = height;
    info->input_components = 3;
    info->in_color_space = JCS_RGB;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, quality, TRUE);
    info->comp_info[0].h_samp_factor = has_full_chroma ? 1 : 2;
    info->comp_info[0].v_samp_factor = has_full_chroma ? 1 : 2;
    jpeg_start_compress(info, TRUE);
    return PORTOLAN_JPEG_OK;
}

int portolan_jpeg_writer_row(portolan_jpeg_writer *writer, const uint8_t *row) {
    if (setjmp(writer->jump)) {
        return writer->status;
    }
    /* libjpeg's row type lacks const; the compressor only reads. */
    JSAMPROW rows[1] = {(JSAMPROW)(uintptr_t)row};
    jpeg_write_scanlines(&writer->info, rows, 1);
    return PORTOLAN_JPEG_OK;
}

int portolan_jpeg_writer_end(portolan_jpeg_writer *writer) {
    if (setjmp(writer->jump)) {
        return writer->status;
    }
    jpeg_finish_compress(&writer->info);
    return PORTOLAN_JPEG_OK;
}

const uint8_t *portolan_jpeg_writer_bytes(const portolan_jpeg_writer *writer) {
    return writer->bytes;
}

size_t portolan_jpeg_writer_count(const portolan_jpeg_writer *writer) {
    return writer->capacity - writer->destination.free_in_buffer;
}

void portolan_jpeg_writer_forget(portolan_jpeg_writer *writer) {
    writer->destination.next_output_byte = writer->bytes;
    writer->destination.free_in_buffer = writer->capacity;
}

const char *portolan_jpeg_writer_message(const portolan_jpeg_writer *writer) {
    return writer->message;
}

#endif
