/* PNG through libpng, with every longjmp caught inside the functions declared here.
 *
 * A reader serves one picture and one thread. After a status other than PORTOLAN_PNG_OK only the
 * message, offset and destroy functions may be called on it. */
#ifndef PORTOLAN_CPNG_SHIM_H
#define PORTOLAN_CPNG_SHIM_H

#include <stddef.h>
#include <stdint.h>

enum {
    PORTOLAN_PNG_OK = 0,
    PORTOLAN_PNG_CORRUPT = 1,
    PORTOLAN_PNG_TRUNCATED = 2,
    PORTOLAN_PNG_OUT_OF_MEMORY = 3
};

typedef struct {
    uint32_t width;
    uint32_t height;
    uint8_t bit_depth;
    /* The number of samples per stored pixel; 1 for a palette. */
    uint8_t channels;
    uint8_t is_interlaced;
    uint8_t is_srgb;
    uint8_t has_gamma;
    uint8_t has_chromaticities;
    /* The exponent of gAMA. */
    double gamma;
    /* x and y of white, red, green and blue in cHRM. */
    double white_x, white_y, red_x, red_y, green_x, green_y, blue_x, blue_y;
} portolan_png_header;

typedef struct portolan_png_reader portolan_png_reader;

/* Borrows `bytes` until the reader is destroyed. Returns NULL if there is not enough memory. */
portolan_png_reader *portolan_png_reader_create(const uint8_t *bytes, size_t count);
void portolan_png_reader_destroy(portolan_png_reader *reader);

/* Reads all chunks before the image data. */
int portolan_png_reader_header(portolan_png_reader *reader, portolan_png_header *header);

/* Reads the picture and the rest of the file, after the header. Pixels are straight RGBA, rows without padding:
 * one byte per channel, or with `is_wide`, allowed for a bit depth of 16 only, two bytes in native byte order.
 * `capacity` is the buffer size of `pixels` in bytes. */
int portolan_png_reader_pixels(portolan_png_reader *reader, void *pixels, size_t capacity, int is_wide);

/* Reads the next `count` rows of a picture that is not interlaced, and the rest of the file with the last row. It replaces
 * portolan_png_reader_pixels, and its other parameters have the same meaning. */
int portolan_png_reader_rows(portolan_png_reader *reader, void *pixels, size_t capacity, size_t count, int is_wide);

/* The number of input bytes read so far. */
size_t portolan_png_reader_offset(const portolan_png_reader *reader);
const char *portolan_png_reader_message(const portolan_png_reader *reader);

/* Creates a writer for rows, with the same rules as for a reader. Returns NULL if there is not enough memory. */
typedef struct portolan_png_writer portolan_png_writer;

portolan_png_writer *portolan_png_writer_create(void);
void portolan_png_writer_destroy(portolan_png_writer *writer);

/* Writes the header of a picture in straight RGB or RGBA with 8 bits per sample. `level` is that of zlib. `is_filtered`
 * selects the filter Sub or Up for each row, otherwise rows are not filtered. */
int portolan_png_writer_begin(
    portolan_png_writer *writer, uint32_t width, uint32_t height, int has_alpha, int level, int is_filtered);
/* Writes one row of `width` pixels. */
int portolan_png_writer_row(portolan_png_writer *writer, const uint8_t *row);
int portolan_png_writer_end(portolan_png_writer *writer);

/* The available bytes of the file since the last clearing, owned by the writer. */
const uint8_t *portolan_png_writer_bytes(const portolan_png_writer *writer);
size_t portolan_png_writer_count(const portolan_png_writer *writer);
/* Clears the available bytes. */
void portolan_png_writer_forget(portolan_png_writer *writer);
const char *portolan_png_writer_message(const portolan_png_writer *writer);

/* The version of libpng, such as "1.6.39". */
const char *portolan_png_version(void);

#endif
