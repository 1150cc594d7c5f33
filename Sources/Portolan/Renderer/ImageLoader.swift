import PortolanCodecs
import PortolanFetch
package import PortolanRaster
import PortolanServices

/// Gets the images that a plan names: from memory, from the cache on disk, or fetched; and decodes them.
package final class ImageLoader: Sendable {
    /// Where an image came from.
    package enum Origin: Hashable, Sendable {
        /// It was transferred.
        case network
        /// It was in memory or on disk.
        case cache
        /// The same, and it is out of date; why it is shown, and whether the server is out of reach.
        case stale(reason: String, isConnectionLost: Bool = false)
    }

    /// An image and where it came from.
    package struct Loaded: Sendable {
        package let image: PixelBuffer
        package let origin: Origin
        package let decoding: Duration
    }

    /// What became of one address.
    package struct Arrival: Sendable {
        package let url: String
        package let result: Result<Loaded, ResourceError>
    }

    /// Seconds that an image in memory is shown again whatever the server says, as a browser shows a picture of its page.
    static let shortestReuse = 60
    /// Seconds after which an image out of date is asked for again.
    static let staleReuse = 10

    private let responses: ResponseCache
    private let archives = TileArchives()
    private let cache: MemoryCache<String, DecodedImage>
    private let configuration: RendererConfiguration

    init(responses: ResponseCache, cache: MemoryCache<String, DecodedImage>, configuration: RendererConfiguration) {
        self.responses = responses
        self.cache = cache
        self.configuration = configuration
    }

    /// What becomes of `url`; only whole, readable images are kept, in memory and on disk.
    ///
    /// - Parameters:
    ///   - place: where it belongs.
    ///   - reloads: whether the server is asked although it is in memory or on disk.
    ///   - turn: its place among other requests.
    package func arrival(
        of url: String, place: ResourcePlace? = nil, reloads: Bool = false, turn: FetchTurn = FetchTurn()
    ) async -> Arrival {
        let result: Result<Loaded, ResourceError>
        do throws(ResourceError) { result = .success(try await image(at: url, place, reloads: reloads, turn)) } catch {
            result = .failure(error)
        }
        return Arrival(url: url, result: result)
    }

    /// The image of `url` if it is in memory or on disk, as old as it may be to stand in for a newer one.
    package func kept(_ url: String, place: ResourcePlace?) async -> PixelBuffer? {
        if let known = cache.value(for: url), known.mayStandIn || known.isFresh(at: responses.now()) {
            return known.image
        }
        if TileArchives.isAddress(url) { return try? archived(url).image }
        guard let decoded = await responses.kept(wish(for: url, place, reloads: false)) else { return nil }
        return decoded.image
    }

    private func image(
        at url: String, _ place: ResourcePlace?, reloads: Bool, _ turn: FetchTurn
    ) async throws(ResourceError) -> Loaded {
        let known = cache.value(for: url)
        if let known, !reloads, known.isFresh(at: responses.now()) {
            if let observer = configuration.observer {
                observer.note(.cacheAnswered(ObservedRequest(url: url), known.staleOrigin == nil ? .memory : .stale))
            }
            return Loaded(
                image: known.image, origin: known.staleOrigin ?? .cache, decoding: .zero)
        }
        if TileArchives.isAddress(url) { return try archived(url) }
        let answer: CachedAnswer<Decoded>
        do { answer = try await responses.answer(to: wish(for: url, place, reloads: reloads, turn)) } catch {
            // Where nothing is kept on disk, what is in memory may still stand in.
            guard let known, known.mayStandIn, error.isPassing else { throw error }
            configuration.observer?.note(.cacheAnswered(ObservedRequest(url: url), .stale))
            return Loaded(
                image: known.image, origin: .stale(reason: "\(error)", isConnectionLost: error.isConnectionLoss),
                decoding: .zero)
        }
        let now = responses.now()
        var freshUntil = answer.mayReuse ? max(answer.freshUntil, now + Self.shortestReuse) : now, staleOrigin: Origin?
        let origin: Origin
        switch answer.origin {
        case .network: origin = .network
        case .store: origin = .cache
        case .stale(let reason, let isConnectionLost):
            origin = .stale(reason: reason, isConnectionLost: isConnectionLost)
            staleOrigin = origin
            if answer.mayReuse { freshUntil = now + Self.staleReuse }
        }
        let decoded = DecodedImage(
            image: answer.value.image, arrival: now, freshUntil: freshUntil, mayStandIn: answer.mayStandIn,
            staleOrigin: staleOrigin)
        if answer.mayReuse || answer.mayStandIn { cache.insert(decoded, for: url, cost: decoded.image.byteCount) }
        return Loaded(image: decoded.image, origin: origin, decoding: answer.value.duration)
    }

    /// A tile of a file on this machine; it needs no other cache than memory.
    private func archived(_ url: String) throws(ResourceError) -> Loaded {
        let wish = wish(for: url, nil, reloads: false)
        guard configuration.allowsFiles else {
            throw .fetch(FetchError(.unsupportedScheme, url: url, detail: "files are not allowed here"))
        }
        let response: HTTPResponse?
        do { response = try archives.response(to: wish.request) } catch { throw .fetch(error) }
        guard let response else {
            // Nothing is there, and that is in order; painting brings the pixel to the size of a tile.
            guard let size = ImageSize(width: 1, height: 1) else { throw .empty }
            return Loaded(image: PixelBuffer(size: size), origin: .network, decoding: .zero)
        }
        let decoded = try wish.reading(response)
        cache.insert(
            DecodedImage(image: decoded.image, arrival: .min, freshUntil: .max, mayStandIn: true, staleOrigin: nil),
            for: url,
            cost: decoded.image.byteCount)
        return Loaded(image: decoded.image, origin: .network, decoding: decoded.duration)
    }

    private struct Decoded: Sendable {
        let image: PixelBuffer
        let duration: Duration
    }

    private func wish(
        for url: String, _ place: ResourcePlace?, reloads: Bool, _ turn: FetchTurn = FetchTurn()
    ) -> ResponseCache.Wish<Decoded, ResourceError> {
        let request = HTTPRequest(
            url: url, headers: configuration.headers(for: url), timeouts: configuration.timeouts,
            maximumBodyByteCount: configuration.codecLimits.maximumByteCount)
        let limits = configuration.codecLimits
        return ResponseCache.Wish(
            request: request, rule: configuration.cacheRule(for: url, layer: place?.layer), reloads: reloads,
            turn: turn,
            bounds: { place?.bounds }, missing: { .fetch($0) }
        ) { response throws(ResourceError) in
            let start = ContinuousClock.now
            let image = try Self.decode(response, limits: limits)
            return Decoded(image: image, duration: ContinuousClock.now - start)
        }
    }

    /// The first bytes decide what a body is: services send exceptions with status 200 and images with 404.
    static func decode(_ response: HTTPResponse, limits: CodecLimits) throws(ResourceError) -> PixelBuffer {
        guard !response.body.isEmpty else {
            throw response.isSuccessful ? .empty : .status(response.status)
        }
        if ImageFormat(recognizing: response.body) == nil,
            let exception = ServiceExceptionReader.read(response.body, contentType: response.header("Content-Type"))
        {
            throw .service(exception, status: response.status)
        }
        // An image that comes with an error status is a picture of the error.
        guard response.isSuccessful else { throw .status(response.status) }
        do { return try ImageDecoders.standard.decode(response.body, limits: limits) } catch {
            throw .codec(error)
        }
    }
}
