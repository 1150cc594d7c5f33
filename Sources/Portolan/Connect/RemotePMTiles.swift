import PortolanArchives
import PortolanFetch
import PortolanWeb
import Synchronization

/// A PMTiles archive on a server that answers range requests (RFC 9110, section 14).
///
/// The header and the directories that were needed so far are kept in memory, and every range in the response cache. All
/// ranges are of one version of the archive: if the server has replaced it, reading begins again once.
final class RemotePMTiles: Sendable {
    fileprivate struct State {
        var index = PMTilesIndex()
        var version: FileVersion?
        /// The bytes that the index was made of, or the whole archive if the server ignores ranges.
        var beginning: [UInt8] = []
        var isWhole = false
        /// The number of times the archive was opened, which distinguishes directories of different versions.
        var opening = 0
        var origin = CachedAnswer<ByteRange.Part>.Origin.network
        var freshUntil = 0
    }

    /// Seconds for which an archive is assumed to be unchanged, regardless of what the server states.
    private static let shortestReuse = 60

    private let cache: ResponseCache
    private let ranges: RemoteRanges
    private let state = Mutex(State())

    init(_ address: NamedURL, cache: ResponseCache, configuration: RendererConfiguration) {
        self.cache = cache
        ranges = RemoteRanges(address, cache: cache, configuration: configuration)
    }

    /// The header.
    func header(_ access: RemoteAccess) async throws(RemoteArchiveError) -> PMTilesHeader {
        try await open(access, after: nil)
        guard let header = state.withLock({ $0.index.header }) else { throw .changed }
        return header
    }

    /// The metadata as they are in the archive.
    func metadata(_ access: RemoteAccess) async throws(RemoteArchiveError) -> [UInt8] {
        try await restarting(access) { opened throws(RemoteArchiveError) in
            guard let range = opened.index.header?.metadata, !range.isEmpty else { return [] }
            guard range.upperBound - range.lowerBound <= PMTilesIndex.directoryLimit else {
                throw .archive(
                    PMTilesError(.limitExceeded, offset: range.lowerBound, "the metadata are too long"))
            }
            return try await self.bytes(range, opened, access).bytes
        }
    }

    /// A tile, rows from the top.
    func tile(level: Int, column: Int, row: Int, _ access: RemoteAccess) async throws(RemoteArchiveError) -> RemoteTile
    {
        try await restarting(access) { opened throws(RemoteArchiveError) in
            var opened = opened
            while true {
                switch try opened.need(level, column, row) {
                case .absent:
                    return RemoteTile(
                        content: nil, origin: opened.origin, freshUntil: opened.freshUntil, mayReuse: true,
                        mayStandIn: true)
                case .tile(let range):
                    let answer = try await self.bytes(range, opened, access)
                    return RemoteTile(
                        content: answer.bytes.isEmpty ? nil : .picture(.encoded(answer.bytes)),
                        origin: answer.answer?.origin ?? opened.origin,
                        freshUntil: answer.answer?.freshUntil ?? opened.freshUntil,
                        mayReuse: answer.answer?.mayReuse ?? true, mayStandIn: answer.answer?.mayStandIn ?? true)
                case .bytes(let range):
                    let directory = try await self.bytes(range, opened, access).bytes
                    opened = try self.adding(directory, at: range, to: opened)
                }
            }
        }
    }

    /// Returns the first tile, or `nil` if the archive is empty.
    func firstTile(_ access: RemoteAccess) async throws(RemoteArchiveError) -> [UInt8]? {
        try await open(access, after: nil)
        guard let first = state.withLock({ $0.index.firstTile?.index }) else { return nil }
        return try await tile(level: first.level, column: first.column, row: first.row, access).bytes
    }

    // MARK: Versions

    /// Reads from the archive, and once more from its beginning if it has changed.
    private func restarting<Value>(
        _ access: RemoteAccess, _ read: (State) async throws(RemoteArchiveError) -> Value
    ) async throws(RemoteArchiveError) -> Value {
        try await RemoteRanges.restarting(
            access, { stale throws(RemoteArchiveError) in try await self.open(access, after: stale) },
            opening: \.opening, read)
    }

    /// Makes sure that the header and the root directory are known and fresh.
    ///
    /// - Parameter stale: the opening whose version is no longer on the server, or `nil`.
    @discardableResult
    private func open(_ access: RemoteAccess, after stale: Int?) async throws(RemoteArchiveError) -> State {
        let known = state.withLock { $0 }
        let isStale = stale == known.opening
        if known.index.header != nil, !isStale,
            stale != nil || access.isKeptOnly || cache.isOffline
                || !access.reloads && cache.now() < known.freshUntil
        {
            return known
        }
        var access = access
        access.reloads = access.reloads || isStale
        let beginning = PMTilesHeader.beginning
        let answer = try await ranges.answer(beginning, version: nil, access)
        let part = answer.value
        var index = PMTilesIndex()
        do throws(PMTilesError) { try index.add(part.bytes, at: beginning) } catch { throw .archive(error) }
        let freshUntil = max(answer.freshUntil, cache.now() + Self.shortestReuse)
        return state.withLock { state in
            state.origin = answer.origin
            state.freshUntil = freshUntil
            let isSame = state.beginning == part.bytes && state.version.map { $0.matches(part.version) } == true
            if !isSame {
                state.index = index
                state.beginning = part.bytes
                state.isWhole = part.isWhole
                state.opening += 1
            }
            state.version = part.version
            return state
        }
    }

    /// Keeps a directory, unless the archive was opened again meanwhile.
    private func adding(
        _ directory: [UInt8], at range: Range<UInt64>, to opened: State
    ) throws(RemoteArchiveError) -> State {
        do throws(PMTilesError) {
            return try state.withLock { state throws(PMTilesError) in
                guard state.opening == opened.opening else {
                    var opened = opened
                    try opened.index.add(directory, at: range)
                    return opened
                }
                try state.index.add(directory, at: range)
                return state
            }
        } catch { throw .archive(error) }
    }

    // MARK: Ranges

    /// The bytes of a range of an opened archive.
    private func bytes(
        _ range: Range<UInt64>, _ opened: State, _ access: RemoteAccess
    ) async throws(RemoteArchiveError) -> (bytes: [UInt8], answer: CachedAnswer<ByteRange.Part>?) {
        if opened.isWhole { return (try RemoteRanges.slice(range, of: opened.beginning), nil) }
        let answer = try await ranges.answer(range, version: opened.version, access)
        let part = answer.value
        return (part.isWhole ? try RemoteRanges.slice(range, of: part.bytes) : part.bytes, answer)
    }
}

extension RemotePMTiles.State {
    fileprivate func need(_ level: Int, _ column: Int, _ row: Int) throws(RemoteArchiveError) -> PMTilesIndex.Need {
        do throws(PMTilesError) { return try index.need(level: level, column: column, row: row) } catch {
            throw .archive(error)
        }
    }
}
