// Reads each file of a folder with GDAL, feature by feature through its C interface and, where that is fast, as a stream of Arrow
// batches, and prints one JSON line a file: median milliseconds. g++ -O2 -std=c++17 gdal.cpp -o gdal $(pkg-config --cflags --libs gdal)
//     gdal FOLDER
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <cpl_conv.h>
#include <cpl_error.h>
#include <gdal.h>
#include <ogr_api.h>
#include <ogr_recordbatch.h>

struct Tally {
    long features = 0;
    double sum = 0;
};

// Each place and each field is looked at, as a program does that takes the features over.
static void look(OGRGeometryH shape, Tally &tally) {
    if (int parts = OGR_G_GetGeometryCount(shape)) {
        for (int part = 0; part < parts; part++) look(OGR_G_GetGeometryRef(shape, part), tally);
        return;
    }
    int count = OGR_G_GetPointCount(shape);
    std::vector<double> places(2 * (size_t)count);
    if (count > 0) OGR_G_GetPoints(shape, places.data(), 16, places.data() + 1, 16, nullptr, 0);
    for (double value : places) tally.sum += value;
}

static Tally features(GDALDatasetH file) {
    Tally tally;
    for (int number = 0; number < GDALDatasetGetLayerCount(file); number++) {
        OGRLayerH layer = GDALDatasetGetLayer(file, number);
        // The driver of GPX reads the whole file for each of its five layers.
        if (GDALDatasetGetLayerCount(file) == 5 && strcmp(OGR_L_GetName(layer), "tracks") != 0) continue;
        OGRFeatureDefnH form = OGR_L_GetLayerDefn(layer);
        int fields = OGR_FD_GetFieldCount(form);
        while (OGRFeatureH feature = OGR_L_GetNextFeature(layer)) {
            tally.features++;
            if (OGRGeometryH shape = OGR_F_GetGeometryRef(feature)) look(shape, tally);
            for (int field = 0; field < fields; field++) {
                if (!OGR_F_IsFieldSetAndNotNull(feature, field)) continue;
                switch (OGR_Fld_GetType(OGR_FD_GetFieldDefn(form, field))) {
                case OFTInteger: tally.sum += OGR_F_GetFieldAsInteger(feature, field); break;
                case OFTInteger64: tally.sum += (double)OGR_F_GetFieldAsInteger64(feature, field); break;
                case OFTReal: tally.sum += OGR_F_GetFieldAsDouble(feature, field); break;
                default: tally.sum += (double)std::string(OGR_F_GetFieldAsString(feature, field)).size();
                }
            }
            OGR_F_Destroy(feature);
        }
    }
    return tally;
}

static Tally batches(GDALDatasetH file) {
    Tally tally;
    for (int number = 0; number < GDALDatasetGetLayerCount(file); number++) {
        ArrowArrayStream stream;
        if (!OGR_L_GetArrowStream(GDALDatasetGetLayer(file, number), &stream, nullptr)) continue;
        for (;;) {
            ArrowArray batch;
            memset(&batch, 0, sizeof batch);
            if (stream.get_next(&stream, &batch) != 0 || batch.release == nullptr) break;
            tally.features += batch.length;
            batch.release(&batch);
        }
        stream.release(&stream);
    }
    return tally;
}

// Shapes one after the other in well-known binary.
static Tally shapes(const char *path) {
    Tally tally;
    std::vector<unsigned char> bytes;
    FILE *file = fopen(path, "rb");
    if (!file) return tally;
    bytes.resize(std::filesystem::file_size(path));
    bytes.resize(fread(bytes.data(), 1, bytes.size(), file));
    fclose(file);
    for (size_t place = 0; place < bytes.size();) {
        OGRGeometryH shape = nullptr;
        if (OGR_G_CreateFromWkb(bytes.data() + place, nullptr, &shape, (int)std::min(bytes.size() - place, (size_t)1 << 30)) != OGRERR_NONE) break;
        tally.features++;
        look(shape, tally);
        place += (size_t)OGR_G_WkbSize(shape);
        OGR_G_DestroyGeometry(shape);
    }
    return tally;
}

static double seconds(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    std::vector<std::filesystem::path> files;
    for (auto &entry : std::filesystem::directory_iterator(arguments[1])) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (auto &path : files) {
        std::string kind = path.extension().string();
        if (kind.empty()) continue;
        kind.erase(0, 1);
        static const char *known[] = {"csv", "fgb", "geojson", "geojsonl", "gml", "gpkg", "gpx", "kml", "shp", "wkb"};
        if (std::none_of(std::begin(known), std::end(known), [&](const char *name) { return kind == name; })) continue;
        Tally tally;
        auto time = [&](const std::function<Tally(GDALDatasetH)> &read) {
            bool isShapes = kind == "wkb";
            std::vector<std::pair<double, double>> times;
            for (int round = 0; round < 5; round++) {
                double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
                if (isShapes) {
                    tally = shapes(path.c_str());
                } else {
                    GDALDatasetH file = GDALOpenEx(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY, nullptr, nullptr, nullptr);
                    if (!file) return std::pair<double, double>{0, 0};
                    tally = read(file);
                    GDALClose(file);
                }
                times.push_back({(seconds(CLOCK_PROCESS_CPUTIME_ID) - processor) * 1e3, (seconds(CLOCK_MONOTONIC) - wall) * 1e3});
                if (times.back().second > 5000) break;
            }
            std::sort(times.begin(), times.end());
            return times[times.size() / 2];
        };
        auto one = time(features);
        printf("{\"scene\":\"%s\",\"features\":%ld,\"gdal_ms\":%.1f,\"gdal_cpu_ms\":%.1f", kind.c_str(), tally.features, one.second, one.first);
        if (kind == "fgb" || kind == "gpkg" || kind == "shp") {
            auto stream = time(batches);
            printf(",\"arrow_ms\":%.1f,\"arrow_cpu_ms\":%.1f", stream.second, stream.first);
        }
        printf("}\n");
        fflush(stdout);
    }
}
