import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanFormats

/// A feature file: its format, its number of features, and its warnings.
enum FeatureSample {
    private static let suffixes: Set = [
        "atom", "csv", "fgb", "geojson", "geojsonl", "georss", "gml", "gpkg", "gpx", "kml", "kmz", "ndjson", "rss",
        "shp",
        "wkb", "wkt",
    ]
    /// The folders in which a plain XML file is a feature file, or an expected failure.
    private static let xmlFolders: Set = ["gml", "georss", "gpx", "kml", "wfs"]

    @Sendable static func line(_ sample: Sample) -> Line? {
        let suffix = sample.fileName.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let folder = sample.name.split(separator: "/").first.map(String.init) ?? ""
        let isXML = suffix == "xml" && xmlFolders.contains(folder)
        guard suffixes.contains(suffix) || isXML else { return nil }
        let bytes = withoutHeaders(sample.bytes)
        let known = FeatureFormats.standard.format(recognizing: bytes)
        var line: Properties = ["file": .string(sample.name), "format": known.map { .string($0.name) } ?? .null]
        do {
            let collection: FeatureCollection
            switch suffix {
            case "shp": collection = try read(try Shapefile(path: sample.path), &line)
            case "gpkg": collection = try read(try GeoPackageFeatures(path: sample.path), &line)
            default:
                guard let known else {
                    line["error"] = "no format of features"
                    return Line(members: line)
                }
                collection = try known.read(bytes, limits: FeatureLimits())
            }
            line["features"] = .integer(collection.features.count)
            line["warnings"] = .array(collection.warnings.map { .string("\($0)") })
            line["error"] = .null
        } catch {
            line["features"] = 0
            line["warnings"] = []
            line["error"] = .string("\(error)")
        }
        return Line(members: line)
    }

    /// Reads the features of all layers of a dataset.
    private static func read(_ dataset: any FeatureDataset, _ line: inout Properties) throws -> FeatureCollection {
        line["format"] = .string(dataset.name)
        var all = FeatureCollection(features: [])
        for layer in dataset.layers {
            let collection = try dataset.read(FeatureQuery(layer: layer.name), limits: FeatureLimits())
            all.features += collection.features
            all.warnings += collection.warnings
        }
        return all
    }

    /// Returns a body without the HTTP header that some recordings contain.
    private static func withoutHeaders(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.starts(with: "Content-Type:".utf8) else { return bytes }
        for end in ["\r\n\r\n", "\n\n"] {
            if let range = bytes.firstRange(of: Array(end.utf8)) { return Array(bytes[range.upperBound...]) }
        }
        return bytes
    }
}
