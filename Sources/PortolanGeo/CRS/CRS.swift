/// A coordinate reference system: its name, its axis order, its unit and, where Portolan knows it, its projection.
///
/// Inside Portolan x is always east and y always north; ``CRS/axisOrder`` matters only where numbers leave or enter,
/// as in the `BBOX` of a WMS 1.3.0 request. Two spellings of one system give equal values: `EPSG:900913` is
/// `EPSG:3857`. `EPSG:4326` and `CRS:84` differ, since their axis orders do.
///
/// A system that the catalogue does not hold is made with its projection, which may be of a type of your own
/// (``MapProjection``); it is used wherever a system is.
public struct CRS: Hashable, Sendable, CustomStringConvertible {
    /// All that a system is, once for all copies of its value.
    private final class Definition: Sendable {
        let name: String
        let axisOrder: AxisOrder
        let unit: CoordinateUnit
        let projection: (any MapProjection)?
        let datumShift: DatumShift?
        let worldWidth: Double?
        let worldExtent: Extent?

        init(
            _ name: String, _ axisOrder: AxisOrder, _ unit: CoordinateUnit, _ projection: (any MapProjection)?,
            _ datumShift: DatumShift?
        ) {
            self.name = name
            self.axisOrder = axisOrder
            self.unit = unit
            self.projection = projection
            self.datumShift = datumShift
            worldWidth = projection?.worldWidth
            worldExtent = projection?.worldExtent
        }
    }

    private let definition: Definition

    /// Makes a system that the catalogue does not hold.
    ///
    /// - Parameters:
    ///   - name: the authority and code that services and reports write, as `EPSG:3857`. Two systems of one name are still
    ///     different when anything else of them is.
    ///   - projection: one of those built in or one of your own, in `unit`; `nil` for a system that is only named.
    ///   - datumShift: the way from the datum to WGS 84, `nil` where the two count as one.
    public init(
        name: String, axisOrder: AxisOrder, unit: CoordinateUnit, projection: (any MapProjection)? = nil,
        datumShift: DatumShift? = nil
    ) {
        definition = Definition(name, axisOrder, unit, projection, datumShift)
    }

    /// WGS 84, latitude first in its definition (EPSG:4326).
    public static let epsg4326 = CRS(
        name: "EPSG:4326", axisOrder: .northEast, unit: .degree, projection: LongitudeLatitude())

    /// WGS 84, longitude first (OGC CRS:84), the system of GeoJSON.
    public static let crs84 = CRS(
        name: "CRS:84", axisOrder: .eastNorth, unit: .degree, projection: LongitudeLatitude())

    /// Web Mercator (EPSG:3857), the system of nearly all tiled maps.
    public static let webMercator = CRS(
        name: "EPSG:3857", axisOrder: .eastNorth, unit: .meter, projection: WebMercator())

    /// The authority and code, in the usual spelling `EPSG:3857` or `CRS:84`.
    public var name: String { definition.name }

    /// The code in a name such as `EPSG:25835`, or `nil` for names of other authorities.
    package var epsgCode: Int? {
        let parts = name.split(separator: ":")
        guard parts.count == 2, parts[0].uppercased() == "EPSG", let code = Int(parts[1]), code > 0 else { return nil }
        return code
    }

    /// The order in which the definition lists its axes.
    public var axisOrder: AxisOrder { definition.axisOrder }

    /// The unit of both axes.
    public var unit: CoordinateUnit { definition.unit }

    /// The maths from longitude and latitude, or `nil` when Portolan has none for this system: it can then be requested
    /// from servers and shown, but not be transformed.
    public var projection: (any MapProjection)? { definition.projection }

    /// The part of the earth that the system shows, or `nil` where it is only named.
    package var domain: ProjectionDomain? { projection?.domain }

    /// Whether the coordinates are longitude and latitude in degrees, east and north.
    package var isLongitudeLatitude: Bool { projection is LongitudeLatitude }

    /// The way from the system's datum to WGS 84, or `nil` where the two count as one.
    public var datumShift: DatumShift? { definition.datumShift }

    /// Whether the coordinates are longitude and latitude.
    public var isGeographic: Bool { unit == .degree }

