public import PortolanFeatures
import PortolanGeo

/// Well-known text: OGC 06-103r4 clause 7 and ISO 13249-3, and the extended form of PostGIS, `SRID=4326;POINT(24.9
/// 60.2)`.
///
/// Case is ignored. Circular arcs and compound curves are approximated by chords. Polyhedral surfaces and
/// triangulations become polygons. Measures are omitted.
///
/// ```swift
/// let shape = try WKT.read("POINT(24.9 60.2)")
/// let text = WKT.write(shape)
/// ```
public enum WKT {
    /// Reads one geometry, which must be the whole text.
    ///
    /// - Throws: ``FeatureFileError`` with the byte.
    /// - Complexity: linear in the length.
    public static func read(
        _ text: String, limits: FeatureLimits = FeatureLimits()
    ) throws(FeatureFileError) -> EncodedGeometry {
        try read(Array(text.utf8), limits: limits)
    }

    /// Reads one geometry, which must be all bytes of a text in UTF-8.
    static func read(
        _ bytes: [UInt8], offset: Int = 0, limits: FeatureLimits
    ) throws(FeatureFileError) -> EncodedGeometry {
        var parser = WKTParser(bytes, offset: offset, limits: limits)
        return try parser.shape()
    }

    /// Returns the geometry as text, in EWKT if it has an `srid`.
    ///
    /// Numbers have the shortest exact form, or the given number of decimals.
    ///
    /// A coordinate without an altitude among others with one gets 0.
    ///
    /// - Complexity: linear in the coordinates.
    public static func write(_ shape: EncodedGeometry, decimals: Int? = nil) -> String {
        var text = shape.srid.map { "SRID=\($0);" } ?? ""
        write(shape.geometry, decimals, to: &text)
        return text
    }

    private static func write(_ geometry: Geometry, _ decimals: Int?, to text: inout String) {
        let hasHeights = geometry.hasAltitudes
        text += WellKnownKind(geometry.kind).word
        if hasHeights { text += " Z " }
        guard !geometry.coordinates.isEmpty || !geometry.children.isEmpty else {
            text += " EMPTY"
            return
        }
        func places(_ range: Range<Int>) {
            for index in range {
                if index > range.lowerBound { text += "," }
                let place = geometry.coordinates[index]
                text +=
                    DecimalText.text(place.x, decimals: decimals) + " " + DecimalText.text(place.y, decimals: decimals)
                if hasHeights { text += " " + DecimalText.text(geometry.altitude(at: index) ?? 0, decimals: decimals) }
            }
        }
        func list(_ count: Int, _ item: (Int) -> Void) {
            text += "("
            for index in 0..<count {
                if index > 0 { text += "," }
                item(index)
            }
            text += ")"
        }
        func parts(_ parts: Geometry.Parts) {
            list(parts.count) { index in
                text += "("
                places(parts[index].indices)
                text += ")"
            }
        }
        switch geometry.kind {
        case .point, .lineString: list(1) { _ in places(geometry.coordinates.indices) }
        case .multiPoint:
            list(geometry.coordinates.count) { index in
                text += "("
                places(index..<(index + 1))
                text += ")"
            }
        case .multiLineString, .polygon: parts(geometry.parts)
        case .multiPolygon: list(geometry.polygons.count) { parts(geometry.polygons[$0]) }
        case .collection: list(geometry.children.count) { write(geometry.children[$0], decimals, to: &text) }
        }
    }
}

/// Formats decimal numbers in documents.
enum DecimalText {
    /// Returns the shortest text that reads back as the number, or one with at most `decimals` decimals without
    /// trailing zeros.
    static func text(_ value: Double, decimals: Int?) -> String {
        guard let decimals, value.isFinite else { return JSONNumber.text(value) }
        return JSONNumber.text(rounded(value, decimals: decimals))
    }

    /// Returns the number with at most `decimals` decimals.
    ///
    /// Numbers too large for that are unchanged.
    static func rounded(_ value: Double, decimals: Int) -> Double {
        guard (0...15).contains(decimals) else { return value }
        var factor = 1.0
        for _ in 0..<decimals { factor *= 10 }
        let scaled = (value * factor).rounded(.toNearestOrAwayFromZero)
        guard abs(scaled) < 9e15 else { return value }
        return scaled / factor
    }
}
