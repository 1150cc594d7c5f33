import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster

/// Reads the words that the grammars of static maps have in common: places, polylines, sizes and colours.
enum OverlayText {
    /// A place in degrees.
    ///
    /// - Parameter isLatitudeFirst: whether it is written latitude first.
    static func place(
        _ text: some StringProtocol, isLatitudeFirst: Bool, _ key: String, position: Int = 0
    ) throws(Problem) -> Coordinate {
        let numbers = try RequestText.numbers(text, count: 2, key, position: position)
        let place =
            isLatitudeFirst ? Coordinate(x: numbers[1], y: numbers[0]) : Coordinate(x: numbers[0], y: numbers[1])
        guard abs(place.x) <= 360, abs(place.y) <= 90 else {
            let order = isLatitudeFirst ? "latitude, longitude" : "longitude, latitude"
            throw Problem(.badRequest, "'\(text)' is no \(order) in degrees", key: key, position: position)
        }
        return place
    }

    /// The places of Google's encoded polyline.
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

    /// A size as `600x400`, with `@2x` behind where it may stand there.
    static func size(
        _ text: some StringProtocol, _ key: String
    ) throws(Problem) -> (width: Int, height: Int, ratio: Int) {
        var word = text[...], ratio = 1
        if let at = word.firstIndex(of: "@") {
            let dense = word[word.index(after: at)...]
            guard dense.hasSuffix("x"), let number = Int(dense.dropLast()), (1...4).contains(number) else {
                throw Problem(.badRequest, "'@\(dense)' is not @1x to @4x", key: key)
            }
            ratio = number
            word = word[..<at]
        }
        let sides = word.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2 else { throw Problem(.badRequest, "'\(text)' is no size like 600x400", key: key) }
        return (try RequestText.whole(sides[0], key), try RequestText.whole(sides[1], key), ratio)
    }

    /// A colour of CSS.
    static func color(_ text: some StringProtocol, _ key: String, position: Int? = nil) throws(Problem) -> Color {
        guard let color = Color(css: String(text)) else {
            throw Problem(.badRequest, "'\(text)' is no colour", key: key, position: position)
        }
        return color
    }

    /// A number from 0 to a bound.
    static func measure(
        _ text: some StringProtocol, upTo most: Double, _ key: String, position: Int? = nil
    ) throws(Problem) -> Double {
        let number = try RequestText.number(text, key, position: position)
        guard (0...most).contains(number) else {
            throw Problem(.badRequest, "\(text) is not between 0 and \(Int(most))", key: key, position: position)
        }
        return number
    }

    /// The parts of a text between a character, with where each begins.
    static func parts(_ text: String, by separator: Character) -> [(text: Substring, position: Int)] {
        var parts: [(Substring, Int)] = [], position = 0
        for part in text.split(separator: separator, omittingEmptySubsequences: false) {
            parts.append((part, position))
            position += part.count + 1
        }
        return parts
    }
}
