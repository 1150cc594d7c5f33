package import PortolanGeo
import PortolanWeb

extension FeatureCollection {
    /// Removes the geometries of features whose coordinates are not valid degrees, if those of most features are.
    ///
    /// If most coordinates are invalid, as for metres in a document without a CRS, all geometries are kept. Latitudes
    /// that exceed a pole due to rounding are set to the pole.
    ///
    /// - Parameter crs: the CRS of the coordinates.
    /// - Complexity: linear in the coordinates.
    package mutating func leaveOutMisplaced(in crs: CRS) {
        guard crs.isGeographic else { return }
        var odd: [Int] = [], goodCount = 0
        for index in features.indices {
            guard let geometry = features[index].geometry, !geometry.isEmpty else { continue }
            if geometry.mayBeDegrees {
                goodCount += 1
                continue
            }
            let kept = geometry.mapCoordinates(Self.atPole)
            guard kept.mayBeDegrees else {
                odd.append(index)
                continue
            }
            features[index].geometry = kept
            goodCount += 1
        }
        guard odd.count < goodCount else { return }
        var left = 0
        for index in odd {
            guard let geometry = features[index].geometry else { continue }
            features[index].geometry = nil
            left += 1
            guard left <= 10 else { continue }
            let place = geometry.firstBeyondDegrees
            warnings.append(
                MapWarning(
                    feature: features[index].warningName ?? "#\(index + 1)", key: "geometry",
                    message: "a coordinate at \(place.map { "\($0.x), \($0.y)" } ?? "?") is not in degrees; left out",
                    effect: .omitted))
        }
        if left > 10 {
            warnings.append(
                MapWarning(
                    feature: nil,
                    message: "\(left - 10) more features have coordinates that are not in degrees; left out",
                    effect: .omitted))
        }
    }

    /// Returns a coordinate with its latitude limited to the poles, if it exceeds them only by a rounding error.
    private static func atPole(_ place: Coordinate) -> Coordinate {
        abs(place.y) > 90 && abs(place.y) <= 90.00001 ? Coordinate(x: place.x, y: place.y < 0 ? -90 : 90) : place
    }
}

extension Geometry {
    /// Whether all coordinates may be degrees: latitudes up to the poles, longitudes up to a few turns.
    fileprivate var mayBeDegrees: Bool { firstBeyondDegrees == nil }

    fileprivate var firstBeyondDegrees: Coordinate? {
        coordinates.first { !(abs($0.y) <= 90 && abs($0.x) <= 1260) && $0.isFinite }
            ?? children.lazy.compactMap(\.firstBeyondDegrees).first
    }
}
