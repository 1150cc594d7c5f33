import PortolanFeatures
import PortolanGeo

/// The area of `--clip` in its own coordinate system.
struct ClipSource: Sendable {
    /// The number of parts of a side of a box that is converted to another CRS, in which it may be curved.
    private static let parts = 64

    private let areas: [Geometry]
    private let isBox: Bool
    private let crs: CRS
    /// The area in longitude and latitude, the usual system of features that are read one by one.
    private let inDegrees: ClipArea?

    /// Creates the area of a box, west first.
    ///
    /// In degrees, a box whose west side is east of the other crosses the antimeridian.
    init(box sides: [Double], in crs: CRS) throws(CommandFailure) {
        let (west, south, east, north) = (sides[0], sides[1], sides[2], sides[3])
        let ranges: [(low: Double, high: Double)] =
            crs.isGeographic && west > east ? [(west, 180), (-180, east)] : [(west, east)]
        var boxes: [BoundingBox] = []
        for (low, high) in ranges {
            guard low < high || ranges.count > 1, south < north,
                let box = BoundingBox(minX: low, minY: south, maxX: high, maxY: north)
            else {
                throw CommandFailure(
                    .usage, "--clip: the box is empty or in the wrong order; write WEST,SOUTH,EAST,NORTH")
            }
            boxes.append(box)
        }
        if crs.isGeographic, abs(south) > 90 || abs(north) > 90 || abs(west) > 540 || abs(east) > 540 {
            throw CommandFailure(.usage, "--clip: the box is not in degrees; add --clip-crs")
        }
        isBox = true
        areas = boxes.map { box in
            .polygon([
                [(box.minX, box.minY), (box.maxX, box.minY), (box.maxX, box.maxY), (box.minX, box.maxY)]
                    .map { Coordinate(x: $0.0, y: $0.1) }
            ])
        }
        self.crs = crs
        inDegrees = crs.isLongitudeLatitude ? try Self.area(areas) : nil
    }

    /// Creates the area of the polygons among features.
    init(_ collection: FeatureCollection, named name: String) throws(CommandFailure) {
        let areas = collection.features.compactMap(\.geometry).filter { !$0.polygons.isEmpty || !$0.children.isEmpty }
        guard !areas.isEmpty else { throw CommandFailure(.badData, "--clip \(name): the file has no polygons") }
        isBox = false
        crs = collection.effectiveCRS
        self.areas = areas
        inDegrees = crs.isLongitudeLatitude ? try Self.area(areas) : nil
    }

    /// Returns the outline of a box with more vertices, since its sides may be curved in another CRS.
    private static func divided(_ area: Geometry) -> Geometry {
        let outline = area.coordinates
        return .polygon([
            zip(outline, outline.dropFirst()).flatMap { from, to in
                (0..<parts).map { step in
                    let share = Double(step) / Double(parts)
                    return Coordinate(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)
                }
            }
        ])
    }

    private static func area(_ areas: [Geometry]) throws(CommandFailure) -> ClipArea {
        do { return try ClipArea(areas) } catch { throw CommandFailure(.badData, "--clip: \(error)") }
    }

    /// Returns the box around the area in the CRS of features, or `nil` if the area cannot be converted.
    func box(in target: CRS) -> BoundingBox? {
        (try? outlines(in: target))?.compactMap(\.boundingBox).reduce(nil) { $0?.union($1) ?? $1 }
    }

    /// The area in the CRS of features.
    func area(in target: CRS) throws(CommandFailure) -> ClipArea {
        if let inDegrees, target == .crs84 { return inDegrees }
        return try Self.area(outlines(in: target))
    }

    /// The parts of the area in the CRS of features.
    private func outlines(in target: CRS) throws(CommandFailure) -> [Geometry] {
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: crs, to: target) } catch {
            throw CommandFailure(.badData, "--clip: \(error)")
        }
        if transform.isIdentity { return areas }
        var converted: [Geometry] = []
        for area in areas {
            let outline = isBox ? Self.divided(area) : area
            guard let area = outline.mapWholeCoordinates({ transform($0) }) else {
                throw CommandFailure(.badData, "--clip: the area reaches beyond that of \(target.name)")
            }
            converted.append(area)
        }
        return converted
    }
}
