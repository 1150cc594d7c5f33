#include "CPNGShim.h"

#if __has_include(<png.h>)

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct portolan_png_writer {
    png_structp png;
    png_infop info;
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    int status;
    jmp_buf jump;
    char message[256];
};

static void on_error(png_structp png, png_const_charp message) {
    portolan_png_writer *writer = png_get_error_ptr(png);
    if (writer->status == PORTOLAN_PNG_OK) {
        writer->status = PORTOLAN_PNG_CORRUPT;
    }
    snprintf(writer->message, sizeof writer->message, "%s", message);
    longjmp(writer->jump, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static png_voidp on_allocate(png_structp png, png_alloc_size_t size) {
    void *memory = malloc(size);
    if (memory == NULL) {
        portolan_png_writer *writer = png_get_mem_ptr(png);
        writer->status = PORTOLAN_PNG_OUT_OF_MEMORY;
    }
    return memory;
}

static void on_free(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

static void on_write(png_structp png, png_bytep source, size_t size) {
    portolan_png_writer *writer = png_get_io_ptr(png);
    if (size > writer->capacity - writer->count) {
        size_t capacity = writer->capacity == 0 ? 1 << 16 : writer->capacity;
        while (capacity - writer->count < size) {
            capacity *= 2;
        }
        uint8_t *bytes = realloc(writer->bytes, capacity);
        if (bytes == NULL) {
            writer->status = PORTOLAN_PNG_OUT_OF_MEMORY;
            png_error(png, "no memory for the file");
        }
        writer->bytes = bytes;
        writer->capacity = capacity;
    }
    memcpy(writer->bytes + writer->count, source, size);
    writer->count += size;
}

static void on_flush(png_structp png) {
    (void)png;
}

static int make_structures(portolan_png_writer *writer) {
    if (setjmp(writer->jump)) {
        return 0;
    }
    writer->png = png_create_write_struct_2(
        PNG_LIBPNG_VER_STRING, writer, on_error, on_warning, writer, on_allocate, on_free);
    writer->info = writer->png == NULL ? NULL : png_create_info_struct(writer->png);
    return writer->info != NULL;
}

portolan_png_writer *portolan_png_writer_create(void) {
    portolan_png_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return NULL;
    }
    if (!make_structures(writer)) {
        portolan_png_writer_destroy(writer);
        return NULL;
    }
    return writer;
}

void portolan_png_writer_destroy(portolan_png_writer *writer) {
    png_destroy_write_struct(&writer->png, &writer->info);
    free(writer->bytes);
    free(writer);
}

int portolan_png_writer_begin(
    portolan_png_writer *writer, uint32_t width, uint32_t height, int has_alpha, int level, int is_filtered) {
    if (setjmp(writer->jump)) {
        return writer->status;
    }
    png_set_write_fn(writer->png, writer, on_write, on_flush);
    png_set_user_limits(writer->png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(writer->png, writer->info, width, height, 8, has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(writer->png, level);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, is_filtered ? PNG_FILTER_SUB | PNG_FILTER_UP : PNG_FILTER_NONE);
    png_set_compression_buffer_size(writer->png, 1 << 16);
    png_write_info(writer->png, writer->info);
    return PORTOLAN_PNG_OK;
}

int portolan_png_writer_row(portolan_png_writer *writer, const uint8_t *row) {
    if (setjmp(writer->jump)) {
        return writer->status;
    }
    png_write_row(writer->png, row);
    return PORTOLAN_PNG_OK;
}

int portolan_png_writer_end(portolan_png_writer *writer) {
    if (setjmp(writer->jump)) {
        return writer->status;
    }
    png_write_end(writer->png, NULL);
    return PORTOLAN_PNG_OK;
}

const uint8_t *portolan_png_writer_bytes(const portolan_png_writer *writer) {
    return writer->bytes;
}

size_t portolan_png_writer_count(const portolan_png_writer *writer) {
    return writer->count;
}

void portolan_png_writer_forget(portolan_png_writer *writer) {
    writer->count = 0;
}

const char *portolan_png_writer_message(const portolan_png_writer *writer) {
    return writer->message;
}

#endif
