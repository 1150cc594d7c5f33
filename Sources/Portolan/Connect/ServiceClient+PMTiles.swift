import PortolanArchives
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

    /// The metadata of a PMTiles archive on a server, and its first tile.
    package func pmtilesContents(
        at address: NamedURL
    ) async throws(ServiceError) -> (metadata: MBTilesMetadata, sample: [UInt8]?) {
        do throws(RemoteArchiveError) {
            let archive = remoteArchive(at: address),
                access = RemotePMTiles.Access(rule: configuration.cacheRule(for: address.text))
            let header = try await archive.header(access), packed = try await archive.metadata(access)
            let metadata: MBTilesMetadata
            do throws(PMTilesError) { metadata = try PMTilesMetadata.read(packed, header).metadata } catch {
                throw RemoteArchiveError.archive(error)
            }
            return (metadata, try await archive.firstTile(access))
        } catch { throw error.serviceError(at: address.text) }
    }
}
