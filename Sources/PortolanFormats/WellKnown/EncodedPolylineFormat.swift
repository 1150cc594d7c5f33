public import PortolanFeatures
import PortolanGeo

/// Encoded polylines (``EncodedPolyline``), one on each line: a feature of each.
///
/// The letters do not tell how many decimals they have, nor what they are, so this format recognises nothing and is asked by name.
public struct EncodedPolylineFormat: FeatureFormat {
    /// How many decimals the letters have.
    public let decimals: Int

    /// Creates the format; five decimals unless told.
    public init(decimals: Int = 5) { self.decimals = decimals }

    /// `encoded polyline`.
    public var name: String { "encoded polyline" }

    /// Never.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool { false }

    /// Reads a document; a line of a single place is a point.
    ///
    /// - Throws: ``FeatureFileError`` with the line.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
        for (number, line) in document.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let text = line.drop { $0 <= 0x20 }.prefix { $0 > 0x20 }
            if text.isEmpty { continue }
            let places: [Coordinate]
            do {
                places = try EncodedPolyline.read(
                    String(decoding: text, as: UTF8.self), decimals: decimals, limits: limits)
            } catch { throw FeatureFileError(error.code, in: name, at: .line(number + 1), error.detail) }
            guard let first = places.first else { continue }
            let geometry = places.count == 1 ? Geometry.point(first) : .lineString(places)
            try gathering.add(Feature(geometry: geometry), at: .line(number + 1))
        }
        return gathering.collection()
    }

    /// Writes a line for each line or ring of the features, in longitude and latitude; other shapes have no place in it.
    public func write(_ collection: FeatureCollection) -> [UInt8]? {
        let toDegrees = try? CoordinateTransform(from: collection.effectiveCRS, to: .crs84)
        var bytes: [UInt8] = []
        func add(_ geometry: Geometry) {
            for child in geometry.children { add(child) }
            for part in geometry.parts {
                let places = part.map { toDegrees?($0) ?? .nowhere }
                bytes += Array(EncodedPolyline.write(places, decimals: decimals).utf8)
                bytes.append(0x0A)
            }
        }
        for feature in collection.features { if let geometry = feature.geometry { add(geometry) } }
        return bytes
    }
}
