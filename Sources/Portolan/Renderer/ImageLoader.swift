import PortolanCodecs
import PortolanFetch
package import PortolanRaster
import PortolanServices

/// Gets the images that a plan names: from memory, or fetched and decoded.
package final class ImageLoader: Sendable {
    /// An image and where it came from.
    package struct Loaded: Sendable {
        package let image: PixelBuffer
        package let isCached: Bool
        package let decoding: Duration
    }

    /// What became of one address.
    package struct Arrival: Sendable {
        package let url: String
        package let result: Result<Loaded, ResourceError>
    }

    private let fetcher: Fetcher
    private let cache: MemoryCache<String, PixelBuffer>
    private let configuration: RendererConfiguration

    package init(
        fetcher: Fetcher, cache: MemoryCache<String, PixelBuffer>, configuration: RendererConfiguration
    ) {
        self.fetcher = fetcher
        self.cache = cache
        self.configuration = configuration
    }

    /// What becomes of `url`; only whole, readable images are kept in memory.
    ///
    /// - Parameter reloads: whether it is fetched although it is in memory.
    package func arrival(of url: String, reloads: Bool = false) async -> Arrival {
        let result: Result<Loaded, ResourceError>
        do throws(ResourceError) { result = .success(try await image(at: url, reloads: reloads)) } catch {
            result = .failure(error)
        }
        return Arrival(url: url, result: result)
    }

    private func image(at url: String, reloads: Bool) async throws(ResourceError) -> Loaded {
        if !reloads, let image = cache.value(for: url) { return Loaded(image: image, isCached: true, decoding: .zero) }
        let request = HTTPRequest(
            url: url, headers: configuration.headers(for: url), timeouts: configuration.timeouts,
            maximumBodyByteCount: configuration.codecLimits.maximumByteCount)
        let response: HTTPResponse
        do { response = try await fetcher.fetch(request) } catch { throw .fetch(error) }
        let start = ContinuousClock.now
        let image = try decode(response)
        let decoding = ContinuousClock.now - start
        cache.insert(image, for: url, cost: image.byteCount)
        return Loaded(image: image, isCached: false, decoding: decoding)
    }

    /// The first bytes decide what a body is: services send exceptions with status 200 and images with 404.
    private func decode(_ response: HTTPResponse) throws(ResourceError) -> PixelBuffer {
        guard !response.body.isEmpty else { throw response.isSuccessful ? .empty : .status(response.status) }
        if ImageFormat(recognizing: response.body) == nil,
            let exception = ServiceExceptionReader.read(response.body, contentType: response.header("Content-Type"))
        {
            throw .service(exception, status: response.status)
        }
        // An image that comes with an error status is a picture of the error.
        guard response.isSuccessful else { throw .status(response.status) }
        do { return try ImageDecoder.decode(response.body, limits: configuration.codecLimits) } catch {
            throw .codec(error)
        }
    }
}
