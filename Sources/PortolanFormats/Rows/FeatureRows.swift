package import PortolanFeatures
import PortolanWeb

/// The rows of a database table as a document: one feature per row.
///
/// The document begins with ``FeatureRows/mark``, a byte that states whether rows were cut off, the number of columns,
/// and the kind and name of each column. The rows follow: for each column the length of the value and its bytes, as
/// PostgreSQL sends them in binary form; the length of NULL is -1. Numbers are big-endian.
package struct FeatureRows: Sendable {
    /// The meaning of a column, and the form of its values.
    package enum Column: UInt8, Sendable {
        /// The geometry, in well-known binary.
        case geometry = 0
        /// The identifier: an integer of eight bytes, or a text.
        case integerID, textID
        /// Attributes: a byte, eight bytes, eight bytes, UTF-8, and UTF-8 with JSON.
        case bool, integer, number, text, json
    }

    /// The first bytes of a document.
    package static let mark = Array("PTLROWS1".utf8)

    /// The features in the order of the rows.
    package let collection: FeatureCollection
    /// Whether the table has more rows than the document.
    package let isCut: Bool

    /// Reads a document.
    ///
    /// A row whose geometry cannot be read is left out, with a warning.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the number of bytes.
    package init(_ bytes: [UInt8], limits: FeatureLimits) throws(FeatureFileError) {
        var gathering = try FeatureGathering("rows", limits: limits, documentLength: bytes.count)
        var reader = ByteReader(bytes, in: "rows")
        reader.isBigEndian = true
        guard bytes.starts(with: Self.mark) else { throw reader.fault(.otherFormat, "not rows of a table") }
        try reader.skip(Self.mark.count)
        isCut = try reader.uint8() != 0
        var columns: [(kind: Column, name: String)] = []
        for _ in 0..<(try reader.uint16()) {
            guard let kind = Column(rawValue: try reader.uint8()) else {
                throw reader.fault(.malformed, "unknown kind of column")
            }
            columns.append((kind, try Self.text(&reader, count: Int(try reader.uint16()))))
        }
        guard !columns.isEmpty || reader.isAtEnd else { throw reader.fault(.malformed, "rows without columns") }
        var number = 0
        while !reader.isAtEnd {
            number += 1
            var feature = Feature(geometry: nil), fault: String?
            for column in columns {
                let length = Int(try reader.int32())
                guard length >= 0 else { continue }
                try reader.need(length)
                let start = reader.position
                if column.kind == .geometry {
                    do throws(FeatureFileError) {
                        let shape = try WKB.read(Array(bytes[start..<start + length]), limits: limits).geometry
                        feature.geometry = shape.isEmpty ? nil : shape
                    } catch {
                        guard error.code == .malformed || error.code == .unsupported else { throw error }
                        fault = error.detail
                    }
                    try reader.skip(length)
                    continue
                }
                let value = try Self.value(&reader, column.kind, count: length)
                guard reader.position == start + length else {
                    throw reader.fault(.malformed, "the value of '\(column.name)' has \(length) bytes")
                }
                switch (column.kind, value) {
                case (.integerID, .integer(let id)): feature.id = .integer(id)
                case (.textID, .string(let id)): feature.id = .string(id)
                default: feature.properties[column.name] = value
                }
            }
            if let fault {
                gathering.warn(.omitted, feature: "\(number)", "cannot read its geometry: \(fault)")
                continue
            }
            try gathering.add(feature, at: .record(number))
        }
        collection = gathering.collection()
    }

    private static func value(
        _ reader: inout ByteReader, _ kind: Column, count: Int
    ) throws(FeatureFileError) -> PropertyValue {
        switch kind {
        case .bool: return .bool(try reader.uint8() != 0)
        case .integer, .integerID: return .integer(Int(Int64(bitPattern: try reader.uint64())))
        case .number: return .number(try reader.double())
        case .text, .textID, .geometry: return .string(try text(&reader, count: count))
        case .json:
            let text = try text(&reader, count: count)
            return (try? JSONReader.value(bytes: Array(text.utf8))) ?? .string(text)
        }
    }

    private static func text(_ reader: inout ByteReader, count: Int) throws(FeatureFileError) -> String {
        try reader.need(count)
        let text = String(decoding: reader.bytes[reader.position..<reader.position + count], as: UTF8.self)
        try reader.skip(count)
        return text
    }
}
