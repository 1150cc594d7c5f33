import PortolanXML

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
