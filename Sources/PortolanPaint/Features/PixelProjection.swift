import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The way from a feature's coordinates to the picture's pixels, in one copy of the world.
struct PixelProjection {
    private let transform: CoordinateTransform
    private let viewport: Viewport
    /// How far east the copy of the world lies, in units of the map's CRS.
    private let shift: Double

    /// Finds the way, or `nil` when the two systems cannot be brought together.
    init?(from crs: CRS, to viewport: Viewport, shift: Double) {
        guard let transform = try? CoordinateTransform(from: crs, to: viewport.crs) else { return nil }
        self.transform = transform
        self.viewport = viewport
        self.shift = shift
    }

    /// The picture pixel of a coordinate, or `nil` where the map's system has none for it.
    func callAsFunction(_ coordinate: Coordinate) -> Point? {
        guard var place = transform(coordinate) else { return nil }
        place.x += shift
        return viewport.imagePixel(of: place)
    }

    /// The pixels of a line, parted where the map's system has no place for a coordinate.
    func lines(_ coordinates: some Sequence<Coordinate>) -> [[Point]] {
        var lines: [[Point]] = []
        var line: [Point] = []
        for coordinate in coordinates {
            if let point = self(coordinate) {
                line.append(point)
            } else if !line.isEmpty {
                lines.append(line)
                line = []
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// The pixels of a ring; coordinates without a place are left out.
    func ring(_ coordinates: some Sequence<Coordinate>) -> [Point] {
        coordinates.compactMap { self($0) }
    }
}
