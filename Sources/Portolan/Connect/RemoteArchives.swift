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
    private let images = Mutex<[NamedURL: RemoteGeoTIFF]>([:])

    init(_ configuration: RendererConfiguration, cache: ResponseCache) {
        self.cache = cache
        self.configuration = configuration
    }

    /// Returns whether tiles of a format are requested together, as their bytes lie side by side in a file.
    static func readsTogether(_ format: TileArchive.Format) -> Bool { format == .geoTIFF }

    /// A tile of an archive at an address.
    ///
    /// - Parameter band: the number of the band whose values are read, or `nil` for a picture.
    func tile(
        _ entry: TileArchive.Entry, at address: NamedURL, band: Int? = nil, _ access: RemoteAccess
    ) async throws(ResourceError) -> RemoteTile {
        try await tiles([entry], at: address, band: band, [access])[0].get()
    }

    /// Tiles of an archive at an address.
    ///
    /// - Parameters:
    ///   - band: the number of the band whose values are read, or `nil` for pictures.
    ///   - accesses: the access of each entry.
    func tiles(
        _ entries: [TileArchive.Entry], at address: NamedURL, band: Int? = nil, _ accesses: [RemoteAccess]
    ) async -> [Result<RemoteTile, ResourceError>] {
        switch entries.first?.archive.format {
        case .geoTIFF?:
            let outcomes = await image(at: address).tiles(entries, band: band, accesses)
            return outcomes.map { $0.mapError { $0.resourceError(at: address.text) } }
        case .pmtiles?:
            var results: [Result<RemoteTile, ResourceError>] = []
            for (entry, access) in zip(entries, accesses) {
                do throws(RemoteArchiveError) {
                    results.append(
                        .success(
                            try await archive(at: address).tile(
                                level: entry.level, column: entry.column, row: entry.row, access)))
                } catch { results.append(.failure(error.resourceError(at: address.text))) }
            }
            return results
        default:
            let name = entries.first?.archive.format.rawValue ?? ""
            let error = ResourceError(
                .transfer, place: FetchError.redacted(address.text),
                message: "archives of the format '\(name)' are read from files alone")
            return entries.map { _ in .failure(error) }
        }
    }

    /// An image at an address.
    func image(at address: NamedURL) -> RemoteGeoTIFF {
        images.withLock {
            Self.known(&$0, address) { RemoteGeoTIFF(address, cache: cache, configuration: configuration) }
        }
    }

    private func archive(at address: NamedURL) -> RemotePMTiles {
        archives.withLock {
            Self.known(&$0, address) { RemotePMTiles(address, cache: cache, configuration: configuration) }
        }
    }

    /// Returns the file at an address, which is opened if need be.
    private static func known<File>(_ files: inout [NamedURL: File], _ address: NamedURL, _ open: () -> File) -> File {
        if let known = files[address] { return known }
        // A map has a handful; directories of many would take much memory.
        if files.count >= 16 { files.removeAll() }
        let opened = open()
        files[address] = opened
        return opened
    }
}
