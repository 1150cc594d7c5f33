// Decodes vector tiles with vtzero: every layer, geometry and attribute. A line for each file as JSON.
// Usage: vtzero values|indexes ROUNDS FILE...
// With values each attribute's value is read, as vtzero's documentation does; with indexes the tables of a layer are read once.
#include <vtzero/geometry.hpp>
#include <vtzero/property_mapper.hpp>
#include <vtzero/vector_tile.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

struct columns {
    std::vector<int32_t> coordinates;
    std::vector<uint32_t> parts, features;
    std::vector<uint64_t> ids;
    std::vector<uint8_t> types;
    std::vector<uint32_t> tags;
    std::vector<uint32_t> tag_ends;
    std::vector<vtzero::data_view> keys;
    std::vector<vtzero::property_value> values;
    std::vector<vtzero::data_view> texts;
    std::vector<double> numbers;

    void points_begin(uint32_t) {}
    void points_point(vtzero::point p) { add(p); }
    void points_end() { end(); }
    void linestring_begin(uint32_t) {}
    void linestring_point(vtzero::point p) { add(p); }
    void linestring_end() { end(); }
    void ring_begin(uint32_t) {}
    void ring_point(vtzero::point p) { add(p); }
    void ring_end(vtzero::ring_type) { end(); }

    void add(vtzero::point p) {
        coordinates.push_back(p.x);
        coordinates.push_back(p.y);
    }
    void end() { parts.push_back(static_cast<uint32_t>(coordinates.size() / 2)); }
};

struct reader {
    columns& out;
    void operator()(vtzero::data_view text) const { out.texts.push_back(text); }
    void operator()(bool value) const { out.numbers.push_back(value ? 1 : 0); }
    template <typename T> void operator()(T value) const { out.numbers.push_back(static_cast<double>(value)); }
};

static size_t decode(const std::string& bytes, bool by_value) {
    size_t sum = 0;
    vtzero::vector_tile tile{bytes};
    while (auto layer = tile.next_layer()) {
        columns out;
        if (!by_value) {
            for (const auto key : layer.key_table()) out.keys.push_back(key);
            for (const auto value : layer.value_table()) vtzero::apply_visitor(reader{out}, value);
        }
        while (auto feature = layer.next_feature()) {
            out.ids.push_back(feature.id());
            out.types.push_back(static_cast<uint8_t>(feature.geometry_type()));
            if (by_value) {
                while (auto property = feature.next_property()) {
                    out.keys.push_back(property.key());
                    vtzero::apply_visitor(reader{out}, property.value());
                }
            } else {
                while (auto pair = feature.next_property_indexes()) {
                    out.tags.push_back(pair.key().value());
                    out.tags.push_back(pair.value().value());
                }
            }
            out.tag_ends.push_back(static_cast<uint32_t>(out.tags.size()));
            if (feature.geometry_type() != vtzero::GeomType::UNKNOWN) {
                // A geometry that vtzero rejects is left out.
                try { vtzero::decode_geometry(feature.geometry(), out); } catch (const vtzero::geometry_exception&) {}
            }
            out.features.push_back(static_cast<uint32_t>(out.parts.size()));
        }
        sum += out.coordinates.size() + out.tags.size() + out.numbers.size() + out.texts.size();
    }
    return sum;
}

int main(int argc, char** argv) {
    const bool by_value = argc > 1 && !std::strcmp(argv[1], "values");
    const int rounds = argc > 2 ? std::atoi(argv[2]) : 1;
    for (int index = 3; index < argc; ++index) {
        std::ifstream file(argv[index], std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        std::vector<double> times;
        size_t sum = 0;
        for (int round = 0; round < rounds; ++round) {
            timespec begin, end;
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
            sum += decode(bytes, by_value);
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
            times.push_back((end.tv_sec - begin.tv_sec) * 1e3 + (end.tv_nsec - begin.tv_nsec) / 1e6);
        }
        std::sort(times.begin(), times.end());
        std::printf("{\"file\": \"%s\", \"cpu_ms\": %.5f, \"sum\": %zu}\n", argv[index], times[times.size() / 2], sum);
        std::fflush(stdout);
    }
}
