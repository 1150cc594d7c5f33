import PortolanFeatures
import PortolanProtobuf

/// Recognizes Protocol Buffers messages by their fields.
enum WireOutline {
    /// The maximum number of examined fields.
    private static let mostFields = 1000
    /// Larger field numbers are unlikely.
    private static let greatestNumber = 1 << 28

    /// Returns the kind of a message, or `nil` for other bytes.
    static func kind(of bytes: [UInt8]) -> FeatureFileError.FileKind? {
        let span = bytes.span
        var cursor = WireCursor(0..<bytes.count)
        guard let first = field(&cursor, in: span) else { return nil }
        // The header (1) of GTFS Realtime starts with its version (1), such as "2.0". A vector tile only has layers
        // (3).
        if first.number == 1, first.kind == .bytes, first.end - first.start >= 5 {
            let header = bytes[first.start..<first.end]
            if header.first == 0x0A, header.dropFirst(2).first.map({ (0x30...0x39).contains($0) }) == true,
                header.dropFirst(3).first == UInt8(ascii: ".")
            {
                return .gtfsRealtime
            }
        }
        var numbers: Set<Int> = [first.number], isTile = isLayer(first, in: span), count = 1
        while cursor.position < cursor.end {
            guard count < mostFields else { break }
            guard let field = field(&cursor, in: span) else { return nil }
            numbers.insert(field.number)
            isTile = isTile && isLayer(field, in: span)
            count += 1
        }
        if isTile { return .vectorTile }
        return numbers.max().map { $0 <= 1000 } == true && count > 1 ? .protobuf : nil
    }

    /// Returns whether a field is a tile layer, which has a name (1), features (2) and a version (15).
    private static func isLayer(_ layer: WireField, in span: Span<UInt8>) -> Bool {
        guard layer.number == 3, layer.kind == .bytes else { return false }
        var cursor = WireCursor(layer.start..<layer.end), numbers: Set<Int> = []
        while cursor.position < cursor.end {
            guard let inner = field(&cursor, in: span) else { return false }
            numbers.insert(inner.number)
        }
        return numbers.contains(1) && numbers.isSubset(of: [1, 2, 3, 4, 5, 15])
    }

    /// Returns the next field, or `nil` at the end and for groups, which are obsolete.
    private static func field(_ cursor: inout WireCursor, in span: Span<UInt8>) -> WireField? {
        guard let field = try? cursor.next(in: span), field.kind != .group, field.number <= greatestNumber else {
            return nil
        }
        return field
    }
}
