/// A coordinate reference system: its name, its axis order, its unit and, if supported, its projection.
///
/// Inside Portolan x is always east and y always north; ``CRS/axisOrder`` matters only for input and output, such as
/// the `BBOX` of a WMS 1.3.0 request. Two spellings of one system give equal values: `EPSG:900913` equals `EPSG:3857`.
/// `EPSG:4326` and `CRS:84` differ, because their axis orders do.
///
/// A system that the catalogue lacks is created with its projection, which may be of a custom type (``MapProjection``).
public struct CRS: Hashable, Sendable, CustomStringConvertible {
    /// The definition of a system, shared by all copies of its value.
    private final class Definition: Sendable {
        let name: String
        let axisOrder: CRS.AxisOrder
        let unit: CRS.Unit
        let projection: (any MapProjection)?
        let datumShift: Ellipsoid.DatumShift?
        let worldWidth: Double?
        let worldExtent: Extent?
        let wellKnownText: String?

        init(
            _ name: String, _ axisOrder: CRS.AxisOrder, _ unit: CRS.Unit, _ projection: (any MapProjection)?,
            _ datumShift: Ellipsoid.DatumShift?, _ wellKnownText: String?
        ) {
            self.wellKnownText = wellKnownText
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

    /// Creates a CRS that the catalogue lacks.
    ///
    /// - Parameters:
    ///   - name: the authority and code for services and reports, such as `EPSG:3857`. Systems with equal names but
    ///     other differences are not equal.
    ///   - projection: a built-in or custom projection, in `unit`; `nil` for a system without transformations.
    ///   - datumShift: the shift from the datum to WGS 84, or `nil` if they are treated as equal.
    public init(
        name: String, axisOrder: CRS.AxisOrder, unit: CRS.Unit, projection: (any MapProjection)? = nil,
        datumShift: Ellipsoid.DatumShift? = nil
    ) {
        definition = Definition(name, axisOrder, unit, projection, datumShift, nil)
    }

    /// Creates a CRS that remembers its definition in well-known text 1.
    package init(_ crs: CRS, wellKnownText: String?) {
        let known = crs.definition
        definition = Definition(
            known.name, known.axisOrder, known.unit, known.projection, known.datumShift, wellKnownText)
    }

    /// WGS 84, with latitude first in its definition (EPSG:4326).
    public static let epsg4326 = CRS(
        name: "EPSG:4326", axisOrder: .northEast, unit: .degree, projection: LongitudeLatitude())

    /// WGS 84, with longitude first (OGC CRS:84), the CRS of GeoJSON.
    public static let crs84 = CRS(
        name: "CRS:84", axisOrder: .eastNorth, unit: .degree, projection: LongitudeLatitude())

    /// Web Mercator (EPSG:3857), the CRS of nearly all tiled maps.
    public static let webMercator = CRS(
        name: "EPSG:3857", axisOrder: .eastNorth, unit: .meter, projection: WebMercator())

    /// The authority and code, in the usual spelling such as `EPSG:3857` or `CRS:84`.
    public var name: String { definition.name }

    /// The code in a name such as `EPSG:25835`, or `nil` for other authorities.
    package var epsgCode: Int? { registered.flatMap { $0.authority == "EPSG" ? $0.code : nil } }

    /// The authority in upper case and the code in a name such as `ESRI:54030`, or `nil` without a number.
    package var registered: (authority: String, code: Int)? {
        let parts = name.split(separator: ":")
        guard parts.count == 2, let code = Int(parts[1]), code > 0 else { return nil }
        return (parts[0].uppercased(), code)
    }

    /// The well-known text 1 from which the system was parsed, if it has no code.
    var wellKnownSource: String? { definition.wellKnownText }

    /// The axis order of the definition.
    public var axisOrder: CRS.AxisOrder { definition.axisOrder }

    /// The unit of both axes.
    public var unit: CRS.Unit { definition.unit }

    /// The projection, or `nil` if it is not supported: the system can then be requested from servers and shown, but
    /// not transformed.
    public var projection: (any MapProjection)? { definition.projection }

    /// The part of the earth that the projection covers, or `nil` without a projection.
    package var domain: ProjectionDomain? { projection?.domain }

    /// Whether the coordinates are longitude and latitude in degrees, east and north.
    package var isLongitudeLatitude: Bool { projection is LongitudeLatitude }

    /// The shift from the system's datum to WGS 84, or `nil` if they are treated as equal.
    public var datumShift: Ellipsoid.DatumShift? { definition.datumShift }

    /// Whether the coordinates are longitude and latitude.
    public var isGeographic: Bool { unit == .degree }

    /// The metres per unit (see ``CRS/Unit/metersPerUnit``).
    public var metersPerUnit: Double { unit.metersPerUnit }

    /// The width in x after which the world repeats, in units of the system, or `nil` if it does not repeat.
    public var worldWidth: Double? { definition.worldWidth }

    /// The whole world in this system, or `nil` if the system covers only a part of it.
    public var worldExtent: Extent? { definition.worldExtent }

    /// The same as ``CRS/name``.
    public var description: String { name }

    /// Returns whether the systems are equal in name and definition.
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
    /// The share of the world's width from which data count as data of the whole world.
    package static let worldShare = 0.9

    /// Returns whether a box can be in this system: latitudes end at the poles.
    package func admits(_ box: BoundingBox) -> Bool { !isGeographic || max(abs(box.minY), abs(box.maxY)) <= 90 }

    /// Returns the part of a box that the system can show, or a flat box if it is entirely outside.
    ///
    /// In some projections, features at a pole are infinitely far away, and a map that fits them would show nothing
    /// else. A repeating world is limited at its top and bottom; other systems are limited to a circumference of the
    /// earth.
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

extension CRS {
    /// The order of the axes in coordinates of a CRS.
    public enum AxisOrder: String, Hashable, Sendable {
        /// Easting or longitude first: x,y.
        case eastNorth
        /// Northing or latitude first: y,x.
        case northEast
    }
}

extension CRS {
    /// The unit of a CRS.
    public enum Unit: Hashable, Sendable {
        /// Degrees of arc.
        case degree
        /// A unit of length, in metres.
        case length(meters: Double)

        /// One metre.
        public static let meter = CRS.Unit.length(meters: 1)

        /// The metres per unit; a degree counts as one of the equator, 111 319.49 m (OGC 06-042, WMS 1.3.0, 7.2.4.6.9).
        public var metersPerUnit: Double {
            switch self {
            case .degree: Ellipsoid.wgs84.semiMajorAxis * .pi / 180
            case .length(let meters): meters
            }
        }
    }
}

/// The reason why a CRS cannot be created or used.
public enum CRSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not a CRS identifier.
    case malformed(String)
    /// The text is valid, but the system is not in the catalogue.
    case unknown(String)
    /// Coordinates cannot be transformed to or from the named system.
    case noProjection(String)
    /// The text is not the name of a projection.
    case unknownProjection(String)
    /// A projection has no parameter of that name; `known` are those that it has.
    case unknownParameter(String, projection: String, known: [String])
    /// The value of a projection's parameter is missing or invalid.
    case invalidParameter(String, projection: String, reason: String)
    /// A catalogue knows the named system, but it is not suitable for maps, such as a system of heights.
    case unsupported(String, reason: String)

    /// The message in one line.
    public var description: String {
        switch self {
        case .malformed(let text):
            "'\(text)' is not a valid CRS name; write it as "
                + (!text.isEmpty && text.utf8.count < 8 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    ? "EPSG:\(text)" : "EPSG:3857, CRS:84 or a projection such as robinson")
        case .unknownProjection(let text):
            "unknown projection '\(text)'; known are "
                + NamedProjection.Method.allCases.map(\.rawValue).joined(separator: ", ")
                + ", as in '\(NamedProjection.Method.orthographic.example)'; codes are written as EPSG:3857"
        case .unknownParameter(let name, let projection, let known):
            "the projection '\(projection)' has no parameter '\(name)'; known are \(known.joined(separator: ", "))"
        case .invalidParameter(let name, let projection, let reason):
            "the parameter '\(name)' of the projection '\(projection)' \(reason)"
        case .unknown(let text): "unknown CRS '\(text)'"
        case .noProjection(let name):
            "cannot transform coordinates to or from \(name): unsupported projection; the package trait PROJ adds more"
        case .unsupported(let name, let reason): "the CRS '\(name)' cannot be used: \(reason)"
        }
    }
}
