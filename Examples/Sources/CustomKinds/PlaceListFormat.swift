import Portolan
import PortolanFeatures
import PortolanFormats

/// A custom feature format: lines of comma-separated values, two of which are longitude and latitude.
public struct PlaceListFormat: FeatureFormat {
    /// The reason why a document cannot be read.
    public enum Failure: Error, Equatable {
        /// The first line has no columns `lon` and `lat`.
        case noCoordinates(line: Int)
        /// There are more features than allowed.
        case tooManyFeatures(line: Int, limit: Int)
    }

    /// Creates the format.
    public init() {}

    /// `place list`.
    public var name: String { "place list" }

    /// Returns whether the first line contains the column names `lon` and `lat`.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        let line = String(decoding: start.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        let names = Self.values(line)
        return names.contains("lon") && names.contains("lat")
    }

    /// Reads a document; lines without a coordinate are skipped.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        let lines = String(decoding: document, as: UTF8.self).split(whereSeparator: \.isNewline)
        let names = Self.values(lines.first.map(String.init) ?? "")
        guard let x = names.firstIndex(of: "lon"), let y = names.firstIndex(of: "lat") else {
            throw Failure.noCoordinates(line: 1)
        }
        var features: [Feature] = []
        for (number, line) in lines.dropFirst().enumerated() {
            guard features.count < limits.maximumFeatureCount else {
                throw Failure.tooManyFeatures(line: number + 2, limit: limits.maximumFeatureCount)
            }
            let values = Self.values(String(line))
            // Skips lines without a coordinate.
            guard values.indices.contains(max(x, y)), let longitude = Double(values[x]),
                let latitude = Double(values[y])
            else { continue }
            var properties: Properties = [:]
            for (name, value) in zip(names, values) where name != "lon" && name != "lat" {
                properties[name] = .string(value)
            }
            features.append(
                Feature(
                    geometry: .point(Coordinate(longitude: longitude, latitude: latitude)), properties: properties))
        }
        return FeatureCollection(features: features)
    }

    /// Returns the values of a line; quotes are not interpreted.
    private static func values(_ line: String) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    }
}
