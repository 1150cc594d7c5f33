/* A C interface to GeographicLib's geodesics, so that Swift needs no C++ interoperability. Invalid ellipsoids result
 * in NaN. An ellipsoid is given by its semi-major axis in metres and its flattening. */
#ifndef PORTOLAN_CGEODESIC_SHIM_H
#define PORTOLAN_CGEODESIC_SHIM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double meters;
    /* Degrees clockwise from north, from -180 to 180. */
    double azimuth_at_start, azimuth_at_end;
} portolan_geodesic_line;

typedef struct {
    /* Continues from that of the start, so it may exceed 180 degrees. */
    double longitude;
    double latitude, azimuth_at_end;
} portolan_geodesic_end;

typedef struct {
    double perimeter;
    /* Square metres; positive for a counter-clockwise ring. */
    double area;
} portolan_geodesic_ring;

portolan_geodesic_line portolan_geodesic_inverse(
    double semi_major_axis, double flattening, double longitude1, double latitude1, double longitude2, double latitude2);

portolan_geodesic_end portolan_geodesic_direct(
    double semi_major_axis, double flattening, double longitude, double latitude, double azimuth, double meters);

/* Measures a ring of `count` points, alternating longitude and latitude; the last need not repeat the first. */
portolan_geodesic_ring portolan_geodesic_area(
    double semi_major_axis, double flattening, const double *places, size_t count);

/* The version of GeographicLib, such as "2.1.2". */
const char *portolan_geodesic_version(void);

#ifdef __cplusplus
}
#endif

#endif
