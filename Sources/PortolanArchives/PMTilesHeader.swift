/// The header of a PMTiles archive of version 3, its first 127 bytes.
package struct PMTilesHeader: Hashable, Sendable {
    /// The compressions of directories and tiles.
    package enum Compression: UInt8, Sendable { case unknown, none, gzip, brotli, zstd }

    /// The kinds of tiles.
    package enum TileKind: UInt8, Sendable { case unknown, mvt, png, jpeg, webp, avif, mlt }

    /// The number of bytes of a header.
    package static let byteCount = 127
    /// The header and the root directory are within the first 16 KiB.
    package static let beginning: Range<UInt64> = 0..<16_384

    /// The root directory.
    package let root: Range<UInt64>
    /// The metadata, JSON that is compressed like the directories.
    package let metadata: Range<UInt64>
    /// The leaf directories.
    package let leaves: Range<UInt64>
    /// The tiles.
    package let tiles: Range<UInt64>
    /// The number of tiles, if it is known.
    package let tileCount: UInt64?
    /// Whether the tiles are in the order of their numbers.
    package let isClustered: Bool
    /// The compression of directories and metadata.
    package let directoryCompression: Compression
    /// The compression of tiles.
    package let tileCompression: Compression
    /// The kind of tiles; `unknown` for kinds to come.
    package let tileKind: TileKind
    /// The levels.
    package let levels: ClosedRange<Int>
    /// The longitudes and latitudes of the lower left and the upper right corner, in degrees.
    package let bounds: (west: Double, south: Double, east: Double, north: Double)
    /// The longitude, latitude and level at which a map should begin.
    package let center: (longitude: Double, latitude: Double, level: Int)

    /// Reads a header.
    package init(_ bytes: [UInt8]) throws(PMTilesError) {
        guard bytes.starts(with: "PMTiles".utf8) else {
            throw PMTilesError(.wrongFormat, offset: 0, "this is not a PMTiles archive")
        }
        guard bytes.count >= Self.byteCount else {
            throw PMTilesError(.malformed, offset: UInt64(bytes.count), "the header is not complete")
        }
        guard bytes[7] == 3 else {
            throw PMTilesError(.unsupported, offset: 7, "version \(bytes[7]) of PMTiles is not read, only version 3")
        }
        func word(_ offset: Int) -> UInt64 { (0..<8).reversed().reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) } }
        func range(_ offset: Int) throws(PMTilesError) -> Range<UInt64> {
            let start = word(offset), (end, isTooLarge) = start.addingReportingOverflow(word(offset + 8))
            guard !isTooLarge, end <= UInt64(Int64.max) else {
                throw PMTilesError(.malformed, offset: UInt64(offset), "a part ends beyond any file")
            }
            return start..<end
        }
        func degrees(_ offset: Int) -> Double {
            let bits = (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[offset + $1]) }
            return Double(Int32(bitPattern: bits)) / 1e7
        }
        root = try range(8)
        metadata = try range(24)
        leaves = try range(40)
        tiles = try range(56)
        tileCount = word(72) == 0 ? nil : word(72)
        isClustered = bytes[96] == 1
        guard let directoryCompression = Compression(rawValue: bytes[97]) else {
            throw PMTilesError(.unsupported, offset: 97, "an unknown compression of directories")
        }
        self.directoryCompression = directoryCompression
        tileCompression = Compression(rawValue: bytes[98]) ?? .unknown
        tileKind = TileKind(rawValue: bytes[99]) ?? .unknown
        guard root.lowerBound >= UInt64(Self.byteCount), root.upperBound <= Self.beginning.upperBound, !root.isEmpty
        else { throw PMTilesError(.malformed, offset: 8, "the root directory is not within the first 16 KiB") }
        let first = Int(bytes[100]), last = Int(bytes[101])
        guard first <= last, PMTilesTileID.levels.contains(last) else {
            throw PMTilesError(.malformed, offset: 100, "the levels \(first) to \(last) are invalid")
        }
        levels = first...last
        bounds = (degrees(102), degrees(106), degrees(110), degrees(114))
        center = (degrees(119), degrees(123), Int(bytes[118]))
    }

    /// Makes the header of a clustered archive whose directories are compressed by gzip.
    init(
        root: Range<UInt64>, metadata: Range<UInt64>, leaves: Range<UInt64>, tiles: Range<UInt64>,
        tileCompression: Compression, tileKind: TileKind, levels: ClosedRange<Int>, bounds: [Double]
    ) {
        self.root = root
        self.metadata = metadata
        self.leaves = leaves
        self.tiles = tiles
        tileCount = nil
        isClustered = true
        directoryCompression = .gzip
        self.tileCompression = tileCompression
        self.tileKind = tileKind
        self.levels = levels
        self.bounds = (bounds[0], bounds[1], bounds[2], bounds[3])
        center = (
            (bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2, (levels.lowerBound + levels.upperBound) / 2
        )
    }

    /// The bytes of the header, with the counts of the tiles (version 3, section 3).
    func bytes(for layout: PMTilesLayout) -> [UInt8] {
        var bytes = Array("PMTiles".utf8) + [3]
        func add(_ value: some FixedWidthInteger) {
            for shift in stride(from: 0, to: value.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        func degrees(_ value: Double) -> Int32 { Int32((min(max(value, -180), 180) * 1e7).rounded()) }
        for part in [root, metadata, leaves, tiles] {
            add(part.lowerBound)
            add(part.upperBound - part.lowerBound)
        }
        add(layout.tileCount)
        add(UInt64(layout.entries.count))
        add(UInt64(layout.contentCount))
        bytes += [isClustered ? 1 : 0, directoryCompression.rawValue, tileCompression.rawValue, tileKind.rawValue]
        bytes += [UInt8(levels.lowerBound), UInt8(levels.upperBound)]
        for side in [bounds.west, bounds.south, bounds.east, bounds.north] { add(degrees(side)) }
        bytes.append(UInt8(center.level))
        add(degrees(center.longitude))
        add(degrees(center.latitude))
        return bytes
    }

    package static func == (first: PMTilesHeader, second: PMTilesHeader) -> Bool {
        first.root == second.root && first.metadata == second.metadata && first.leaves == second.leaves
            && first.tiles == second.tiles && first.tileCount == second.tileCount && first.levels == second.levels
            && first.bounds == second.bounds && first.center == second.center
            && first.tileKind == second.tileKind && first.tileCompression == second.tileCompression
            && first.directoryCompression == second.directoryCompression && first.isClustered == second.isClustered
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(root)
        hasher.combine(metadata)
        hasher.combine(leaves)
        hasher.combine(tiles)
    }
}
