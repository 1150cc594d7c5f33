// Draws the areas of a file as a picture: GDAL reads and projects them, Cairo fills and strokes them and writes the PNG.
// usage: first_picture FILE WIDTH HEIGHT PICTURE.png
#include <cairo.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

struct Ring { std::vector<double> x, y; };

int main(int count, char **words) {
    if (count != 5) return 64;
    const int width = atoi(words[2]), height = atoi(words[3]);
    OGRRegisterAll();
    GDALDatasetH file = GDALOpenEx(words[1], GDAL_OF_VECTOR, nullptr, nullptr, nullptr);
    if (!file) return 66;
    OGRLayerH layer = GDALDatasetGetLayer(file, 0);
    OGRSpatialReferenceH geographic = OSRNewSpatialReference(nullptr), mercator = OSRNewSpatialReference(nullptr);
    OSRImportFromEPSG(geographic, 4326);
    OSRImportFromEPSG(mercator, 3857);
    OSRSetAxisMappingStrategy(geographic, OAMS_TRADITIONAL_GIS_ORDER);
    OGRCoordinateTransformationH change = OCTNewCoordinateTransformation(geographic, mercator);
    std::vector<std::vector<Ring>> areas;
    double left = 1e300, bottom = 1e300, right = -1e300, top = -1e300;
    while (OGRFeatureH feature = OGR_L_GetNextFeature(layer)) {
        OGRGeometryH shape = OGR_F_GetGeometryRef(feature);
        std::vector<Ring> rings;
        for (int part = 0; part < OGR_G_GetGeometryCount(shape); part++) {
            OGRGeometryH from = OGR_G_GetGeometryRef(shape, part);
            const int points = OGR_G_GetPointCount(from);
            Ring ring{std::vector<double>(points), std::vector<double>(points)};
            OGR_G_GetPoints(from, ring.x.data(), sizeof(double), ring.y.data(), sizeof(double), nullptr, 0);
            OCTTransform(change, points, ring.x.data(), ring.y.data(), nullptr);
            for (int index = 0; index < points; index++) {
                left = std::min(left, ring.x[index]), right = std::max(right, ring.x[index]);
                bottom = std::min(bottom, ring.y[index]), top = std::max(top, ring.y[index]);
            }
            rings.push_back(std::move(ring));
        }
        areas.push_back(std::move(rings));
        OGR_F_Destroy(feature);
    }
    const double scale = std::min(width / (right - left), height / (top - bottom)) * 0.95;
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    cairo_t *picture = cairo_create(surface);
    cairo_set_source_rgb(picture, 1, 1, 1);
    cairo_paint(picture);
    cairo_set_line_width(picture, 1);
    for (const auto &rings : areas) {
        for (const auto &ring : rings) {
            for (size_t index = 0; index < ring.x.size(); index++)
                cairo_line_to(picture, width / 2.0 + (ring.x[index] - (left + right) / 2) * scale,
                              height / 2.0 - (ring.y[index] - (bottom + top) / 2) * scale);
            cairo_close_path(picture);
        }
        cairo_set_source_rgba(picture, 0.2, 0.4, 0.8, 0.4);
        cairo_fill_preserve(picture);
        cairo_set_source_rgb(picture, 0.1, 0.2, 0.4);
        cairo_stroke(picture);
    }
    return cairo_surface_write_to_png(surface, words[4]) == CAIRO_STATUS_SUCCESS ? 0 : 73;
}
