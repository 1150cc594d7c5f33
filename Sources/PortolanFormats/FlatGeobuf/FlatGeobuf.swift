public import PortolanFeatures
import PortolanGeo
package import PortolanWeb

/// FlatGeobuf 3: features in FlatBuffers, with a spatial index.
///
/// As a document it is read completely (``FlatGeobuf/Format``). As a dataset, the features in a box are found by the
/// index, and the rest of the file is not read. Curves are approximated by chords. Measures and times of coordinates,
/// and binary values, are omitted.
///
/// Source: flatgeobuf.org specification 3.
public struct FlatGeobuf: FeatureDataset {
    static let formatName = "FlatGeobuf"

    /// `FlatGeobuf`.
    public var name: String { Self.formatName }

    /// The single layer.
    public let layers: [FeatureLayerDescription]

    private let input: DatasetInput
    private let header: FlatGeobufHeader

    /// Opens a file, and reads its header only.
    ///
    /// - Throws: ``FeatureFileError``.
    public init(path: String) throws(FeatureFileError) {
        try self.init(DatasetInput(path: path, in: Self.formatName))
    }

    /// Reads the header of an open file.
    package init(_ file: LocalFile) throws(FeatureFileError) {
        try self.init(DatasetInput(file, in: Self.formatName))
    }

    /// Reads the header of a document.
    ///
    /// - Throws: ``FeatureFileError`` with the byte.
    public init(_ bytes: [UInt8]) throws(FeatureFileError) {
        try self.init(DatasetInput(bytes, in: Self.formatName))
    }

    private init(_ input: DatasetInput) throws(FeatureFileError) {
        self.input = input
        header = try FlatGeobufHeader(input)
        layers = [
            FeatureLayerDescription(
                name: header.name, crs: header.crs == .crs84 ? nil : header.crs,
                featureCount: header.featureCount > 0 ? header.featureCount : nil)
        ]
    }

    /// Reads the features whose boxes intersect that of the query, with the index if there is one.
    ///
    /// - Throws: ``FeatureFileError`` with the byte.
    /// - Complexity: linear in the features of the query with an index, otherwise in the length of the file.
    public func read(_ query: FeatureQuery, limits: FeatureLimits) throws -> FeatureCollection {
        if let box = query.box, let index = header.index { return try read(box, by: index, limits) }
        let bytes = try input.bytes(limit: limits.maximumByteCount)
        var gathering = try FeatureGathering(name, limits: limits, documentLength: bytes.count)
        var reader = FlatGeobufReader(bytes, header: header, limits: limits)
        var place = header.featureStart
        // No feature takes fewer bytes.
        if query.box == nil { gathering.expect(min(header.featureCount, bytes.count / 32)) }
        while place < bytes.count {
            let start = place
            let feature = try reader.feature(at: &place)
            if let box = query.box, feature.geometry?.boundingBox?.touches(box) != true { continue }
            try gathering.add(feature, at: .byte(start))
        }
        if query.box == nil, header.featureCount > 0, gathering.features.count != header.featureCount {
            let count = gathering.features.count
            gathering.warn(.note, "the header states \(header.featureCount) features, but there are \(count)")
        }
        return collection(&gathering, lossCount: reader.lossCount)
    }

    /// Reads the features in a box, and no others.
    private func read(
        _ box: BoundingBox, by index: FlatGeobufIndex, _ limits: FeatureLimits
    ) throws(FeatureFileError) -> FeatureCollection {
        var gathering = try FeatureGathering(name, limits: limits, documentLength: 0)
        var window = FlatGeobufWindow(input, limits: limits), lossCount = 0
        let places = try index.offsets(in: box, of: input, limits: limits).map { header.featureStart + $0 }
        for (number, place) in places.enumerated() {
            try window.move(to: place, before: number + 1 < places.count ? places[number + 1] : nil)
            var reader = FlatGeobufReader(window.bytes, header: header, limits: limits), local = place - window.start
            do throws(FeatureFileError) {
                try gathering.add(try reader.feature(at: &local), at: .byte(local))
            } catch { throw error.moved(by: window.start) }
            lossCount += reader.lossCount
        }
        return collection(&gathering, lossCount: lossCount)
    }

    private func collection(_ gathering: inout FeatureGathering, lossCount: Int) -> FeatureCollection {
        for note in header.notes { gathering.warn(.note, note) }
        if lossCount > 0 { gathering.warn(.omitted, "binary values and measures left out") }
        return gathering.collection(crs: layers[0].crs)
    }
}

extension FlatGeobuf: IndexedFeatureDataset {
    /// Returns whether the file has an index.
    package func isIndexed(layer: String?) -> Bool { header.index != nil }
}

