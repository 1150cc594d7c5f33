/// A coordinate reference system: its name, its axis order, its unit and, where Portolan knows it, its projection.
///
/// Inside Portolan x is always east and y always north; ``CRS/axisOrder`` matters only where numbers leave or enter,
/// as in the `BBOX` of a WMS 1.3.0 request. Two spellings of one system give equal values: `EPSG:900913` is
/// `EPSG:3857`. `EPSG:4326` and `CRS:84` differ, since their axis orders do.
public struct CRS: Hashable, Sendable, CustomStringConvertible {
    /// The authority and code, in the usual spelling `EPSG:3857` or `CRS:84`.
    public let name: String

    /// The order in which the definition lists its axes.
    public let axisOrder: AxisOrder

    /// The unit of both axes.
    public let unit: CoordinateUnit

    /// The maths from longitude and latitude, or `nil` when Portolan has none for this system: it can then be asked
    /// of servers and looked at, but not be transformed.
    public let projection: Projection?

    /// The way from the system's datum to WGS 84, or `nil` where the two count as one.
    public let datumShift: DatumShift?

    /// Makes a system that the catalogue does not hold.
    public init(
        name: String, axisOrder: AxisOrder, unit: CoordinateUnit, projection: Projection? = nil,
        datumShift: DatumShift? = nil
    ) {
        self.name = name
        self.axisOrder = axisOrder
        self.unit = unit
        self.projection = projection
        self.datumShift = datumShift
    }

    /// WGS 84, latitude first in its definition (EPSG:4326).
    public static let epsg4326 = CRS(name: "EPSG:4326", axisOrder: .northEast, unit: .degree, projection: .geographic)

    /// WGS 84, longitude first (OGC CRS:84), the system of GeoJSON.
    public static let crs84 = CRS(name: "CRS:84", axisOrder: .eastNorth, unit: .degree, projection: .geographic)

    /// Web Mercator (EPSG:3857), the system of nearly all tiled maps.
    public static let webMercator = CRS(
        name: "EPSG:3857", axisOrder: .eastNorth, unit: .meter, projection: .webMercator)

    /// Whether the coordinates are longitude and latitude.
    public var isGeographic: Bool { unit == .degree }

    /// Metres a unit (see ``CoordinateUnit/metersPerUnit``).
    public var metersPerUnit: Double { unit.metersPerUnit }

    /// The x after which the world repeats, in units of the system, or `nil` when it does not repeat.
    public var worldWidth: Double? {
        switch projection {
        case .geographic: 360
        case .webMercator: WebMercator.worldWidth
        case .mercator(let projection): projection.worldWidth
        default: nil
        }
    }

    /// The whole world in this system, or `nil` when the system covers only a part of it.
    public var worldExtent: Extent? {
        switch projection {
        case .geographic: Extent(minX: -180, minY: -90, maxX: 180, maxY: 90)
        case .webMercator, .mercator:
            worldWidth.flatMap { Extent(center: Coordinate(x: 0, y: 0), width: $0, height: $0) }
        default: nil
        }
    }

    /// The same as ``CRS/name``.
    public var description: String { name }
}