    /// Metres a unit (see ``CoordinateUnit/metersPerUnit``).
    public var metersPerUnit: Double { unit.metersPerUnit }

    /// The x after which the world repeats, in units of the system, or `nil` when it does not repeat.
    public var worldWidth: Double? { definition.worldWidth }

    /// The whole world in this system, or `nil` when the system covers only a part of it.
    public var worldExtent: Extent? { definition.worldExtent }

    /// The same as ``CRS/name``.
    public var description: String { name }

    /// Whether both are one system, in name and in all that their coordinates mean.
    public static func == (left: CRS, right: CRS) -> Bool {
        let one = left.definition, other = right.definition
        if one === other { return true }
        guard one.name == other.name, one.axisOrder == other.axisOrder, one.unit == other.unit,
            one.datumShift == other.datumShift
        else { return false }
        guard let projection = one.projection else { return other.projection == nil }
        return other.projection.map(projection.isSame(as:)) ?? false
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(definition.name) }
}

extension CRS {
    /// Whether coordinates in a box may be of the system: latitudes end at the poles.
    package func admits(_ box: BoundingBox) -> Bool { !isGeographic || max(abs(box.minY), abs(box.maxY)) <= 90 }

    /// The part of a box that the system can show, flat where all of the box lies beyond.
    ///
    /// Features at a pole are endlessly far away in some projections; a map that fits them would show nothing else. A
    /// world that repeats ends at its top and bottom. What does not repeat is at most a circumference of the earth away.
    package func visiblePart(of box: BoundingBox) -> BoundingBox {
        let reach = WebMercator.worldWidth / metersPerUnit
        let limit = worldExtent ?? Extent(minX: -reach, minY: -reach, maxX: reach, maxY: reach)
        guard let limit else { return box }
        func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double { min(max(value, low), high) }
        let repeats = worldWidth != nil
        return BoundingBox(
            minX: repeats ? box.minX : clamp(box.minX, limit.minX, limit.maxX),
            minY: clamp(box.minY, limit.minY, limit.maxY),
            maxX: repeats ? box.maxX : clamp(box.maxX, limit.minX, limit.maxX),
            maxY: clamp(box.maxY, limit.minY, limit.maxY)) ?? box
    }
}

/// The order in which a coordinate reference system writes its two axes.
public enum AxisOrder: String, Hashable, Sendable {
    /// Easting or longitude first: x,y.
    case eastNorth
    /// Northing or latitude first: y,x.
    case northEast
}

/// The unit a coordinate reference system measures in.
public enum CoordinateUnit: Hashable, Sendable {
    /// Degrees of arc.
    case degree
    /// A length, with how many metres it is.
    case length(meters: Double)

    /// One metre.
    public static let meter = CoordinateUnit.length(meters: 1)

    /// Metres a unit; a degree counts as one of the equator, 111 319.49 m, as OGC 06-042 (WMS 1.3.0) 7.2.4.6.9 has it.
    public var metersPerUnit: Double {
        switch self {
        case .degree: Ellipsoid.wgs84.semiMajorAxis * .pi / 180
        case .length(let meters): meters
        }
    }
}

/// Why a coordinate reference system cannot be had or used.
public enum CRSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is no spelling of a CRS.
    case malformed(String)
    /// The text is well formed but names a system that is not in the catalogue.
    case unknown(String)
    /// Coordinates cannot be transformed to or from the system named.
    case noProjection(String)
    /// A catalogue knows the system named, but it is none that maps are drawn in, as a system of heights.
    case unsupported(String, reason: String)

    /// What is wrong, in one line.
    public var description: String {
        switch self {
        case .malformed(let text):
            "'\(text)' is not the name of a CRS; write it as "
                + (!text.isEmpty && text.utf8.count < 8 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    ? "EPSG:\(text)" : "EPSG:3857 or CRS:84")
        case .unknown(let text): "the CRS '\(text)' is not known"
        case .noProjection(let name):
            "coordinates cannot be transformed to or from \(name): its projection is not built in"
        case .unsupported(let name, let reason): "the CRS '\(name)' cannot be used: \(reason)"
        }
    }
}
