import PortolanFeatures
import PortolanGeo

/// Reads the parts of well-known binary, each with its own byte order and type.
struct WKBParser {
    private struct Header {
        let kind: WellKnownKind
        let hasHeights: Bool
        let hasMeasures: Bool
        /// The size of a coordinate in bytes.
        var stride: Int { 16 + (hasHeights ? 8 : 0) + (hasMeasures ? 8 : 0) }
    }

    private let limits: FeatureLimits
    private var coordinateCount = 0
    /// The SRID in EWKB.
    private(set) var srid: Int?
    /// Whether there are measures.
    private(set) var hasMeasures = false

    init(limits: FeatureLimits) { self.limits = limits }

    /// Reads a geometry of any type.
    mutating func geometry(_ reader: inout ByteReader, depth: Int) throws(FeatureFileError) -> Geometry {
        guard depth < limits.maximumDepth else {
            throw reader.fault(.limitExceeded, "collections are nested deeper than \(limits.maximumDepth)")
        }
        let header = try header(&reader)
        var builder = GeometryBuilder()
        switch header.kind {
        case .geometryCollection:
            var children: [Geometry] = []
            for _ in 0..<(try reader.count(ofSize: 5)) { children.append(try geometry(&reader, depth: depth + 1)) }
            return .collection(children)
        case .point: try place(&reader, header, &builder)
        case .multiPoint:
            for _ in 0..<(try reader.count(ofSize: 21)) {
                try place(&reader, try self.header(&reader, of: [.point]), &builder)
            }
        case .lineString, .circularString, .compoundCurve: try curve(&reader, header, &builder)
        case .multiLineString, .multiCurve:
            for _ in 0..<(try reader.count(ofSize: 9)) {
                try curve(&reader, try self.header(&reader, of: Self.curves), &builder)
                builder.endLine()
            }
        case .polygon, .triangle, .curvePolygon: try area(&reader, header, &builder)
        case .multiPolygon, .multiSurface, .polyhedralSurface, .tin:
            for _ in 0..<(try reader.count(ofSize: 9)) {
                try area(&reader, try self.header(&reader, of: Self.areas), &builder)
                builder.endPolygon()
            }
        }
        // An empty point has NaN coordinates. Elsewhere these are ignored faults.
        return builder.geometry(header.kind.geometryKind)
    }

    private static let curves: Set<WellKnownKind> = [.lineString, .circularString, .compoundCurve]
    private static let areas: Set<WellKnownKind> = [.polygon, .curvePolygon, .triangle]

    private mutating func header(
        _ reader: inout ByteReader, of kinds: Set<WellKnownKind>? = nil
    ) throws(FeatureFileError) -> Header {
        let order = try reader.uint8()
        guard order <= 1 else {
            reader.position -= 1
            throw reader.fault(.malformed, "the byte order \(order) must be 0 or 1")
        }
        reader.isBigEndian = order == 0
        let code = try reader.uint32()
        if code & 0x2000_0000 != 0 {
            let number = try reader.int32()
            if srid == nil, number > 0 { srid = Int(number) }
        }
        let dimensions = (code & 0xFFFF) / 1000
        guard code & 0x1FFF_0000 == 0, dimensions <= 3, let kind = WellKnownKind(rawValue: (code & 0xFFFF) % 1000)
        else {
            throw reader.fault(.unsupported, "unknown geometry type \(code)")
        }
        guard kinds?.contains(kind) ?? true else {
            throw reader.fault(.malformed, "a \(kind.word) is not allowed here")
        }
        let hasHeights = code & 0x8000_0000 != 0 || dimensions == 1 || dimensions == 3
        let isMeasured = code & 0x4000_0000 != 0 || dimensions >= 2
        if isMeasured { hasMeasures = true }
        return Header(kind: kind, hasHeights: hasHeights, hasMeasures: isMeasured)
    }

    @inline(__always)
    private mutating func coordinate(
        _ reader: inout ByteReader, _ header: Header
    ) throws(FeatureFileError) -> (Coordinate, Double?) {
        let x = try reader.double(), y = try reader.double()
        let height = header.hasHeights ? try reader.double() : nil
        if header.hasMeasures { try reader.skip(8) }
        return (Coordinate(x: x, y: y), height)
    }

    private mutating func place(
        _ reader: inout ByteReader, _ header: Header, _ builder: inout GeometryBuilder
    ) throws(FeatureFileError) {
        try count(1, reader)
        let (place, height) = try coordinate(&reader, header)
        builder.add(place, altitude: height)
    }

    private mutating func count(_ more: Int, _ reader: ByteReader) throws(FeatureFileError) {
        coordinateCount += more
        guard coordinateCount <= limits.maximumCoordinateCount else {
            throw reader.fault(.limitExceeded, "more than \(limits.maximumCoordinateCount) coordinates")
        }
    }

    /// Adds the coordinates of a curve to the open part.
    private mutating func curve(
        _ reader: inout ByteReader, _ header: Header, _ builder: inout GeometryBuilder
    ) throws(FeatureFileError) {
        if header.kind == .compoundCurve {
            for _ in 0..<(try reader.count(ofSize: 9)) {
                try curve(&reader, try self.header(&reader, of: [.lineString, .circularString]), &builder)
            }
            return
        }
        let number = try reader.count(ofSize: header.stride)
        try count(number, reader)
        builder.reserve(number)
        guard header.kind == .circularString else {
            if header.stride == 16, !reader.isBigEndian, builder.openCount == 0 {
                return try reader.pairs(number, to: &builder)
            }
            for index in 0..<number {
                let (place, height) = try coordinate(&reader, header)
                // A segment of a compound curve starts at the end of the previous one.
                if index > 0 || place != builder.last { builder.add(place, altitude: height) }
            }
            return
        }
        var arcs = ArcGathering()
        for index in 0..<number {
            let (place, height) = try coordinate(&reader, header)
            if index == 0, place == builder.last { builder.dropLast() }
            arcs.add(place, height, to: &builder)
        }
        arcs.end(to: &builder)
    }

    /// Adds the rings of an area.
    private mutating func area(
        _ reader: inout ByteReader, _ header: Header, _ builder: inout GeometryBuilder
    ) throws(FeatureFileError) {
        for _ in 0..<(try reader.count(ofSize: 4)) {
            if header.kind == .curvePolygon {
                try curve(&reader, try self.header(&reader, of: Self.curves), &builder)
            } else {
                try curve(
                    &reader,
                    Header(kind: .lineString, hasHeights: header.hasHeights, hasMeasures: header.hasMeasures), &builder)
            }
            builder.endRing()
        }
    }
}
