import PortolanFeatures
import PortolanGeo

extension Geometry {
    /// A shape of any kind, at times without coordinates.
    static func random(using random: inout some RandomNumberGenerator, depth: Int = 2) -> Geometry {
        func place() -> Coordinate {
            // No edge is wider than half a turn, which formats do not agree about.
            Coordinate(x: .random(in: -90...90, using: &random), y: .random(in: -90...90, using: &random))
        }
        func places(_ range: ClosedRange<Int>) -> [Coordinate] {
            (0..<Int.random(in: range, using: &random)).map { _ in place() }
        }
        func ring() -> [Coordinate] {
            let places = places(3...6)
            return places + [places[0]]
        }
        func rings() -> [[Coordinate]] { (0..<Int.random(in: 1...3, using: &random)).map { _ in ring() } }
        switch Int.random(in: 0..<(depth > 0 ? 7 : 6), using: &random) {
        case 0:
            return .point(
                place(), altitude: Bool.random(using: &random) ? .random(in: -50...9000, using: &random) : nil)
        case 1: return .multiPoint(places(1...4))
        case 2: return .lineString(places(2...8))
        case 3: return .multiLineString((0..<Int.random(in: 1...3, using: &random)).map { _ in places(2...5) })
        case 4: return .polygon(rings())
        case 5: return .multiPolygon((0..<Int.random(in: 1...3, using: &random)).map { _ in rings() })
        default:
            // A point and a line, so that it is not a multi-part geometry.
            return .collection(
                [.point(place()), .lineString(places(2...3))]
                    + (0..<Int.random(in: 0...2, using: &random)).map { _ in .random(using: &random, depth: depth - 1) }
            )
        }
    }
}

extension FeatureCollection {
    /// Features with shapes and properties of any kind; the values of a name are of one type.
    static func random(using random: inout some RandomNumberGenerator, count: Int = 8) -> FeatureCollection {
        func word() -> String {
            let letters = ["a", "Zö", "&", "<b>", "\"q'", "日本", "1", ",", ";", "]]>", "x y", "\\", "💧"]
            return (0..<Int.random(in: 1...4, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
                .joined()
        }
        let features = (0..<count).map { number in
            var properties: Properties = ["name": .string(word())]
            if Bool.random(using: &random) { properties["description"] = .string(word()) }
            properties["count"] = .integer(.random(in: -1000...1000, using: &random))
            if Bool.random(using: &random) { properties["height"] = .number(.random(in: -1...1, using: &random)) }
            properties["is open"] = .bool(.random(using: &random))
            if Bool.random(using: &random) { properties["note"] = .string(word()) }
            return Feature(
                id: .string("f\(number)"), geometry: number == 0 ? nil : .random(using: &random), properties: properties
            )
        }
        return FeatureCollection(features: features)
    }
}
