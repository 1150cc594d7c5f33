package import PortolanArchives
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// Opens a PMTiles archive on a server, by range requests.
    package func openPMTiles(at url: String) async throws(ServiceError) -> OpenedTiles {
        let address = NamedURL(url, namedBy: origin)
        let (metadata, sample) = try await pmtilesContents(at: address)
        do {
            return try OpenedTiles(
                TileArchive(format: .pmtiles, address: address), metadata, sample: sample, place: url)
        } catch {
            throw ServiceError(.unreadable, url: url, detail: error.detail)
        }
    }

    /// The contents of a PMTiles archive on a server.
    package func pmtilesContents(of url: String) async throws(ServiceError) -> TileArchiveContents {
        let (metadata, sample) = try await pmtilesContents(at: NamedURL(url, namedBy: origin))
        return TileArchiveContents(metadata, sample: sample)
    }

    /// A part of a PMTiles archive on a server, for examination.
    package struct PMTilesSample: Sendable {
        /// The header.
        package let header: PMTilesHeader
        /// The metadata.
        package let metadata: MBTilesMetadata
        /// Some tiles, rows from the top.
        package let tiles: [(index: (level: Int, column: Int, row: Int), bytes: Result<[UInt8], ServiceError>)]
        /// The approximate number of requests.
        package let requestCount: Int
    }

    /// Reads the header, the metadata, the first tile, and of each level the tile in the middle of the bounds.
    package func pmtilesSample(of url: String) async throws(ServiceError) -> PMTilesSample {
        let address = NamedURL(url, namedBy: origin)
        let (metadata, first) = try await pmtilesContents(at: address)
        let archive = remoteArchive(at: address)
        let access = RemoteAccess(rule: configuration.cacheRule(for: address.text))
        let header: PMTilesHeader
        do throws(RemoteArchiveError) { header = try await archive.header(access) } catch {
            throw error.serviceError(at: address.text)
        }
        var tiles: [(index: (level: Int, column: Int, row: Int), bytes: Result<[UInt8], ServiceError>)] = []
        let grid = metadata.levels.flatMap { TileGrid.webMercator(levels: $0) }
        let center = OpenedTiles.extent(metadata.bounds)?.center ?? Coordinate(x: 0, y: 0)
        for matrix in grid?.matrices ?? [] {
            guard let level = Int(matrix.id) else { continue }
            let column = Int(((center.x - matrix.origin.x) / matrix.tileSpanX).rounded(.down))
            let row = Int(((matrix.origin.y - center.y) / matrix.tileSpanY).rounded(.down))
            do throws(RemoteArchiveError) {
                let tile = try await archive.tile(level: level, column: column, row: row, access)
                if let bytes = tile.bytes { tiles.append(((level, column, row), .success(bytes))) }
            } catch {
                tiles.append(((level, column, row), .failure(error.serviceError(at: address.text))))
            }
        }
        if tiles.isEmpty, let first, let level = metadata.levels?.lowerBound {
            tiles.append(((level, 0, 0), .success(first)))
        }
        return PMTilesSample(header: header, metadata: metadata, tiles: tiles, requestCount: tiles.count + 2)
    }

    /// The metadata of a PMTiles archive on a server, and its first tile.
    package func pmtilesContents(
        at address: NamedURL
    ) async throws(ServiceError) -> (metadata: MBTilesMetadata, sample: [UInt8]?) {
        do throws(RemoteArchiveError) {
            let archive = remoteArchive(at: address),
                access = RemoteAccess(rule: configuration.cacheRule(for: address.text))
            let header = try await archive.header(access), packed = try await archive.metadata(access)
            let metadata: MBTilesMetadata
            do throws(PMTilesError) { metadata = try PMTilesMetadata.read(packed, header).metadata } catch {
                throw RemoteArchiveError.archive(error)
            }
            return (metadata, try await archive.firstTile(access))
        } catch { throw error.serviceError(at: address.text) }
    }
}
