import PortolanArchives
import PortolanFetch
import PortolanPlan
import PortolanWeb
import Synchronization

/// Tile archives on servers, each opened once.
final class RemoteArchives: Sendable {
    private let cache: ResponseCache
    private let configuration: RendererConfiguration
    private let archives = Mutex<[NamedURL: RemotePMTiles]>([:])

    init(_ configuration: RendererConfiguration, cache: ResponseCache) {
        self.cache = cache
        self.configuration = configuration
    }

    /// A tile of an archive at an address.
    func tile(
        _ entry: TileArchive.Entry, at address: NamedURL, _ access: RemotePMTiles.Access
    ) async throws(ResourceError) -> RemotePMTiles.Tile {
        guard entry.archive.format == .pmtiles else {
            throw ResourceError(
                .transfer, place: FetchError.redacted(address.text),
                message: "archives of the format '\(entry.archive.format.rawValue)' are read from files alone")
        }
        do throws(RemoteArchiveError) {
            return try await archive(at: address).tile(
                level: entry.level, column: entry.column, row: entry.row, access)
        } catch { throw error.resourceError(at: address.text) }
    }

    private func archive(at address: NamedURL) -> RemotePMTiles {
        archives.withLock { archives in
            if let known = archives[address] { return known }
            // A map has a handful; directories of many would take much memory.
            if archives.count >= 16 { archives.removeAll() }
            let opened = RemotePMTiles(address, cache: cache, configuration: configuration)
            archives[address] = opened
            return opened
        }
    }
}
