// Reads a GeoJSON file with simdjson's on-demand interface into features with coordinates and properties, and prints one JSON line:
// median milliseconds, of one thread. g++ -O2 -march=native -std=c++17 simdjson.cpp -o simdjson -lsimdjson
//     simdjson FILE
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <simdjson.h>

using namespace simdjson;
using Value = std::variant<std::monostate, bool, int64_t, double, std::string>;

struct Feature {
    std::string_view kind;
    std::vector<double> places;
    std::vector<size_t> ends;
    std::vector<std::pair<std::string, Value>> properties;
};

// Numbers at any depth: a place is an array of them.
static void places(ondemand::array list, Feature &feature) {
    bool isPlace = false;
    for (ondemand::value item : list) {
        if (item.type() == ondemand::json_type::array) {
            places(item.get_array(), feature);
        } else {
            feature.places.push_back(item.get_double());
            isPlace = true;
        }
    }
    if (!isPlace) feature.ends.push_back(feature.places.size());
}

static std::vector<Feature> read(ondemand::parser &parser, const padded_string &text) {
    std::vector<Feature> features;
    ondemand::document document = parser.iterate(text);
    for (ondemand::object item : document["features"]) {
        Feature feature;
        for (auto member : item) {
            std::string_view key = member.unescaped_key();
            if (key == "geometry") {
                ondemand::value shape = member.value();
                if (shape.is_null()) continue;
                for (auto part : shape.get_object()) {
                    if (std::string_view(part.unescaped_key()) == "coordinates") places(part.value().get_array(), feature);
                }
            } else if (key == "properties") {
                for (auto property : member.value().get_object()) {
                    std::string name(std::string_view(property.unescaped_key()));
                    ondemand::value value = property.value();
                    switch (value.type()) {
                    case ondemand::json_type::string:
                        feature.properties.emplace_back(std::move(name), std::string(std::string_view(value.get_string())));
                        break;
                    case ondemand::json_type::number: {
                        ondemand::number number = value.get_number();
                        if (number.is_int64()) feature.properties.emplace_back(std::move(name), number.get_int64());
                        else feature.properties.emplace_back(std::move(name), number.as_double());
                        break;
                    }
                    case ondemand::json_type::boolean: feature.properties.emplace_back(std::move(name), bool(value.get_bool())); break;
                    default: feature.properties.emplace_back(std::move(name), Value());
                    }
                }
            }
        }
        features.push_back(std::move(feature));
    }
    return features;
}

static double seconds(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    padded_string text = padded_string::load(arguments[1]);
    ondemand::parser parser;
    std::vector<double> walls, processors;
    size_t features = 0;
    for (int round = 0; round < 7; round++) {
        double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
        features = read(parser, text).size();
        walls.push_back((seconds(CLOCK_MONOTONIC) - wall) * 1e3);
        processors.push_back((seconds(CLOCK_PROCESS_CPUTIME_ID) - processor) * 1e3);
    }
    std::sort(walls.begin(), walls.end());
    std::sort(processors.begin(), processors.end());
    printf("{\"scene\":\"geojson\",\"features\":%zu,\"simdjson_ms\":%.1f,\"simdjson_cpu_ms\":%.1f}\n", features, walls[3], processors[3]);
}
