public import PortolanFeatures
import PortolanGeo

/// Well-known binary: ISO 13249-3 and OGC 06-103r4 clause 8.2, the extended form of PostGIS (EWKB), and GeoPackage
/// blobs (OGC 12-128r18 clause 2.1.3).
///
/// ```swift
/// let shape = try WKB.read(bytes)
/// print(shape.geometry.coordinateCount)
/// ```
///
/// Circular arcs and compound curves are approximated by chords. Polyhedral surfaces and triangulations become
/// polygons. Measures are omitted.
public enum WKB {
    private static let name = "WKB"

    /// Reads one geometry, which must fill all bytes.
    ///
    /// A GeoPackage header is allowed.
    ///
    /// - Throws: ``FeatureFileError`` with the byte.
    /// - Complexity: linear in the number of bytes.
    public static func read(
        _ bytes: [UInt8], limits: FeatureLimits = FeatureLimits()
    ) throws(FeatureFileError) -> EncodedGeometry {
        var reader = ByteReader(bytes, in: name)
        let shape = try read(&reader, limits: limits)
        guard reader.isAtEnd else { throw reader.fault(.malformed, "unexpected bytes after the geometry") }
        return shape
    }

    /// Reads the next of consecutive geometries.
    static func read(
        _ reader: inout ByteReader, limits: FeatureLimits
    ) throws(FeatureFileError) -> EncodedGeometry {
        let header = try GeoPackageHeader(&reader)
        var parser = WKBParser(limits: limits)
        let geometry = try parser.geometry(&reader, depth: 0)
        var shape = EncodedGeometry(geometry, srid: parser.srid ?? header?.srid)
        shape.hasMeasures = parser.hasMeasures
        return shape
    }

    /// Returns the geometry in ISO well-known binary, or in EWKB if it has an `srid`; little-endian.
    ///
    /// A coordinate without an altitude among others with one gets 0.
    ///
    /// - Complexity: linear in the coordinates.
    public static func write(_ shape: EncodedGeometry) -> [UInt8] {
        var output = ByteWriter()
        write(shape.geometry, srid: shape.srid, isExtended: shape.srid != nil, to: &output)
        return output.bytes
    }

    private static func write(_ geometry: Geometry, srid: Int?, isExtended: Bool, to output: inout ByteWriter) {
        let hasHeights = geometry.hasAltitudes
        var code = WellKnownKind(geometry.kind).rawValue
        if isExtended { code |= hasHeights ? 0x8000_0000 : 0 } else if hasHeights { code += 1000 }
        if srid != nil { code |= 0x2000_0000 }
        output.add(UInt8(1))
        output.add(code)
        if let srid { output.add(UInt32(truncatingIfNeeded: srid)) }
        func places(_ range: Range<Int>) {
            for index in range {
                output.add(geometry.coordinates[index].x)
                output.add(geometry.coordinates[index].y)
                if hasHeights { output.add(geometry.altitude(at: index) ?? 0) }
            }
        }
        func header(_ kind: WellKnownKind) {
            output.add(UInt8(1))
            output.add(
                isExtended ? kind.rawValue | (hasHeights ? 0x8000_0000 : 0) : kind.rawValue + (hasHeights ? 1000 : 0))
        }
        func rings(_ rings: Geometry.Parts) {
            output.add(UInt32(rings.count))
            for ring in rings {
                output.add(UInt32(ring.count))
                places(ring.indices)
            }
        }
        switch geometry.kind {
        case .point:
            // An empty point has NaN coordinates.
            guard geometry.coordinates.isEmpty else { return places(0..<1) }
            for _ in 0..<(hasHeights ? 3 : 2) { output.add(Double.nan) }
        case .multiPoint:
            output.add(UInt32(geometry.coordinates.count))
            for index in geometry.coordinates.indices {
                header(.point)
                places(index..<(index + 1))
            }
        case .lineString:
            output.add(UInt32(geometry.coordinates.count))
            places(geometry.coordinates.indices)
        case .multiLineString:
            output.add(UInt32(geometry.parts.count))
            for part in geometry.parts {
                header(.lineString)
                output.add(UInt32(part.count))
                places(part.indices)
            }
        case .polygon: rings(geometry.parts)
        case .multiPolygon:
            output.add(UInt32(geometry.polygons.count))
            for polygon in geometry.polygons {
                header(.polygon)
                rings(polygon)
            }
        case .collection:
            output.add(UInt32(geometry.children.count))
            for child in geometry.children { write(child, srid: nil, isExtended: isExtended, to: &output) }
        }
    }
}

/// The header of the well-known binary in a GeoPackage (OGC 12-128r18 clause 2.1.3.1.1).
struct GeoPackageHeader {
    /// The SRID, or `nil` for values below 1, which mean an undefined CRS.
    let srid: Int?

    /// Skips the header.
    ///
    /// Returns `nil` without advancing the reader if there is no header.
    init?(_ reader: inout ByteReader) throws(FeatureFileError) {
        guard reader.remaining >= 8, reader.bytes[reader.position] == 0x47, reader.bytes[reader.position + 1] == 0x50
        else { return nil }
        try reader.skip(3)
        let flags = try reader.uint8()
        reader.isBigEndian = flags & 1 == 0
        let number = try reader.int32()
        srid = number > 0 ? Int(number) : nil
        guard flags & 0x20 == 0 else {
            throw reader.fault(.unsupported, "the geometry is a vendor extension")
        }
        let sizes = [0, 32, 48, 48, 64], kind = Int(flags >> 1 & 7)
        guard kind < sizes.count else { throw reader.fault(.malformed, "unknown type of bounding box") }
        try reader.skip(sizes[kind])
    }
}

extension Geometry {
    /// Whether a coordinate of the geometry or its children has an altitude.
    var hasAltitudes: Bool { altitudes.contains { $0 != nil } || children.contains(where: \.hasAltitudes) }

    /// Returns the altitude of a coordinate, or `nil` if it has none.
    func altitude(at index: Int) -> Double? { altitudes.isEmpty ? nil : altitudes[index] }
}
