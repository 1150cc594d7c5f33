public import PortolanFeatures
import PortolanGeo
import PortolanWeb

/// FlatGeobuf 3: features in FlatBuffers, with a spatial index.
///
/// As a document it is read completely (``FlatGeobuf/Format``). As a dataset, the features in a box are found by the
/// index without reading the rest of the file. Curves are approximated by chords. Measures and times of coordinates,
/// and binary values, are omitted.
///
/// Source: flatgeobuf.org specification 3.
public struct FlatGeobuf: FeatureDataset {
    /// `FlatGeobuf`.
    public var name: String { "FlatGeobuf" }

    /// The single layer.
    public let layers: [FeatureLayerDescription]

    let bytes: [UInt8]
    let header: FlatGeobufHeader

    /// Opens a file.
    ///
    /// - Throws: ``FeatureFileError``.
    public init(path: String, limits: FeatureLimits = FeatureLimits()) throws(FeatureFileError) {
        let bytes: [UInt8]
        do throws(LocalFileError) { bytes = try LocalFile(at: path).bytes(limit: limits.maximumByteCount) } catch {
            throw FeatureFileError(error, in: "FlatGeobuf")
        }
        try self.init(bytes)
    }

    /// Reads the header of a document.
    ///
    /// - Throws: ``FeatureFileError`` with the byte.
    public init(_ bytes: [UInt8]) throws(FeatureFileError) {
        self.bytes = bytes
        header = try FlatGeobufHeader(bytes)
        layers = [
            FeatureLayerDescription(
                name: header.name, crs: header.crs == .crs84 ? nil : header.crs,
                featureCount: header.featureCount > 0 ? header.featureCount : nil)
        ]
    }

    /// Reads the features whose boxes intersect that of the query, with the index if there is one.
    ///
    /// - Throws: ``FeatureFileError`` with the byte.
    public func read(_ query: FeatureQuery, limits: FeatureLimits) throws -> FeatureCollection {
        var gathering = try FeatureGathering(name, limits: limits, documentLength: bytes.count)
        for note in header.notes { gathering.warn(.note, note) }
        var reader = FlatGeobufReader(bytes, header: header, limits: limits)
        if let box = query.box, header.indexRange != nil {
            for place in try reader.places(in: box).sorted() {
                var next = place
                try gathering.add(try reader.feature(at: &next), at: .byte(place))
            }
        } else {
            var place = header.featureStart
            // No feature takes fewer bytes.
            if query.box == nil { gathering.expect(min(header.featureCount, bytes.count / 32)) }
            while place < bytes.count {
                let start = place
                guard let box = query.box else {
                    try gathering.add(try reader.feature(at: &place), at: .byte(start))
                    continue
                }
                let feature = try reader.feature(at: &place)
                guard let own = feature.geometry?.boundingBox, own.touches(box) else { continue }
                try gathering.add(feature, at: .byte(start))
            }
            if query.box == nil, header.featureCount > 0, gathering.features.count != header.featureCount {
                let count = gathering.features.count
                gathering.warn(.note, "the header states \(header.featureCount) features, but there are \(count)")
            }
        }
        if reader.lossCount > 0 {
            gathering.warn(.omitted, "binary values and measures left out")
        }
        return gathering.collection(crs: layers[0].crs)
    }
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

        /// Writes a collection without an index, in its own CRS.
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
    let nodeSize: Int
    let crs: CRS?
    let notes: [String]
    /// The range of the index, or `nil` without an index.
    let indexRange: Range<Int>?
    /// The offset of the first feature.
    let featureStart: Int

    init(_ bytes: [UInt8]) throws(FeatureFileError) {
        guard bytes.starts(with: Self.magic) else {
            throw FeatureFileError(.otherFormat, in: "FlatGeobuf", at: .byte(0), "not FlatGeobuf version 3")
        }
        var reader = ByteReader(bytes, in: "FlatGeobuf")
        try reader.skip(8)
        let length = try Int(reader.uint32())
        guard length <= 10 << 20 else { throw reader.fault(.limitExceeded, "the header exceeds 10 MiB") }
        let start = reader.position
        try reader.skip(length)
        let buffer = FlatBuffer(bytes, range: start..<(start + length))
        let root = try buffer.root()
        name = try buffer.string(0, root) ?? ""
        geometryType = try buffer.uint8(2, root) ?? 0
        hasHeights = try buffer.uint8(3, root) ?? 0 != 0
        columns = try Self.columns(7, root, buffer)
        hasDistinctColumns = Set(columns.map(\.name)).count == columns.count
        let count = try buffer.uint64(8, root) ?? 0
        nodeSize = try Int(buffer.uint16(9, root) ?? 16)
        guard count <= UInt64(bytes.count) else {
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
            indexRange = nil
            featureStart = reader.position
            return
        }
        let nodes = PackedTree(count: featureCount, nodeSize: nodeSize)
        indexRange = reader.position..<(reader.position + nodes.byteCount)
        try reader.skip(nodes.byteCount)
        featureStart = reader.position
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

/// The levels of a packed Hilbert R-tree, the root first.
struct PackedTree {
    /// The size of a node in bytes: four sides and an offset.
    static let nodeLength = 40
    /// The node numbers of each level, the leaves first.
    let levels: [Range<Int>]

    init(count: Int, nodeSize: Int) {
        var counts = [count], rest = count
        // Even a single feature has a root above it.
        repeat {
            rest = (rest + nodeSize - 1) / nodeSize
            counts.append(rest)
        } while rest > 1
        var end = counts.reduce(0, +)
        levels = counts.map { count in
            defer { end -= count }
            return (end - count)..<end
        }
    }

    var byteCount: Int { (levels.first?.upperBound ?? 0) * Self.nodeLength }
}
