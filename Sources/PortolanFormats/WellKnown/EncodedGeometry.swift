public import PortolanFeatures
import PortolanGeo

/// A geometry in well-known text or binary, with the SRID of the extended forms.
public struct EncodedGeometry: Hashable, Sendable {
    /// The geometry, x first.
    public var geometry: Geometry
    /// The SRID of EWKT, EWKB or a GeoPackage, an EPSG code in PostGIS and most other databases; `nil` without an SRID.
    public var srid: Int?
    /// Whether coordinates have measures, which are omitted.
    public var hasMeasures = false

    /// Creates an encoded geometry.
    public init(_ geometry: Geometry, srid: Int? = nil) {
        self.geometry = geometry
        self.srid = srid
    }
}

/// The geometry types of OGC 06-103r4 (Simple Feature Access) clause 8.2.8 and ISO 19125, by their codes in well-known
/// binary.
enum WellKnownKind: UInt32, CaseIterable {
    case point = 1
    case lineString, polygon, multiPoint, multiLineString, multiPolygon, geometryCollection
    case circularString, compoundCurve, curvePolygon, multiCurve, multiSurface
    case polyhedralSurface = 15
    case tin, triangle

    /// The keyword in well-known text.
    var word: String {
        switch self {
        case .point: "POINT"
        case .lineString: "LINESTRING"
        case .polygon: "POLYGON"
        case .multiPoint: "MULTIPOINT"
        case .multiLineString: "MULTILINESTRING"
        case .multiPolygon: "MULTIPOLYGON"
        case .geometryCollection: "GEOMETRYCOLLECTION"
        case .circularString: "CIRCULARSTRING"
        case .compoundCurve: "COMPOUNDCURVE"
        case .curvePolygon: "CURVEPOLYGON"
        case .multiCurve: "MULTICURVE"
        case .multiSurface: "MULTISURFACE"
        case .polyhedralSurface: "POLYHEDRALSURFACE"
        case .tin: "TIN"
        case .triangle: "TRIANGLE"
        }
    }

    /// The resulting geometry kind.
    ///
    /// Curves are approximated by chords.
    var geometryKind: Geometry.Kind {
        switch self {
        case .point: .point
        case .multiPoint: .multiPoint
        case .lineString, .circularString, .compoundCurve: .lineString
        case .multiLineString, .multiCurve: .multiLineString
        case .polygon, .curvePolygon, .triangle: .polygon
        case .multiPolygon, .multiSurface, .polyhedralSurface, .tin: .multiPolygon
        case .geometryCollection: .collection
        }
    }

    /// Creates the type for a geometry kind.
    init(_ kind: Geometry.Kind) {
        switch kind {
        case .point: self = .point
        case .multiPoint: self = .multiPoint
        case .lineString: self = .lineString
        case .multiLineString: self = .multiLineString
        case .polygon: self = .polygon
        case .multiPolygon: self = .multiPolygon
        case .collection: self = .geometryCollection
        }
    }
}

/// Adds the positions of an arc string as chords.
///
/// Each arc starts at the last position of the previous one.
struct ArcGathering {
    private var arc: [(place: Coordinate, altitude: Double?)] = []

    /// Adds the next position of the string.
    mutating func add(_ place: Coordinate, _ altitude: Double?, to builder: inout GeometryBuilder) {
        arc.append((place, altitude))
        guard arc.count == 3 else {
            if arc.count == 1 { builder.add(place, altitude: altitude) }
            return
        }
        let chords = CircularArc.chords(from: arc[0].place, through: arc[1].place, to: arc[2].place)
        // Altitudes are interpolated along the chords.
        for (number, chord) in chords.enumerated() {
            let share = Double(number + 1) / Double(chords.count)
            let height = arc[0].altitude.flatMap { first in arc[2].altitude.map { first + ($0 - first) * share } }
            builder.add(chord, altitude: height)
        }
        arc.removeFirst(2)
    }

    /// Adds the remaining positions of a string with an even number of positions.
    mutating func end(to builder: inout GeometryBuilder) {
        for rest in arc.dropFirst() { builder.add(rest.place, altitude: rest.altitude) }
        arc.removeAll()
    }
}
