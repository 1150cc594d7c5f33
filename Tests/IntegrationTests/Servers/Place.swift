import Portolan
import Testing

/// A view of some ground whose sides are short decimal numbers, so that their text is exact.
struct Place {
    let crs: CRS
    let center: Coordinate
    let unitsPerPixel: Double
    let size: ImageSize

    init(_ crs: CRS, _ x: Double, _ y: Double, _ unitsPerPixel: Double, width: Int = 321, height: Int = 241) {
        self.crs = crs
        center = Coordinate(x: x, y: y)
        self.unitsPerPixel = unitsPerPixel
        guard let size = ImageSize(width: width, height: height) else { preconditionFailure("a place has pixels") }
        self.size = size
    }

    var extent: Extent {
        let halfX = Double(size.width) * unitsPerPixel / 2, halfY = Double(size.height) * unitsPerPixel / 2
        guard
            let extent = Extent(
                minX: center.x - halfX, minY: center.y - halfY, maxX: center.x + halfX, maxY: center.y + halfY)
        else { preconditionFailure("a place has an area") }
        return extent
    }

    /// The view of just this place; in picture pixels where there is a pixel ratio.
    func viewport(rotation: Double = 0) throws -> Viewport {
        try Viewport(
            center: center, resolution: try #require(Resolution(unitsPerPixel: unitsPerPixel)), rotation: rotation,
            size: size, crs: crs)
    }

    static let spain4326 = Place(.epsg4326, -3, 40, 0.03125)
    static let spain84 = Place(.crs84, -3, 40, 0.03125)
    static let spain3857 = Place(.webMercator, -300_000, 4_900_000, 4096)
    static func spain25830() throws -> Place { Place(try CRS("EPSG:25830"), 500_000, 4_450_000, 4000) }

    /// Spain in one of the four systems.
    static func spain(in crs: String) throws -> Place {
        switch crs {
        case "EPSG:4326": spain4326
        case "CRS:84": spain84
        case "EPSG:3857": spain3857
        default: try spain25830()
        }
    }
}
