import PortolanFetch
import PortolanWeb

/// The ranges of a file on a server (RFC 9110, section 14), each kept in the response cache.
struct RemoteRanges: Sendable {
    let address: NamedURL
    private let cache: ResponseCache
    private let configuration: RendererConfiguration

    /// The largest file that is taken from a server that ignores ranges.
    static let wholeByteLimit = 32 << 20

    init(_ address: NamedURL, cache: ResponseCache, configuration: RendererConfiguration) {
        self.address = address
        self.cache = cache
        self.configuration = configuration
    }

    /// Returns a range, or the whole file if the server ignores ranges.
    ///
    /// - Parameter version: the version of earlier ranges, or `nil` for the first one.
    func answer(
        _ bounds: Range<UInt64>, version: FileVersion?, _ access: RemoteAccess
    ) async throws(RemoteArchiveError) -> CachedAnswer<ByteRange.Part> {
        let range = ByteRange(bounds)
        var request = configuration.request(
            to: address, limit: max(Self.wholeByteLimit, Int(clamping: bounds.upperBound - bounds.lowerBound)))
        request.headers += range.headers(of: version)
        let wish = CacheRequest<ByteRange.Part, RemoteArchiveError>(
            request: request, rule: access.rule, reloads: access.reloads, turn: access.turn, goodStatuses: [206],
            missing: { .fetch($0) }
        ) { response throws(RemoteArchiveError) in
            do throws(ByteRange.Fault) { return try range.part(of: response, version: version) } catch {
                throw .range(error)
            }
        }
        guard !access.isKeptOnly else {
            guard let part = await cache.kept(wish) else { throw .fetch(.offline(url: address.text)) }
            return CachedAnswer(value: part, origin: .stale(reason: "no server is asked"), freshUntil: cache.now())
        }
        return try await cache.answer(to: wish)
    }

    /// Reads from an opened file, and once more from its beginning if it has changed.
    ///
    /// - Parameters:
    ///   - open: opens the file; it is given the opening whose version is no longer on the server, or `nil`.
    ///   - opening: the number of an opening.
    static func restarting<Opened, Value>(
        _ access: RemoteAccess, _ open: (_ stale: Int?) async throws(RemoteArchiveError) -> Opened,
        opening: (Opened) -> Int, _ read: (Opened) async throws(RemoteArchiveError) -> Value
    ) async throws(RemoteArchiveError) -> Value {
        let opened = try await open(nil)
        do { return try await read(opened) } catch {
            guard case .range(.changed) = error, !access.isKeptOnly else { throw error }
            let again = try await open(opening(opened))
            do { return try await read(again) } catch {
                if case .range(.changed) = error { throw .changed }
                throw error
            }
        }
    }

    /// Returns a range of a file that was sent as a whole.
    static func slice(_ range: Range<UInt64>, of whole: [UInt8]) throws(RemoteArchiveError) -> [UInt8] {
        guard range.upperBound <= UInt64(whole.count) else {
            throw .ended(byteCount: whole.count)
        }
        return Array(whole[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}
