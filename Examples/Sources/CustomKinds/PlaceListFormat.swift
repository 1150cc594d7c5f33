import Portolan
import PortolanFeatures
import PortolanFormats

/// A format of features of our own: lines of values with commas between, of which two are longitude and latitude.
public struct PlaceListFormat: FeatureFormat {
    /// Why a document cannot be read.
    public enum Failure: Error, Equatable {
        /// The first line names no columns `lon` and `lat`.
        case noCoordinates(line: Int)
        /// There are more features than allowed.
        case tooManyFeatures(line: Int, limit: Int)
    }

    /// Makes the format.
    public init() {}

    /// `place list`.
    public var name: String { "place list" }

    /// Whether the first line is one of names, `lon` and `lat` among them.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        let line = String(decoding: start.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        let names = Self.values(line)
        return names.contains("lon") && names.contains("lat")
    }

    /// Reads a document; a line without a place is left out.
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
            // A line without a place is no feature.
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

    /// The values of a line; quotes are kept for a reader that needs them.
    private static func values(_ line: String) -> [String] {
        line.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    }
}
