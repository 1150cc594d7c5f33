public import PortolanGeo

/// An interactive measurement: vertices that are added, moved and removed on a map, and their length or area on the
/// ground.
///
/// Vertices are longitudes and latitudes in degrees. All lengths are those of geodesics on WGS 84
/// (``/PortolanGeo/Geodesic``), so that they do not depend on the map's projection.
///
/// ```swift
/// var tool = MeasuringTool(.length)
/// tool.add(Coordinate(x: -0.88, y: 41.65))
/// tool.add(Coordinate(x: -0.89, y: 41.66))
/// print(tool.text)
/// ```
public struct MeasuringTool: Hashable, Sendable {
    /// The measured quantity.
    public enum Mode: Hashable, Sendable, CaseIterable {
        /// The length of a line through the vertices.
        case length
        /// The area of the ring of the vertices.
        case area
    }

    /// The segment between consecutive vertices.
    public struct Segment: Hashable, Sendable {
        /// The start.
        public let start: Coordinate
        /// The end.
        public let end: Coordinate
        /// The length in metres.
        public let meters: Double
        /// The initial bearing, in degrees clockwise from north.
        public let bearing: Double
        /// The distance of its end from the first vertex along the line, in metres.
        public let totalMeters: Double
    }

    /// The maximum number of vertices.
    public static let maximumPlaceCount = 10_000
    /// The maximum number of undo steps.
    private static let maximumStepCount = 100

    /// The measured quantity.
    ///
    /// Undo does not affect it.
    public var mode: Mode
    /// The vertices in order.
    public private(set) var places: [Coordinate] = []
    private var past: [[Coordinate]] = []
    private var future: [[Coordinate]] = []
    /// The index of the last moved vertex.
    ///
    /// A drag is a single change.
    private var moved: Int?

    /// Creates a tool without vertices.
    public init(_ mode: Mode = .length) { self.mode = mode }

    // MARK: Changes

    /// Adds a vertex, by default at the end.
    ///
    /// - Returns: whether it was added. Invalid coordinates and those beyond the maximum are rejected.
    @discardableResult
    public mutating func add(_ place: Coordinate, at index: Int? = nil) -> Bool {
        guard Self.isOnEarth(place), places.count < Self.maximumPlaceCount else { return false }
        change { $0.insert(place, at: min(max(index ?? $0.count, 0), $0.count)) }
        return true
    }

    /// Moves a vertex.
    ///
    /// Consecutive moves of one vertex, as during a drag, are one undo step.
    ///
    /// - Returns: whether the vertex exists and the new coordinate is valid.
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

    /// Ends a drag.
    ///
    /// Later moves of the same vertex are a separate undo step.
    public mutating func endMove() { moved = nil }

    /// Removes a vertex if it exists.
    public mutating func remove(placeAt index: Int) {
        guard places.indices.contains(index) else { return }
        change { $0.remove(at: index) }
    }

    /// Removes all vertices.
    public mutating func removeAll() {
        guard !places.isEmpty else { return }
        change { $0.removeAll() }
    }

    /// Whether a change can be undone.
    public var canUndo: Bool { !past.isEmpty }
    /// Whether a change can be redone.
    public var canRedo: Bool { !future.isEmpty }

    /// Undoes the last change.
    public mutating func undo() {
        guard let last = past.popLast() else { return }
        future.append(places)
        places = last
        moved = nil
    }

    /// Repeats the last undone change.
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

    // MARK: Measurements

    /// The segments between the vertices; for an area including the closing segment.
    ///
    /// - Complexity: O(vertices), about a microsecond each.
    public var segments: [Segment] {
        var total = 0.0
        let ring = mode == .area && places.count > 2 ? places + places.prefix(1) : places
        return zip(ring, ring.dropFirst()).map { start, end in
            let line = Geodesic.line(from: start, to: end)
            total += line.meters
            return Segment(start: start, end: end, meters: line.meters, bearing: line.bearing, totalMeters: total)
        }
    }

    /// The length of the line, or of the ring around the area, in metres.
    public var meters: Double { segments.last?.totalMeters ?? 0 }

    /// The area in square metres, for at least three vertices; 0 for a line.
    public var squareMeters: Double { mode == .area && places.count > 2 ? abs(Geodesic.ring(places).area) : 0 }

    /// The measure as text, such as `1.25 km` or `3.40 ha`; empty without a measure.
    public var text: String {
        guard places.count > 1 else { return "" }
        return mode == .area && places.count > 2 ? Self.text(squareMeters: squareMeters) : Self.text(meters: meters)
    }

    /// Returns a length as text, in metres or from one kilometre on in kilometres.
    public static func text(meters: Double) -> String {
        meters < 999.5 ? "\(decimal(meters, 0)) m" : "\(decimal(meters / 1000, meters < 99_995 ? 2 : 0)) km"
    }

    /// Returns an area as text, in square metres, hectares or square kilometres.
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

    /// The features to draw: the line or area with the property `measure`, the midpoint of each segment with its
    /// length, and each vertex with its `number` from 1.
    ///
    /// The property `part` is `shape`, `segment` or `place`, for use in styles. Longitudes continue beyond 180 degrees
    /// if the line crosses the antimeridian. Edges are straight on the map unless the style draws great circles.
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
