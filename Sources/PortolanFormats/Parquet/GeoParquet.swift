public import PortolanFeatures
import PortolanGeo
package import PortolanWeb

/// GeoParquet 1.0 and 1.1: features in columns that are compressed separately.
///
/// Files with the geometry types of Parquet itself (GeoParquet 2.0) are read as well. The layers are the geometry
/// columns, of which the first is the primary one. A box is read without the row groups that are outside, if
/// the file states the boxes of its features (`covering`) or of its row groups.
///
/// Pages may be uncompressed or compressed by Snappy, gzip or, with the trait `Images`, Zstandard.
///
/// Columns of texts, numbers, truth values, dates, times and JSON become properties. Dates and times become text in
/// ISO 8601. Missing values are left out, and so are lists, groups and binary values, with a warning.
///
/// Source: GeoParquet 1.1.0; Apache Parquet format 2.12.
public struct GeoParquet: FeatureDataset {
    static let formatName = "GeoParquet"
    static let mark = Array("PAR1".utf8)
    private static let encryptedMark = Array("PARE".utf8)
    private static let maximumFooterLength = 64 << 20

    /// `GeoParquet`.
    public var name: String { Self.formatName }

    /// A layer for each geometry column, with the name of the column; the primary one first.
    public let layers: [FeatureLayerDescription]

    let input: DatasetInput
    let footer: ParquetFooter
    let metadata: GeoParquetMetadata

    /// Opens a file, and reads its footer only.
    ///
    /// - Throws: ``FeatureFileError``.
    public init(path: String) throws(FeatureFileError) {
        try self.init(DatasetInput(path: path, in: Self.formatName))
    }

    /// Reads the footer of an open file.
    package init(_ file: LocalFile) throws(FeatureFileError) {
        try self.init(DatasetInput(file, in: Self.formatName))
    }

    /// Reads the footer of a document.
    ///
    /// - Throws: ``FeatureFileError`` with the byte.
    public init(_ bytes: [UInt8]) throws(FeatureFileError) {
        try self.init(DatasetInput(bytes, in: Self.formatName))
    }

    private init(_ input: DatasetInput) throws(FeatureFileError) {
        self.input = input
        let count = input.byteCount
        guard count >= 12 else { throw ParquetFault.malformed("it is too short").error(at: count) }
        let end = try input.bytes(count - 8..<count)
        guard Array(end[4...]) != Self.encryptedMark else {
            throw ParquetFault(.encrypted, "the file is encrypted").error(at: nil)
        }
        guard Array(end[4...]) == Self.mark else {
            throw ParquetFault.malformed("the mark at its end is missing; it may be incomplete").error(at: count - 4)
        }
        let length = (0..<4).reduce(0) { $0 | Int(end[$1]) << (8 * $1) }
        guard length <= Self.maximumFooterLength else {
            throw ParquetFault(.limitExceeded, "the footer exceeds 64 MiB").error(at: count - 8)
        }
        guard length <= count - 12 else {
            throw ParquetFault.malformed("the footer is longer than the file").error(at: count - 8)
        }
        let bytes = try input.bytes(count - 8 - length..<count - 8)
        do throws(ParquetFault) {
            footer = try ParquetFooter(bytes)
            metadata = try GeoParquetMetadata(footer)
        } catch { throw error.error(at: count - 8 - length) }
        let rowCount = footer.rowCount
        layers = metadata.columns.map { FeatureLayerDescription(name: $0.name, crs: $0.crs, featureCount: rowCount) }
    }

    /// Reads the features whose boxes intersect that of the query.
    ///
    /// Without a layer, the geometries of the primary column are read.
    ///
    /// - Throws: ``FeatureFileError`` with the byte.
    /// - Complexity: linear in the row groups that the box touches.
    public func read(_ query: FeatureQuery, limits: FeatureLimits) throws -> FeatureCollection {
        try read(query, within: limits)
    }

    private func read(_ query: FeatureQuery, within limits: FeatureLimits) throws(FeatureFileError) -> FeatureCollection
    {
        guard let column = metadata.columns.first(where: { query.layer == nil || $0.name == query.layer }) else {
            let names = metadata.columns.map { "'\($0.name)'" }.joined(separator: ", ")
            throw FeatureFileError(
                .unreadable, in: name, "no geometry column '\(query.layer ?? "")'; it has \(names)")
        }
        var reader = try GeoParquetReader(self, column, limits: limits)
        return try reader.collection(in: query.box)
    }
}

extension GeoParquet: IndexedFeatureDataset {
    /// Returns whether the file states the boxes of the features (`covering`), or of all row groups.
    package func isIndexed(layer: String?) -> Bool {
        guard let column = metadata.columns.first(where: { layer == nil || $0.name == layer }),
            let field = footer.schema.fields.first(where: { $0.name == column.name })
        else { return false }
        if GeoParquetReader.sides(of: column, in: footer.schema) != nil { return true }
        return footer.rowGroups.allSatisfy { group in
            group.chunks[field.columns.lowerBound].sides.allSatisfy { $0 != nil }
        }
    }
}

extension GeoParquet {
    /// The format of GeoParquet documents that are read completely (``GeoParquet``).
    public struct Format: FeatureFormat {
        /// Creates the format.
        public init() {}

        /// `GeoParquet`.
        public var name: String { GeoParquet.formatName }

        /// Returns whether the document starts with the mark of Parquet.
        public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
            start.starts(with: GeoParquet.mark) || start.starts(with: GeoParquet.encryptedMark)
        }

        /// Reads a document.
        ///
        /// - Throws: ``FeatureFileError`` with the byte.
        public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
            try GeoParquet(document).read(FeatureQuery(), limits: limits)
        }

        /// Writes a collection, or returns `nil` if its CRS cannot be described (``GeoParquet/Writer``).
        public func write(_ collection: FeatureCollection) -> [UInt8]? { try? GeoParquet.Writer.write(collection) }
    }
}
