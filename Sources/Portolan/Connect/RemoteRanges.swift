import PortolanArchives
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

    /// Returns a range of a file that was sent as a whole.
    static func slice(_ range: Range<UInt64>, of whole: [UInt8]) throws(RemoteArchiveError) -> [UInt8] {
        guard range.upperBound <= UInt64(whole.count) else {
            throw .archive(
                PMTilesError(.malformed, offset: range.lowerBound, "the archive ends at byte \(whole.count)"))
        }
        return Array(whole[Int(range.lowerBound)..<Int(range.upperBound)])
    }
}
