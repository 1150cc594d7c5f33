public import PortolanFeatures
public import PortolanGeo
import PortolanXML

/// GML 2, 3.1 and 3.2 simple features, as Web Feature Services and many programs write them.
///
/// The elements of a feature are its properties; a name whose every value in the document is a number has numbers, one that is
/// there twice a list, and one with elements inside an object. Where features are of several types, `typeName` tells that of each.
/// The first geometry counts. Coordinates stay in the system of the first geometry; those of others are brought into it. `EPSG:4326`
/// means longitude first, `urn:` and `http://www.opengis.net/def` the order of the system's axes (OGC 09-048r5), and geometries
/// that name no system are in that of the collection's `boundedBy`. What a Web Feature Service says of how many features there are
/// (`numberMatched`, `next`) are members of the collection. Also read are bare geometries and MapServer's `msGMLOutput`.
///
/// Source: OGC 02-069, OGC 07-036; level SF-0 and SF-1 of OGC 10-100r3, and arcs.
public struct GMLFormat: FeatureFormat {
    /// The order of all coordinates, for servers that write another than they say; `nil` where the names of systems decide.
    public var axisOrder: AxisOrder?

    /// Makes the format.
    public init(axisOrder: AxisOrder? = nil) { self.axisOrder = axisOrder }

    /// `GML`.
    public var name: String { "GML" }

    /// Whether the first element is a collection of features, or a geometry of GML.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        guard let root = XMLRoot(start) else { return false }
        return Self.isCollection(root.name)
            || GMLGeometryReader.names.contains(root.name) && root.rest.contains("opengis.net/gml")
    }

    static func isCollection(_ name: String) -> Bool {
        name.hasSuffix("FeatureCollection") || name == "msGMLOutput" || name == "ValueCollection"
    }

    /// Reads a document.
    ///
    /// Geometries that cannot be read are left out with a warning, and their features kept.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        try GMLReader.read(document, axisOrder: axisOrder, limits: limits)
    }
}

/// The elements of GML that are looked at, as their names are numbered.
enum GMLWord: UInt8, CaseIterable {
    /// Any other.
    case other
    // Geometries, whose names begin with a capital letter.
    case point, lineString, linearRing, ring, polygon, curve, compositeCurve, orientableCurve, surface, compositeSurface
    case orientableSurface, polyhedralSurface, triangulatedSurface, tin, triangle, rectangle, multiPoint
    case multiLineString, multiCurve, multiPolygon, multiSurface, multiGeometry, geometryCollection, box, envelope, arc
    case arcString, circle, arcByCenterPoint, circleByCenterPoint
    // Parts of geometries with such names.
    case lineStringSegment, geodesicString, geodesic, cubicSpline, bSpline, bezier, polygonPatch
    // Properties, whose names do not.
    case segments, curveMember, curveMembers, segmentMember, baseCurve, pos, lowerCorner, upperCorner, posList
    case coordinates, coord, pointProperty, pointRep, exterior, outerBoundaryIs, interior, innerBoundaryIs, pointMember
    case pointMembers, lineStringMember, polygonMember, surfaceMember, surfaceMembers, boundedBy

    static let vocabulary = XMLVocabulary(allCases.dropFirst().map(\.name))

    /// The name as it stands in documents.
    var name: String {
        let word = "\(self)"
        return rawValue < Self.segments.rawValue ? word.prefix(1).uppercased() + word.dropFirst() : word
    }

    /// Whether it is the name of a geometry.
    var isGeometry: Bool { (Self.point.rawValue...Self.circleByCenterPoint.rawValue).contains(rawValue) }
}

extension XMLElement {
    /// Which element of GML it is, by its name alone.
    var word: GMLWord { GMLWord(rawValue: code(in: GMLWord.vocabulary)) ?? .other }
}
