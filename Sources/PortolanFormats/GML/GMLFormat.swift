public import PortolanFeatures
public import PortolanGeo
import PortolanXML

/// GML 2, 3.1 and 3.2 simple features, as written by Web Feature Services and many programs.
///
/// The child elements of a feature become its properties. A property whose values are all numbers becomes numeric, a
/// repeated name a list, and an element with children an object. If there are several feature types, the property
/// `typeName` has the type.
///
/// The first geometry of a feature is used. Coordinates remain in the CRS of the first geometry of the document; those
/// in other CRSs are transformed to it. `EPSG:4326` means longitude first; `urn:` and `http://www.opengis.net/def`
/// names mean the axis order of the CRS (OGC 09-048r5). Geometries without a CRS have that of the collection's
/// `boundedBy`. The feature counts of a Web Feature Service (`numberMatched`, `next`) become members of the collection.
/// Bare geometries and MapServer's `msGMLOutput` are supported as well.
///
/// Source: OGC 02-069, OGC 07-036; level SF-0 and SF-1 of OGC 10-100r3, and arcs.
public struct GMLFormat: FeatureFormat {
    /// The axis order of all coordinates, for servers that declare a wrong one; `nil` to use that of the CRS names.
    public var axisOrder: CRS.AxisOrder?

    /// Creates the format.
    public init(axisOrder: CRS.AxisOrder? = nil) { self.axisOrder = axisOrder }

    /// `GML`.
    public var name: String { "GML" }

    /// Returns whether the first element is a feature collection or a GML geometry.
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
    /// Unreadable geometries are omitted with a warning, and their features kept.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        try GMLReader.read(document, axisOrder: axisOrder, limits: limits)
    }
}

/// The relevant GML elements, in the order of their numbers.
enum GMLWord: UInt8, CaseIterable {
    /// Any other element.
    case other
    // Geometries, whose names start with an uppercase letter.
    case point, lineString, linearRing, ring, polygon, curve, compositeCurve, orientableCurve, surface, compositeSurface
    case orientableSurface, polyhedralSurface, triangulatedSurface, tin, triangle, rectangle, multiPoint
    case multiLineString, multiCurve, multiPolygon, multiSurface, multiGeometry, geometryCollection, box, envelope, arc
    case arcString, circle, arcByCenterPoint, circleByCenterPoint
    // Parts of geometries with uppercase names.
    case lineStringSegment, geodesicString, geodesic, cubicSpline, bSpline, bezier, polygonPatch
    // Properties, with lowercase names.
    case segments, curveMember, curveMembers, segmentMember, baseCurve, pos, lowerCorner, upperCorner, posList
    case coordinates, coord, pointProperty, pointRep, exterior, outerBoundaryIs, interior, innerBoundaryIs, pointMember
    case pointMembers, lineStringMember, polygonMember, surfaceMember, surfaceMembers, boundedBy

    static let vocabulary = XMLVocabulary(allCases.dropFirst().map(\.name))

    /// The name in documents.
    var name: String {
        let word = "\(self)"
        return rawValue < Self.segments.rawValue ? word.prefix(1).uppercased() + word.dropFirst() : word
    }

    /// Whether it is the name of a geometry.
    var isGeometry: Bool { (Self.point.rawValue...Self.circleByCenterPoint.rawValue).contains(rawValue) }
}

extension XMLElement {
    /// The GML element with this local name.
    var word: GMLWord { GMLWord(rawValue: code(in: GMLWord.vocabulary)) ?? .other }
}
