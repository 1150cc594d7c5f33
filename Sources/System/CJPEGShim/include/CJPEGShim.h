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

/* Borrows `bytes` until the reader is destroyed. Returns NULL if there is not enough memory. */
portolan_jpeg_reader *portolan_jpeg_reader_create(const uint8_t *bytes, size_t count);
void portolan_jpeg_reader_destroy(portolan_jpeg_reader *reader);

/* Reads the markers up to the first scan. */
int portolan_jpeg_reader_header(portolan_jpeg_reader *reader, portolan_jpeg_header *header);

/* Starts the picture after the header, reduced by a denominator of 1, 2, 4 or 8, and returns its reduced size. libjpeg may
 * allocate up to `maximum_memory` bytes for whole-image buffers. `keeps_samples` leaves four components as they are in the
 * file, not as inks. Every warning of libjpeg is an error. */
int portolan_jpeg_reader_begin(
    portolan_jpeg_reader *reader, int denominator, long maximum_memory, int maximum_scans, int keeps_samples,
    uint32_t *width, uint32_t *height);

/* Reads the next `count` rows as opaque RGBA with one byte per channel and without padding, and the rest of the file with
 * the last row. `capacity` is the buffer size of `pixels` in bytes. */
int portolan_jpeg_reader_rows(portolan_jpeg_reader *reader, uint8_t *pixels, size_t capacity, size_t count);

/* The number of input bytes read so far. */
size_t portolan_jpeg_reader_offset(const portolan_jpeg_reader *reader);
const char *portolan_jpeg_reader_message(const portolan_jpeg_reader *reader);

typedef struct portolan_jpeg_writer portolan_jpeg_writer;

portolan_jpeg_writer *portolan_jpeg_writer_create(void);
void portolan_jpeg_writer_destroy(portolan_jpeg_writer *writer);

/* `quality` is 1 to 100; `has_full_chroma` selects 4:4:4 instead of 4:2:0. */
int portolan_jpeg_writer_begin(
    portolan_jpeg_writer *writer, uint32_t width, uint32_t height, int quality, int has_full_chroma);
/* Writes one row of `width` RGB triples. */
int portolan_jpeg_writer_row(portolan_jpeg_writer *writer, const uint8_t *row);
int portolan_jpeg_writer_end(portolan_jpeg_writer *writer);

/* The available bytes of the file since the last clearing, owned by the writer. */
const uint8_t *portolan_jpeg_writer_bytes(const portolan_jpeg_writer *writer);
size_t portolan_jpeg_writer_count(const portolan_jpeg_writer *writer);
/* Clears the available bytes. */
void portolan_jpeg_writer_forget(portolan_jpeg_writer *writer);
const char *portolan_jpeg_writer_message(const portolan_jpeg_writer *writer);

/* The version of libjpeg-turbo as a number, such as 2001005 for 2.1.5; for another libjpeg its interface version, such as 80. */
long portolan_jpeg_version(void);

#endif
