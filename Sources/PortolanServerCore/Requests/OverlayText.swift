import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster

/// Parses the values that the static map syntaxes share: coordinates, polylines, sizes and colours.
enum OverlayText {
    /// Parses a coordinate in degrees.
    ///
    /// - Parameter isLatitudeFirst: whether the latitude comes first.
    static func place(
        _ text: some StringProtocol, isLatitudeFirst: Bool, _ key: String, position: Int = 0
    ) throws(Problem) -> Coordinate {
        let numbers = try RequestText.numbers(text, count: 2, key, position: position)
        let place =
            isLatitudeFirst ? Coordinate(x: numbers[1], y: numbers[0]) : Coordinate(x: numbers[0], y: numbers[1])
        guard abs(place.x) <= 360, abs(place.y) <= 90 else {
            let order = isLatitudeFirst ? "latitude, longitude" : "longitude, latitude"
            throw Problem(.badRequest, "'\(text)': expected \(order) in degrees", key: key, position: position)
        }
        return place
    }

    /// Parses the coordinates of a Google encoded polyline.
    static func polyline(
        _ text: some StringProtocol, limits: ServingLimits, _ key: String, position: Int = 0
    ) throws(Problem) -> [Coordinate] {
        do {
            let read = FeatureLimits(maximumCoordinateCount: limits.vertices)
            return try EncodedPolyline.read(String(text), limits: read)
        } catch {
            var offset = position
            if case .byte(let byte)? = error.place { offset += byte }
            throw Problem(.badRequest, error.detail, key: key, position: offset)
        }
    }

    /// Parses a size such as `600x400`, with an optional suffix such as `@2x`.
    static func size(
        _ text: some StringProtocol, _ key: String
    ) throws(Problem) -> (width: Int, height: Int, ratio: Int) {
        var word = text[...], ratio = 1
        if let at = word.firstIndex(of: "@") {
            let dense = word[word.index(after: at)...]
            guard dense.hasSuffix("x"), let number = Int(dense.dropLast()), (1...4).contains(number) else {
                throw Problem(.badRequest, "'@\(dense)': expected @1x to @4x", key: key)
            }
            ratio = number
            word = word[..<at]
        }
        let sides = word.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2 else { throw Problem(.badRequest, "'\(text)': expected a size like 600x400", key: key) }
        return (try RequestText.whole(sides[0], key), try RequestText.whole(sides[1], key), ratio)
    }

    /// Parses a CSS colour.
    static func color(_ text: some StringProtocol, _ key: String, position: Int? = nil) throws(Problem) -> MapColor {
        guard let color = MapColor(css: String(text)) else {
            throw Problem(.badRequest, "'\(text)' is not a valid colour", key: key, position: position)
        }
        return color
    }

    /// Parses a number from 0 to an upper bound.
    static func measure(
        _ text: some StringProtocol, upTo most: Double, _ key: String, position: Int? = nil
    ) throws(Problem) -> Double {
        let number = try RequestText.number(text, key, position: position)
        guard (0...most).contains(number) else {
            throw Problem(.badRequest, "\(text) must be between 0 and \(Int(most))", key: key, position: position)
        }
        return number
    }

    /// Splits a text at a separator, with the character offset of each part.
    static func parts(_ text: String, by separator: Character) -> [(text: Substring, position: Int)] {
        var parts: [(Substring, Int)] = [], position = 0
        for part in text.split(separator: separator, omittingEmptySubsequences: false) {
            parts.append((part, position))
            position += part.count + 1
        }
        return parts
    }
}
