import PortolanZip

extension VectorTile {
    /// Decodes a tile.
    ///
    /// - Parameters:
    ///   - bytes: the tile; gzip and zlib are unpacked.
    ///   - encoding: the encoding of the tile, which the metadata of its source states.
    ///   - selection: the layers and attributes that are decoded. Others cost little.
    ///   - limits: the limits of memory.
    /// - Throws: ``VectorTileError`` if the tile is invalid. Features that are invalid by themselves are left out, see ``faults``.
    /// - Complexity: linear in the bytes, and in the values that a MapLibre Tile states.
    package init(
        _ bytes: [UInt8], encoding: VectorTileEncoding = .mvt, selection: VectorTileSelection = .all,
        limits: VectorTileLimits = VectorTileLimits()
    ) throws(VectorTileError) {
        let bytes = try Self.unpacked(bytes, encoding: encoding, limits: limits)
        switch encoding {
        case .mvt:
            var reader = MVTReader(bytes, selection: selection, limits: limits)
            self = try reader.tile()
        case .mlt:
            var reader = MLTReader(bytes, selection: selection, limits: limits)
            self = try reader.tile()
        }
    }

    /// The bytes of a tile, unpacked if they are compressed by gzip or zlib.
    package static func unpacked(
        _ bytes: [UInt8], encoding: VectorTileEncoding, limits: VectorTileLimits = VectorTileLimits()
    ) throws(VectorTileError) -> [UInt8] {
        // A MapLibre Tile can begin with 78 01, a layer of 120 bytes.
        guard let form = CompressedContent(recognizing: bytes[...]),
            encoding == .mvt || form != .zlib || bytes[1] > 2
        else {
            guard bytes.count <= limits.byteCount else {
                throw VectorTileError(.limitExceeded, offset: 0, "the tile has more than \(limits.byteCount) bytes")
            }
            return bytes
        }
        do throws(ZipError) { return try form.unpack(bytes[...], byteLimit: limits.byteCount) } catch {
            let code: VectorTileError.Code =
                switch error.code {
                case .malformed: .damaged
                case .limitExceeded: .limitExceeded
                case .unsupported, .encrypted: .unsupported
                }
            throw VectorTileError(code, offset: error.offset, error.detail)
        }
    }
}
