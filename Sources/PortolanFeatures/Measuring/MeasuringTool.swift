public import PortolanGeo

/// A measurement in the making: places that are added, moved and removed on a map, and what they measure on the ground.
///
/// What a viewer with a map holds. Places are longitudes and latitudes in degrees; all is measured along shortest lines on
/// WGS 84 (``/PortolanGeo/Geodesic``), so that it does not depend on the map's projection.
public struct MeasuringTool: Hashable, Sendable {
    /// What is measured.
    public enum Mode: Hashable, Sendable, CaseIterable {
        /// A line through the places.
        case length
        /// The area that the places go round.
        case area
    }

    /// The way from one place to the next.
    public struct Segment: Hashable, Sendable {
        /// Where it begins.
        public let start: Coordinate
        /// Where it ends.
        public let end: Coordinate
        /// How long it is.
        public let meters: Double
        /// Where it sets out to, in degrees clockwise from north.
        public let bearing: Double
        /// How far its end is from the first place, along the line.
        public let totalMeters: Double
    }

    /// The most places that are taken.
    public static let maximumPlaceCount = 10_000
    /// How many changes can be undone.
    private static let maximumStepCount = 100

    /// What is measured; it is no change that is undone.
    public var mode: Mode
    /// The places in their order.
    public private(set) var places: [Coordinate] = []
    private var past: [[Coordinate]] = []
    private var future: [[Coordinate]] = []
    /// The place that was moved last: a drag is one change.
    private var moved: Int?

    /// Makes a tool without places.
    public init(_ mode: Mode = .length) { self.mode = mode }

    // MARK: Changes

    /// Adds a place, at the end unless told.
    ///
    /// - Returns: whether it was added: not where it is nowhere on the earth, or there are too many.
    @discardableResult
    public mutating func add(_ place: Coordinate, at index: Int? = nil) -> Bool {
        guard Self.isOnEarth(place), places.count < Self.maximumPlaceCount else { return false }
        change { $0.insert(place, at: min(max(index ?? $0.count, 0), $0.count)) }
        return true
    }

    /// Moves a place elsewhere; several moves of one place, as while it is dragged, are undone together.
    ///
    /// - Returns: whether there is such a place, and the other is on the earth.
    @discardableResult
    public mutating func move(placeAt index: Int, to place: Coordinate) -> Bool {
        guard places.indices.contains(index), Self.isOnEarth(place) else { return false }
        guard places[index] != place else { return true }
        if moved == index {
            places[index] = place
        } else {
            change { $0[index] = place }
            moved = index
        }
        return true
    }

    /// Ends a drag: moves of the same place after it are undone apart from those before.
    public mutating func endMove() { moved = nil }

    /// Removes a place, where there is one.
    public mutating func remove(placeAt index: Int) {
        guard places.indices.contains(index) else { return }
        change { $0.remove(at: index) }
    }

    /// Removes all places.
    public mutating func removeAll() {
        guard !places.isEmpty else { return }
        change { $0.removeAll() }
    }

    /// Whether there is a change to undo.
    public var canUndo: Bool { !past.isEmpty }
    /// Whether there is a change that was undone last.
    public var canRedo: Bool { !future.isEmpty }

    /// Takes back the last change.
    public mutating func undo() {
        guard let last = past.popLast() else { return }
        future.append(places)
        places = last
        moved = nil
    }

    /// Makes the change again that was undone last.
    public mutating func redo() {
        guard let next = future.popLast() else { return }
        past.append(places)
        places = next
        moved = nil
    }

    private mutating func change(_ body: (inout [Coordinate]) -> Void) {
        past = past.suffix(Self.maximumStepCount - 1) + [places]
        future.removeAll()
        moved = nil
        body(&places)
    }

    private static func isOnEarth(_ place: Coordinate) -> Bool { abs(place.x) <= 360 && abs(place.y) <= 90 }

    // MARK: What is measured

    /// The ways from place to place; of an area the way back to the first place too.
    ///
    /// - Complexity: O(places), about a microsecond each.
    public var segments: [Segment] {
        var total = 0.0
        let ring = mode == .area && places.count > 2 ? places + places.prefix(1) : places
        return zip(ring, ring.dropFirst()).map { start, end in
            let line = Geodesic.line(from: start, to: end)
            total += line.meters
            return Segment(start: start, end: end, meters: line.meters, bearing: line.bearing, totalMeters: total)
        }
    }

    /// How long the line is, or the ring around the area.
    public var meters: Double { segments.last?.totalMeters ?? 0 }

    /// How large the area is in square metres, of at least three places; 0 for a line.
    public var squareMeters: Double { mode == .area && places.count > 2 ? abs(Geodesic.ring(places).area) : 0 }

    /// The measure as a viewer shows it, such as `1.25 km` or `3.40 ha`; empty while there is none.
    public var text: String {
        guard places.count > 1 else { return "" }
        return mode == .area && places.count > 2 ? Self.text(squareMeters: squareMeters) : Self.text(meters: meters)
    }

    /// A length in metres, from a kilometre on in kilometres.
    public static func text(meters: Double) -> String {
        meters < 999.5 ? "\(decimal(meters, 0)) m" : "\(decimal(meters / 1000, meters < 99_995 ? 2 : 0)) km"
    }

    /// An area in square metres, from a hectare on in hectares, from a square kilometre on in square kilometres.
    public static func text(squareMeters area: Double) -> String {
        if area < 9_999.5 { return "\(decimal(area, 0)) m²" }
        if area < 999_950 { return "\(decimal(area / 1e4, 2)) ha" }
        return "\(decimal(area / 1e6, area < 99_995_000 ? 2 : 0)) km²"
    }

    private static func decimal(_ number: Double, _ places: Int) -> String {
        guard number.isFinite, number < 1e15 else { return "?" }
        let scale = places == 0 ? 1 : 100
        let whole = Int((number * Double(scale)).rounded())
        guard places > 0 else { return "\(whole)" }
        let rest = whole % scale
        return "\(whole / scale).\(rest < 10 ? "0" : "")\(rest)"
    }

    // MARK: Drawing

    /// What is drawn: the line or the area with the property `measure`, the middle of each way with its length, then each
    /// place with its `number` from 1.
    ///
    /// The property `part` is `shape`, `segment` or `place`, for a style to choose by. Longitudes go on beyond 180 degrees where the line
    /// crosses the antimeridian. Edges are straight on the map unless the style draws great circles.
    public var features: [Feature] {
        var line: [Coordinate] = []
        for place in places { line.append(line.last.map { place.nearest(to: $0) } ?? place) }
        var features: [Feature] = []
        if line.count > 1 {
            let isArea = mode == .area && line.count > 2
            let shape = isArea ? Geometry.polygon([line + line.prefix(1)]) : .lineString(line)
            features.append(Feature(geometry: shape, properties: ["part": "shape", "measure": .string(text)]))
        }
        for segment in segments {
            let half = Geodesic.place(from: segment.start, bearing: segment.bearing, meters: segment.meters / 2)
            features.append(
                Feature(
                    geometry: .point(half),
                    properties: ["part": "segment", "measure": .string(Self.text(meters: segment.meters))]))
        }
        for (place, coordinate) in line.enumerated() {
            features.append(
                Feature(geometry: .point(coordinate), properties: ["part": "place", "number": .integer(place + 1)]))
        }
        return features
    }
}
