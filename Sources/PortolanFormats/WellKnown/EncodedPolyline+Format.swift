public import PortolanFeatures
import PortolanGeo

extension EncodedPolyline {
    /// Encoded polylines (``EncodedPolyline``), one per line, each a feature.
    ///
    /// The text has neither a signature nor the number of decimals. Therefore this format recognizes nothing and must be
    /// requested by name.
    public struct Format: FeatureFormat {
        /// The number of decimals.
        public let decimals: Int

        /// Creates the format, by default with five decimals.
        public init(decimals: Int = 5) { self.decimals = decimals }

        /// `encoded polyline`.
        public var name: String { "encoded polyline" }

        /// Returns `false`.
        public func recognizes(_ start: ArraySlice<UInt8>) -> Bool { false }

        /// Reads a document.
        ///
        /// A line with a single position becomes a point.
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

        /// Writes a line for each line or ring of the features, in longitude and latitude.
        ///
        /// Other geometries are omitted.
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
}
