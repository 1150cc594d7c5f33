/* JPEG through libjpeg, with every longjmp caught inside the functions declared here.
 *
 * A reader or writer serves one picture and one thread. After a status other than PORTOLAN_JPEG_OK only the
 * message, offset and destroy functions may be called on it. */
#ifndef PORTOLAN_CJPEG_SHIM_H
#define PORTOLAN_CJPEG_SHIM_H

#include <stddef.h>
#include <stdint.h>

enum {
    PORTOLAN_JPEG_OK = 0,
    PORTOLAN_JPEG_CORRUPT = 1,
    PORTOLAN_JPEG_TRUNCATED = 2,
    PORTOLAN_JPEG_OUT_OF_MEMORY = 3,
    PORTOLAN_JPEG_UNSUPPORTED = 4,
    PORTOLAN_JPEG_LIMIT_EXCEEDED = 5
};

typedef struct {
    uint32_t width;
    uint32_t height;
    uint8_t components;
    uint8_t is_arithmetic;
    uint8_t is_progressive;
} portolan_jpeg_header;

typedef struct portolan_jpeg_reader portolan_jpeg_reader;

/* Borrows `bytes` until the reader is destroyed. NULL when there is no memory. */
portolan_jpeg_reader *portolan_jpeg_reader_create(const uint8_t *bytes, size_t count);
void portolan_jpeg_reader_destroy(portolan_jpeg_reader *reader);

/* Reads the markers up to the first scan. */
int portolan_jpeg_reader_header(portolan_jpeg_reader *reader, portolan_jpeg_header *header);

/* Begins the picture after the header, shrunk by a denominator of 1, 2, 4 or 8, and says what size it then has. libjpeg
 * itself may take `maximum_memory` bytes for whole-image buffers. Every warning of libjpeg is an error. */
int portolan_jpeg_reader_begin(
    portolan_jpeg_reader *reader, int denominator, long maximum_memory, int maximum_scans, uint32_t *width,
    uint32_t *height);

/* Reads the next `count` rows to opaque RGBA of one byte a channel, rows without padding, and the rest of the file with the
 * last one. `capacity` is the room at `pixels` in bytes. */
int portolan_jpeg_reader_rows(portolan_jpeg_reader *reader, uint8_t *pixels, size_t capacity, size_t count);

/* How many bytes of the input have been read. */
size_t portolan_jpeg_reader_offset(const portolan_jpeg_reader *reader);
const char *portolan_jpeg_reader_message(const portolan_jpeg_reader *reader);

typedef struct portolan_jpeg_writer portolan_jpeg_writer;

portolan_jpeg_writer *portolan_jpeg_writer_create(void);
void portolan_jpeg_writer_destroy(portolan_jpeg_writer *writer);

/* `quality` is 1 to 100; `has_full_chroma` chooses 4:4:4 over 4:2:0. */
int portolan_jpeg_writer_begin(
    portolan_jpeg_writer *writer, uint32_t width, uint32_t height, int quality, int has_full_chroma);
/* Writes one row of `width` RGB triples. */
int portolan_jpeg_writer_row(portolan_jpeg_writer *writer, const uint8_t *row);
int portolan_jpeg_writer_end(portolan_jpeg_writer *writer);

/* The bytes of the file that are ready and not forgotten yet, owned by the writer. */
const uint8_t *portolan_jpeg_writer_bytes(const portolan_jpeg_writer *writer);
size_t portolan_jpeg_writer_count(const portolan_jpeg_writer *writer);
/* Forgets the bytes that are ready. */
void portolan_jpeg_writer_forget(portolan_jpeg_writer *writer);
const char *portolan_jpeg_writer_message(const portolan_jpeg_writer *writer);

/* The version of libjpeg-turbo times a million, thousands in between, such as 2001005; or that of another libjpeg's interface, such as 80. */
long portolan_jpeg_version(void);

#endif
