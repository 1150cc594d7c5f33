public import PortolanFeatures
public import PortolanGeo

/// Lines in Google's *Encoded Polyline Algorithm Format*, with five decimals, or six as in OSRM and Valhalla.
///
/// The text does not contain the number of decimals.
///
/// ```swift
/// let line = try EncodedPolyline.read("_p~iF~ps|U_ulLnnqC")
/// ```
public enum EncodedPolyline {
    private static let name = "encoded polyline"

    /// Returns the coordinates of a line in degrees.
    ///
    /// - Parameter decimals: 0 to 10. Default: 5.
    /// - Throws: ``FeatureFileError`` with the byte, if a character is invalid, the text ends within a number, or a
    ///   coordinate is out of range, for example due to a wrong number of decimals.
    /// - Complexity: linear in the length.
    public static func read(
        _ text: String, decimals: Int = 5, limits: FeatureLimits = FeatureLimits()
    ) throws(FeatureFileError) -> [Coordinate] {
        let scale = factor(decimals)
        var places: [Coordinate] = []
        var x: Int64 = 0, y: Int64 = 0, value: UInt64 = 0, shift: UInt64 = 0
        var isLatitude = true
        var offset = 0
        for byte in text.utf8 {
            guard (63...126).contains(byte) else {
                throw FeatureFileError(.malformed, in: name, at: .byte(offset), "invalid character")
            }
            let bits = UInt64(byte - 63)
            // Twelve groups of five bits are more than any coordinate needs.
            guard shift < 60 else {
                throw FeatureFileError(.malformed, in: name, at: .byte(offset), "a number is too long")
            }
            value |= (bits & 31) << shift
            shift += 5
            offset += 1
            guard bits < 32 else { continue }
            let step = value & 1 == 1 ? ~Int64(value >> 1) : Int64(value >> 1)
            (value, shift) = (0, 0)
            if isLatitude { y += step } else { x += step }
            if !isLatitude {
                let place = Coordinate(x: Double(x) / scale, y: Double(y) / scale)
                guard abs(place.y) <= 90, abs(place.x) <= 360 else {
                    throw FeatureFileError(
                        .malformed, in: name, at: .byte(offset),
                        "a position is at \(place.x), \(place.y) degrees; the polyline may have more decimals than \(decimals)"
                    )
                }
                guard places.count < limits.maximumCoordinateCount else {
                    throw FeatureFileError(
                        .limitExceeded, in: name, at: .byte(offset),
                        "more than \(limits.maximumCoordinateCount) coordinates")
                }
                places.append(place)
            }
            isLatitude.toggle()
        }
        guard shift == 0, isLatitude else {
            throw FeatureFileError(.malformed, in: name, at: .byte(offset), "unexpected end within a position")
        }
        return Geometry.lineString(places).continuedOverAntimeridian().coordinates
    }

    /// Returns the text of a line in degrees, without positions that are not finite.
    ///
    /// - Parameter decimals: 0 to 10. Default: 5.
    /// - Complexity: linear in the number of positions.
    public static func write(_ places: some Sequence<Coordinate>, decimals: Int = 5) -> String {
        let scale = factor(decimals)
        var bytes: [UInt8] = []
        var x: Int64 = 0, y: Int64 = 0
        func add(_ step: Int64) {
            var rest = UInt64(bitPattern: step < 0 ? ~(step << 1) : step << 1)
            while rest >= 32 {
                bytes.append(UInt8(rest & 31 | 32) + 63)
                rest >>= 5
            }
            bytes.append(UInt8(rest) + 63)
        }
        for place in places where place.isFinite && abs(place.x) <= 360 && abs(place.y) <= 90 {
            let nextX = Int64((place.x * scale).rounded()), nextY = Int64((place.y * scale).rounded())
            add(nextY - y)
            add(nextX - x)
            (x, y) = (nextX, nextY)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func factor(_ decimals: Int) -> Double {
        (0..<min(max(decimals, 0), 10)).reduce(1.0) { factor, _ in factor * 10 }
    }
}
