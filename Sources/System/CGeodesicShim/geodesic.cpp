#include "CGeodesicShim.h"

/* The package's trait Drivers. */
#ifdef PORTOLAN_DRIVERS

#include <GeographicLib/Geodesic.hpp>
#include <GeographicLib/PolygonArea.hpp>

#include <cmath>
#include <limits>

namespace {

using GeographicLib::Geodesic;

const double nothing = std::numeric_limits<double>::quiet_NaN();

/* Geodesic throws for other ellipsoids, and for nothing else. The commands of Scripts/package cannot catch: they have no unwind tables. */
bool is_ellipsoid(double semi_major_axis, double flattening) {
    const double semi_minor_axis = semi_major_axis * (1 - flattening);
    return std::isfinite(semi_major_axis) && semi_major_axis > 0 && std::isfinite(semi_minor_axis) && semi_minor_axis > 0;
}

/* The series of an ellipsoid take longer than a line on it: those of the last one are kept. */
const Geodesic &on(double semi_major_axis, double flattening) {
    static thread_local Geodesic last = Geodesic::WGS84();
    if (last.EquatorialRadius() != semi_major_axis || last.Flattening() != flattening) {
        last = Geodesic(semi_major_axis, flattening);
    }
    return last;
}

}  // namespace

extern "C" portolan_geodesic_line portolan_geodesic_inverse(
    double semi_major_axis, double flattening, double longitude1, double latitude1, double longitude2, double latitude2) {
    portolan_geodesic_line line = {nothing, nothing, nothing};
    if (!is_ellipsoid(semi_major_axis, flattening)) return line;
    try {
        on(semi_major_axis, flattening)
            .Inverse(latitude1, longitude1, latitude2, longitude2, line.meters, line.azimuth_at_start, line.azimuth_at_end);
    } catch (...) {
    }
    return line;
}

extern "C" portolan_geodesic_end portolan_geodesic_direct(
    double semi_major_axis, double flattening, double longitude, double latitude, double azimuth, double meters) {
    portolan_geodesic_end end = {nothing, nothing, nothing};
    if (!is_ellipsoid(semi_major_axis, flattening)) return end;
    try {
        double unused;
        on(semi_major_axis, flattening)
            .GenDirect(
                latitude, longitude, azimuth, false, meters,
                Geodesic::LATITUDE | Geodesic::LONGITUDE | Geodesic::AZIMUTH | Geodesic::LONG_UNROLL, end.latitude,
                end.longitude, end.azimuth_at_end, unused, unused, unused, unused, unused);
    } catch (...) {
    }
    return end;
}

extern "C" portolan_geodesic_ring portolan_geodesic_area(
    double semi_major_axis, double flattening, const double *places, size_t count) {
    portolan_geodesic_ring ring = {nothing, nothing};
    if (!is_ellipsoid(semi_major_axis, flattening)) return ring;
    try {
        GeographicLib::PolygonArea polygon(on(semi_major_axis, flattening));
        for (size_t place = 0; place < count; place += 1) polygon.AddPoint(places[2 * place + 1], places[2 * place]);
        polygon.Compute(false, true, ring.perimeter, ring.area);
    } catch (...) {
    }
    return ring;
}

extern "C" const char *portolan_geodesic_version(void) { return GEOGRAPHICLIB_VERSION_STRING; }

#endif
