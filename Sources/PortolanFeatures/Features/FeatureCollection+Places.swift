package import PortolanGeo
import PortolanWeb

extension FeatureCollection {
    /// Leaves out the shapes of features whose coordinates cannot be degrees, where those of most features can: each such
    /// feature costs itself, and not the layer.
    ///
    /// Where most are no degrees, as of metres in a document that does not name their system, all stay. Latitudes that rounding put
    /// beyond a pole are put onto it.
    ///
    /// - Parameter crs: the system that the coordinates are in.
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

    /// A latitude that is beyond a pole by no more than rounding makes.
    private static func atPole(_ place: Coordinate) -> Coordinate {
        abs(place.y) > 90 && abs(place.y) <= 90.00001 ? Coordinate(x: place.x, y: place.y < 0 ? -90 : 90) : place
    }
}

extension Geometry {
    /// Whether all coordinates may be degrees: latitudes end at the poles, longitudes after a few turns.
    fileprivate var mayBeDegrees: Bool { firstBeyondDegrees == nil }

    fileprivate var firstBeyondDegrees: Coordinate? {
        coordinates.first { !(abs($0.y) <= 90 && abs($0.x) <= 1260) && $0.isFinite }
            ?? children.lazy.compactMap(\.firstBeyondDegrees).first
    }
}
