public import PortolanFeatures
import PortolanGeo

/// A shape as well-known text or bytes hold it, with the number of the system that the extended forms may name.
public struct EncodedGeometry: Hashable, Sendable {
    /// The shape, x first.
    public var geometry: Geometry
    /// The SRID of EWKT, EWKB or a GeoPackage, in PostGIS's and most other databases an EPSG code; `nil` where none is named.
    public var srid: Int?
    /// Whether coordinates have measures, which are not kept.
    public var hasMeasures = false

    /// Creates an encoded shape.
    public init(_ geometry: Geometry, srid: Int? = nil) {
        self.geometry = geometry
        self.srid = srid
    }
}

/// The kinds of shape of OGC 06-103r4 (Simple Feature Access) clause 8.2.8 and ISO 19125, by their numbers in well-known binary.
enum WellKnownKind: UInt32, CaseIterable {
    case point = 1
    case lineString, polygon, multiPoint, multiLineString, multiPolygon, geometryCollection
    case circularString, compoundCurve, curvePolygon, multiCurve, multiSurface
    case polyhedralSurface = 15
    case tin, triangle

    /// The word of well-known text.
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

    /// The kind of shape that it is read as; curves are read as their chords.
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

    /// Creates the kind that a shape is written as.
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

/// Adds the places of an arc string, each arc from the last place of the one before, to a shape as chords.
struct ArcGathering {
    private var arc: [(place: Coordinate, altitude: Double?)] = []

    /// Adds the next place of the string.
    mutating func add(_ place: Coordinate, _ altitude: Double?, to builder: inout GeometryBuilder) {
        arc.append((place, altitude))
        guard arc.count == 3 else {
            if arc.count == 1 { builder.add(place, altitude: altitude) }
            return
        }
        let chords = CircularArc.chords(from: arc[0].place, through: arc[1].place, to: arc[2].place)
        // Heights change evenly along the chords.
        for (number, chord) in chords.enumerated() {
            let share = Double(number + 1) / Double(chords.count)
            let height = arc[0].altitude.flatMap { first in arc[2].altitude.map { first + ($0 - first) * share } }
            builder.add(chord, altitude: height)
        }
        arc.removeFirst(2)
    }

    /// Adds what is left of a string that has an even number of places.
    mutating func end(to builder: inout GeometryBuilder) {
        for rest in arc.dropFirst() { builder.add(rest.place, altitude: rest.altitude) }
        arc.removeAll()
    }
}