extension FlatGeobuf {
    /// The format of FlatGeobuf documents that are read completely (``FlatGeobuf``).
    public struct Format: FeatureFormat {
        /// Creates the format.
        public init() {}

        /// `FlatGeobuf`.
        public var name: String { "FlatGeobuf" }

        /// Returns whether the document starts with the letters `fgb` and version 3.
        public func recognizes(_ start: ArraySlice<UInt8>) -> Bool { start.starts(with: FlatGeobufHeader.magic) }

        /// Reads a document.
        ///
        /// - Throws: ``FeatureFileError`` with the byte.
        /// - Complexity: linear in the length of the document.
        public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
            try FlatGeobuf(document).read(FeatureQuery(), limits: limits)
        }

        /// Writes a collection in its own CRS, with an index from 1,000 features on, which orders them by place.
        public func write(_ collection: FeatureCollection) -> [UInt8]? { FlatGeobufWriter.write(collection) }
    }
}

/// The header of a FlatGeobuf file.
struct FlatGeobufHeader {
    /// A property column.
    struct Column {
        let name: String
        let type: UInt8
    }

    static let magic: [UInt8] = [0x66, 0x67, 0x62, 0x03, 0x66, 0x67, 0x62]

    let name: String
    let geometryType: UInt8
    let hasHeights: Bool
    let columns: [Column]
    /// Whether all column names are distinct.
    let hasDistinctColumns: Bool
    let featureCount: Int
    let crs: CRS?
    let notes: [String]
    /// The index, or `nil` without one.
    let index: FlatGeobufIndex?
    /// The offset of the first feature.
    let featureStart: Int

    private static let maximumLength = 10 << 20
    /// The letters and the length before the header.
    private static let prefixLength = 12

    init(_ input: DatasetInput) throws(FeatureFileError) {
        let prefix = try input.bytes(0..<min(Self.prefixLength, input.byteCount))
        guard prefix.starts(with: Self.magic) else {
            throw FeatureFileError(.otherFormat, in: FlatGeobuf.formatName, at: .byte(0), "not FlatGeobuf version 3")
        }
        var reader = ByteReader(prefix, in: FlatGeobuf.formatName)
        try reader.skip(8)
        let length = try Int(reader.uint32()), start = Self.prefixLength
        guard length <= Self.maximumLength else { throw reader.fault(.limitExceeded, "the header exceeds 10 MiB") }
        let bytes = try input.bytes(0..<min(start + length, input.byteCount))
        reader = ByteReader(bytes, in: FlatGeobuf.formatName, range: start..<bytes.count)
        try reader.skip(length)
        let buffer = FlatBuffer(bytes, range: start..<(start + length))
        let root = try buffer.root()
        name = try buffer.string(0, root) ?? ""
        geometryType = try buffer.uint8(2, root) ?? 0
        hasHeights = try buffer.uint8(3, root) ?? 0 != 0
        columns = try Self.columns(7, root, buffer)
        hasDistinctColumns = Set(columns.map(\.name)).count == columns.count
        let count = try buffer.uint64(8, root) ?? 0
        let nodeSize = try Int(buffer.uint16(9, root) ?? 16)
        guard count <= UInt64(input.byteCount) else {
            throw reader.fault(.malformed, "it states \(count) features")
        }
        featureCount = Int(count)
        var notes: [String] = [], crs: CRS?
        if let system = try buffer.table(10, root) {
            let code = try buffer.int32(1, system) ?? 0, text = try buffer.string(4, system)
            if code > 0 { crs = CRS.epsg(Int(code)) }
            if crs == nil, let text { crs = try? CRS(wellKnownText: text) }
            if crs == nil, code > 0 || text != nil {
                let named = try buffer.string(2, system) ?? "EPSG:\(code)"
                crs = CRS(name: named, axisOrder: .eastNorth, unit: .meter)
                notes.append("unknown coordinate system '\(named.prefix(100))'")
            }
        }
        self.crs = crs.flatMap { $0 == .epsg4326 ? .crs84 : $0 }
        self.notes = notes
        guard nodeSize >= 2, featureCount > 0 else {
            index = nil
            featureStart = reader.position
            return
        }
        let index = FlatGeobufIndex(at: reader.position, featureCount: featureCount, nodeSize: nodeSize)
        guard index.range.upperBound <= input.byteCount else {
            throw reader.fault(.malformed, "unexpected end of data")
        }
        self.index = index
        featureStart = index.range.upperBound
    }

    static func columns(
        _ field: Int, _ table: FlatBuffer.Table, _ buffer: FlatBuffer
    ) throws(FeatureFileError) -> [Column] {
        var columns: [Column] = []
        for column in try buffer.tables(field, table) {
            columns.append(Column(name: try buffer.string(0, column) ?? "", type: try buffer.uint8(1, column) ?? 0))
        }
        return columns
    }
}
