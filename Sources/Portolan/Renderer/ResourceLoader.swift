import PortolanCodecs
import PortolanFeatures
import PortolanFetch
package import PortolanPlan
package import PortolanRaster
import PortolanServices
import PortolanVectorTiles
import PortolanWeb

/// Loads resources from memory, the disk cache, archives or servers, and decodes images.
package final class ResourceLoader: Sendable {
    /// The source of a resource.
    package enum Origin: Hashable, Sendable {
        /// The resource was transferred.
        case network
        /// The resource was in memory or on disk.
        case cache
        /// The resource was in memory or on disk and is stale, with the reason and whether the server is unreachable.
        case stale(reason: String, isConnectionLost: Bool = false)
    }

    /// The content of a resource.
    package enum Content: Sendable {
        /// An image, and its original size.
        case image(PixelBuffer, naturalSize: ImageSize)
        /// An image in encoded form, and its original size.
        case stored(StoredImage, naturalSize: ImageSize)
        /// A document, and the CRS in its header.
        case document([UInt8], contentCRS: String?)
        /// A vector tile.
        case vectorTile(DecodedVectorTile)
        /// The elevations of a tile.
        case elevations(DecodedElevations)
        /// There is no content, as reported by a status of the server or by an absent tile in a file.
        case nothing(status: Int?)

        /// The CRS in the header of a document, or `nil`.
        var contentCRS: String? { if case .document(_, let name) = self { name } else { nil } }

        /// The image, or `nil` for a document.
        package var pixels: PixelBuffer? {
            switch self {
            case .image(let image, _): image
            case .stored(let image, _): image.pixels
            case .nothing: Self.transparent
            case .document, .vectorTile, .elevations: nil
            }
        }

        /// A transparent pixel, which is scaled to the size of a tile.
        static let transparent: PixelBuffer = {
            guard let size = ImageSize(width: 1, height: 1) else { preconditionFailure("a pixel has a size") }
            return PixelBuffer(size: size)
        }()

        /// The original size of the image, or `nil` for a document.
        var naturalSize: ImageSize? {
            switch self {
            case .image(_, let size), .stored(_, let size): size
            case .document, .vectorTile, .elevations, .nothing: nil
            }
        }

        /// Whether the resource is known to be empty.
        package var isEmpty: Bool { if case .nothing = self { true } else { false } }

        /// Whether it is an encoded image, which is not kept for later pictures.
        var isStored: Bool { if case .stored = self { true } else { false } }
    }

    /// A resource and its source.
    package struct Loaded: Sendable {
        package let content: Content
        package let origin: Origin
        package let decoding: Duration
        /// The dependencies of the content.
        let validity: ContentValidity
    }

    /// The minimum time in seconds for which content in memory is reused, even if the server forbids it, as browsers do
    /// within a page.
    static let shortestReuse = 60
    /// The time in seconds after which a stale image is requested again.
    static let staleReuse = 10

    private let responses: ResponseCache
    let archives: TileArchives
    let remoteArchives: RemoteArchives
    private let cache: MemoryCache<Resource.Location, CachedContent>
    let configuration: RendererConfiguration
    private let imageReader: ImageReader
    private let addresses = AddressCache()

    init(
        responses: ResponseCache, cache: MemoryCache<Resource.Location, CachedContent>,
        configuration: RendererConfiguration
    ) {
        self.responses = responses
        self.cache = cache
        self.configuration = configuration
        archives = TileArchives(configuration.tileArchives)
        remoteArchives = RemoteArchives(configuration, cache: responses)
        imageReader = ImageReader(configuration) { [cache] in cache.removeUnpinned() }
    }

    /// Loads a resource.
    ///
    /// Only complete, readable images are cached. Documents that are kept in memory
    /// (``/PortolanPlan/Resource/isKeptInMemory``) are cached even if they are unreadable.
    ///
    /// - Parameters:
    ///   - reloads: whether to contact the server even if the resource is in memory or on disk.
    ///   - turn: the position among other requests.
    package func load(
        _ resource: Resource, reloads: Bool = false, turn: FetchTurn = FetchTurn()
    ) async -> Result<Loaded, ResourceError> {
        if resource.use == .standIn {
            let validity = Self.validity(of: resource.location, freshUntil: responses.now())
            guard let content = await kept(resource, validity) else {
                return .failure(
                    ResourceError(
                        .offline, place: FetchError.redacted(resource.location.description),
                        message: "not in the cache"))
            }
            return .success(Loaded(content: content, origin: .cache, decoding: .zero, validity: validity))
        }
        do throws(ResourceError) { return .success(try await loaded(resource, reloads: reloads, turn)) } catch {
            return .failure(error)
        }
    }

    /// Returns the image of a resource if it is in memory, on disk or in an archive, and recent enough to be a
    /// substitute.
    private func kept(_ resource: Resource, _ validity: ContentValidity) async -> Content? {
        if let known = known(resource), known.mayStandIn || known.isFresh(at: responses.now()) {
            return known.content
        }
        switch resource.location {
        case .archive(let entry):
            // What a service sent before is in memory only.
            guard configuration.tileArchives.services[entry.archive.format] == nil else { return nil }
            guard let address = entry.archive.address else {
                return try? archived(entry, resource, validity).content
            }
            var access = RemoteAccess(
                rule: configuration.cacheRule(for: address.text, layer: resource.id.layer))
            access.isKeptOnly = true
            return try? await served(entry, at: address, resource, access).content
        case .url(let url):
            for url in [url] + (resource.alternatives?.urls ?? []) {
                if let kept = await responses.kept(request(for: resource, at: url, reloads: false)) {
                    return kept.content
                }
            }
            return nil
        }
    }

    /// Returns the image or document in memory, if it has the required form.
    private func known(_ resource: Resource) -> CachedContent? {
        guard resource.isKeptInMemory else { return nil }
        return cache.value(for: resource.location).flatMap { $0.suits(resource) ? $0 : nil }
    }

    private func loaded(
        _ resource: Resource, reloads: Bool, _ turn: FetchTurn
    ) async throws(ResourceError) -> Loaded {
        let known = known(resource)
        if let known, !reloads, known.isFresh(at: responses.now()) {
            if let observer = configuration.observer {
                observer.note(
                    .cacheAnswered(
                        MapObservation.Request(url: resource.location.description),
                        known.staleOrigin == nil ? .memory : .stale
                    ))
            }
            return Loaded(
                content: known.content, origin: known.staleOrigin ?? .cache, decoding: .zero, validity: known.validity)
        }
        // Determined before reading, so that a change of the file during reading is detected.
        let local = validity(ofFileAt: resource.location)
        let url: NamedURL
        switch resource.location {
        case .archive(let entry):
            if let service = configuration.tileArchives.services[entry.archive.format] {
                return try await asked(service, for: entry, resource)
            }
            guard let address = entry.archive.address else { return try archived(entry, resource, local) }
            let rule = configuration.cacheRule(for: address.text, layer: resource.id.layer)
            return try await served(
                entry, at: address, resource, RemoteAccess(rule: rule, reloads: reloads, turn: turn))
        case .url(let address): url = address
        }
        if let part = spritePart(for: resource, at: url) { return try packed(part, resource, url) }
        let answer: CachedAnswer<ImageReader.Decoded>
        do { answer = try await self.answer(for: resource, at: url, reloads: reloads, turn) } catch {
            // A missing file in a tile folder is equivalent to a 404 response.
            if error.cause == .notFound, url.isLocal, resource.emptyStatuses?.contains(404) == true {
                return Loaded(content: .nothing(status: 404), origin: .network, decoding: .zero, validity: local)
            }
            // Without a disk cache, a stale resource in memory can still be used.
            guard let known, known.mayStandIn, error.isPassing else { throw error }
            configuration.observer?.note(.cacheAnswered(MapObservation.Request(url: url.text), .stale))
            return Loaded(
                content: known.content,
                origin: .stale(reason: "\(error)", isConnectionLost: error.isConnectionLoss), decoding: .zero,
                validity: ContentValidity(freshUntil: responses.now()))
        }
        let now = responses.now()
        // A local file is checked each time.
        var freshUntil = url.isLocal ? .max : answer.mayReuse ? max(answer.freshUntil, now + Self.shortestReuse) : now,
            staleOrigin: Origin?
        let origin: Origin
        switch answer.origin {
        case .network: origin = .network
        case .store: origin = .cache
        case .stale(let reason, let isConnectionLost):
            origin = .stale(reason: reason, isConnectionLost: isConnectionLost)
            staleOrigin = origin
            if answer.mayReuse { freshUntil = now + Self.staleReuse }
        }
        let validity = url.isLocal ? local : ContentValidity(freshUntil: freshUntil)
        if resource.isKeptInMemory, !answer.value.content.isStored, answer.mayReuse || answer.mayStandIn {
            let kept = CachedContent(
                content: answer.value.content, arrival: now, freshUntil: freshUntil, mayStandIn: answer.mayStandIn,
                staleOrigin: staleOrigin, validity: validity)
            cache.insert(kept, for: resource.location, cost: kept.byteCount)
        }
        return Loaded(
            content: answer.value.content, origin: origin, decoding: answer.value.duration, validity: validity)
    }

    /// Returns the response for a resource from its URL, or from an alternative URL after a failure.
    private func answer(
        for resource: Resource, at url: NamedURL, reloads: Bool, _ turn: FetchTurn
    ) async throws(ResourceError) -> CachedAnswer<ImageReader.Decoded> {
        guard let others = resource.alternatives else {
            return try await responses.answer(to: request(for: resource, at: url, reloads: reloads, turn))
        }
        let urls = [url] + others.urls
        var first: ResourceError?, nothing: CachedAnswer<ImageReader.Decoded>?
        for place in addresses.order(of: others.service, count: urls.count) {
            do {
                let answer = try await responses.answer(
                    to: request(for: resource, at: urls[place], reloads: reloads, turn))
                // An empty response does not prove that the URL is right.
                if resource.form == .image, answer.value.content.naturalSize == nil,
                    addresses.mayHelp(place, of: others.service)
                {
                    nothing = nothing ?? answer
                    continue
                }
                addresses.noteGood(place, of: others.service)
                return answer
            } catch {
                guard addresses.mayHelp(error, at: place, of: others.service) else { throw first ?? error }
                first = first ?? error
            }
        }
        addresses.noteFailure(of: others.service)
        if let nothing { return nothing }
        throw first
            ?? ResourceError(
                .transfer, place: FetchError.redacted(url.text), message: "no URL")
    }

    /// Returns the part of a sprite at the address of a missing file, if it can be packed from a folder of icons.
    private func spritePart(for resource: Resource, at url: NamedURL) -> SpriteFolder.Part? {
        guard configuration.allowsFiles, url.isLocal, resource.form == .document || resource.form == .image,
            let path = url.path
        else { return nil }
        return SpriteFolder.Part(ofFile: path)
    }

    /// Packs a sprite from a folder of icons.
    private func packed(
        _ part: SpriteFolder.Part, _ resource: Resource, _ url: NamedURL
    ) throws(ResourceError) -> Loaded {
        let content: SpriteFolder.Content
        do throws(SpriteFolder.Failure) {
            content = try SpriteFolder.content(of: part, namedBy: url.origin, policy: configuration.addressPolicy)
        } catch {
            throw ResourceError(.transfer, place: FetchError.redacted(url.text), message: "\(error)")
        }
        let response = HTTPResponse(status: 200, body: content.bytes, url: url.text)
        let decoded = try imageReader.decoded(response, form: resource.form, size: resource.size)
        if resource.isKeptInMemory {
            let kept = CachedContent(
                content: decoded.content, arrival: .min, freshUntil: .max, mayStandIn: true, staleOrigin: nil,
                validity: content.validity)
            cache.insert(kept, for: resource.location, cost: kept.byteCount)
        }
        return Loaded(
            content: decoded.content, origin: .network, decoding: decoded.duration, validity: content.validity)
    }

    /// Returns a tile of a local archive, which needs no cache other than memory.
    private func archived(
        _ entry: TileArchive.Entry, _ resource: Resource, _ validity: ContentValidity
    ) throws(ResourceError) -> Loaded {
        guard configuration.allowsFiles else {
            throw ResourceError(.transfer, place: entry.description, message: "file: URLs are not allowed here")
        }
        if case .elevations(let reading) = resource.form, let band = resource.valueBand {
            return try archived(entry, band: band, reading, validity)
        }
        let limit = configuration.codecLimits.maximumByteCount
        guard let content = try archives.tile(entry, maximumByteCount: limit) else {
            return Loaded(content: .nothing(status: nil), origin: .network, decoding: .zero, validity: validity)
        }
        let bytes: [UInt8]
        switch content {
        case .encoded(let encoded): bytes = encoded
        case .pixels(let image):
            if resource.isStored {
                let stored = StoredImage { [archives] in
                    guard case .pixels(let image) = try? archives.tile(entry, maximumByteCount: limit) else {
                        return nil
                    }
                    return image
                }
                return Loaded(
                    content: .stored(stored, naturalSize: image.size), origin: .network, decoding: .zero,
                    validity: validity)
            }
            cache.insert(
                CachedContent(
                    content: .image(image, naturalSize: image.size), arrival: .min, freshUntil: .max, mayStandIn: true,
                    staleOrigin: nil, validity: validity),
                for: .archive(entry), cost: image.byteCount)
            return Loaded(
                content: .image(image, naturalSize: image.size), origin: .network, decoding: .zero, validity: validity)
        }
        let response = HTTPResponse(status: 200, body: bytes, url: entry.description)
        let decoded = try imageReader.decoded(
            response, form: resource.form, size: resource.size, isStored: resource.isStored)
        switch decoded.content {
        case .image, .vectorTile, .elevations:
            let kept = CachedContent(
                content: decoded.content, arrival: .min, freshUntil: .max, mayStandIn: true, staleOrigin: nil,
                validity: validity)
            cache.insert(kept, for: .archive(entry), cost: kept.byteCount)
        case .document, .stored, .nothing: break
        }
        return Loaded(
            content: decoded.content, origin: .network, decoding: decoded.duration, validity: validity)
    }

    /// Returns the elevations in a band of a local archive.
    private func archived(
        _ entry: TileArchive.Entry, band: Int, _ reading: Resource.ElevationReading, _ validity: ContentValidity
    ) throws(ResourceError) -> Loaded {
        let start = ContinuousClock.now
        guard let values = try archives.values(entry, band: band) else {
            return Loaded(content: .nothing(status: nil), origin: .network, decoding: .zero, validity: validity)
        }
        let content = Content.elevations(try imageReader.charged(values, reading, at: entry.description))
        cache.insert(
            CachedContent(
                content: content, arrival: .min, freshUntil: .max, mayStandIn: true, staleOrigin: nil,
                validity: validity), for: .archive(entry), cost: values.byteCount)
        return Loaded(
            content: content, origin: .network, decoding: ContinuousClock.now - start, validity: validity)
    }

    /// An entry of an archive that a service sends, kept in memory for the lifetime that the layer states, or a minute.
    private func asked(
        _ service: any TileArchiveFormats.Service, for entry: TileArchive.Entry, _ resource: Resource
    ) async throws(ResourceError) -> Loaded {
        guard !configuration.isOffline else {
            throw ResourceError(
                .offline, place: FetchError.redacted(entry.description), message: "network access is disabled")
        }
        let now = responses.now()
        let lifetime = configuration.layerCacheRules[resource.id.layer]?.defaultLifetime ?? Self.shortestReuse
        let freshUntil = now + max(lifetime, 0), validity = ContentValidity(freshUntil: freshUntil)
        let bytes = try await service.content(of: entry)
        var content = Content.nothing(status: nil), decoding = Duration.zero
        if let bytes, !bytes.isEmpty {
            let limit =
                resource.form == .document
                ? configuration.documentByteLimit : configuration.codecLimits.maximumByteCount
            guard bytes.count <= limit else {
                throw ResourceError(
                    .transfer, place: FetchError.redacted(entry.description),
                    message: "the response exceeds \(limit) bytes")
            }
            let response = HTTPResponse(status: 200, body: bytes, url: entry.description)
            let decoded = try imageReader.decoded(
                response, form: resource.form, size: resource.size, isStored: resource.isStored)
            (content, decoding) = (decoded.content, decoded.duration)
        }
        if resource.isKeptInMemory, !content.isStored {
            let kept = CachedContent(
                content: content, arrival: now, freshUntil: freshUntil, mayStandIn: true, staleOrigin: nil,
                validity: validity)
            cache.insert(kept, for: resource.location, cost: kept.byteCount)
        }
        return Loaded(content: content, origin: .network, decoding: decoding, validity: validity)
    }

    /// A tile of an archive on a server.
    private func served(
        _ entry: TileArchive.Entry, at address: NamedURL, _ resource: Resource, _ access: RemoteAccess
    ) async throws(ResourceError) -> Loaded {
        try loaded(
            try await remoteArchives.tile(entry, at: address, band: resource.valueBand, access), entry, at: address,
            resource)
    }

    /// Loads tiles of a server's image, whose bytes are requested together; see ``load(_:reloads:turn:)``.
    ///
    /// - Parameter resources: tiles of one ``ImageBatch`` that are shown, each with its position among other requests.
    func load(
        together resources: [(resource: Resource, turn: FetchTurn)], reloads: Bool
    ) async -> [Result<Loaded, ResourceError>] {
        var results: [Result<Loaded, ResourceError>?] = resources.map { resource, _ in
            guard let known = known(resource), !reloads, known.isFresh(at: responses.now()) else { return nil }
            return .success(
                Loaded(
                    content: known.content, origin: known.staleOrigin ?? .cache, decoding: .zero,
                    validity: known.validity))
        }
        var missing: [(index: Int, entry: TileArchive.Entry, access: RemoteAccess)] = [], place: NamedURL?
        for (index, (resource, turn)) in resources.enumerated() where results[index] == nil {
            guard case .archive(let entry) = resource.location, let address = entry.archive.address else { continue }
            place = address
            let rule = configuration.cacheRule(for: address.text, layer: resource.id.layer)
            missing.append((index, entry, RemoteAccess(rule: rule, reloads: reloads, turn: turn)))
        }
        if let place {
            let tiles = await remoteArchives.tiles(
                missing.map(\.entry), at: place, band: resources.first?.resource.valueBand, missing.map(\.access))
            for (found, tile) in zip(missing, tiles) {
                let resource = resources[found.index].resource
                results[found.index] = tile.flatMap { tile in
                    Result { () throws(ResourceError) in try loaded(tile, found.entry, at: place, resource) }
                }
            }
        }
        return results.enumerated().map { index, result in
            let place = FetchError.redacted(resources[index].resource.location.description)
            return result ?? .failure(ResourceError(.transfer, place: place, message: "no tile of an image"))
        }
    }

    /// Returns the content of a tile of an archive on a server.
    private func loaded(
        _ tile: RemoteTile, _ entry: TileArchive.Entry, at address: NamedURL, _ resource: Resource
    ) throws(ResourceError) -> Loaded {
        let now = responses.now(), freshUntil = tile.mayReuse ? max(tile.freshUntil, now + Self.shortestReuse) : now
        let validity = ContentValidity(freshUntil: freshUntil)
        let origin: Origin =
            switch tile.origin {
            case .network: .network
            case .store: .cache
            case .stale(let reason, let isConnectionLost): .stale(reason: reason, isConnectionLost: isConnectionLost)
            }
        var content = Content.nothing(status: nil), decoding = Duration.zero
        switch tile.content {
        case nil: break
        case .picture(.pixels(let image))?: content = .image(image, naturalSize: image.size)
        case .values(let values)?:
            guard case .elevations(let reading) = resource.form else { break }
            content = .elevations(try imageReader.charged(values, reading, at: FetchError.redacted(address.text)))
        case .picture(.encoded(let bytes))?:
            guard !bytes.isEmpty else { break }
            let response = HTTPResponse(status: 200, body: bytes, url: address.text)
            let decoded = try imageReader.decoded(
                response, form: resource.form, size: resource.size, isStored: resource.isStored)
            (content, decoding) = (decoded.content, decoded.duration)
        }
        if tile.content != nil, resource.isKeptInMemory, !content.isStored, tile.mayReuse || tile.mayStandIn {
            let kept = CachedContent(
                content: content, arrival: now, freshUntil: freshUntil, mayStandIn: tile.mayStandIn,
                staleOrigin: nil, validity: validity)
            cache.insert(kept, for: resource.location, cost: kept.byteCount)
        }
        return Loaded(content: content, origin: origin, decoding: decoding, validity: validity)
    }

    /// Returns the dependencies of the content at a location: the file, or the freshness of the response.
    ///
    /// - Parameter freshUntil: the end of freshness in seconds since 1970, or `nil` if unknown.
    static func validity(of location: Resource.Location, freshUntil: Int?) -> ContentValidity {
        switch location {
        case .archive(let entry) where entry.archive.address == nil: ContentValidity(path: entry.archive.path)
        case .archive: freshUntil.map(ContentValidity.init(freshUntil:)) ?? ContentValidity()
        case .url(let url) where url.isLocal: url.path.map(ContentValidity.init(path:)) ?? ContentValidity()
        case .url: freshUntil.map(ContentValidity.init(freshUntil:)) ?? ContentValidity()
        }
    }

    /// Returns the state of the file at a location, or no dependency if a service sends its content.
    private func validity(ofFileAt location: Resource.Location) -> ContentValidity {
        if case .archive(let entry) = location, configuration.tileArchives.services[entry.archive.format] != nil {
            return ContentValidity()
        }
        return Self.validity(of: location, freshUntil: nil)
    }

    /// Returns the validity of a missing resource, which is the minimum time of reuse.
    func validity(ofFailureAt location: Resource.Location?) -> ContentValidity {
        let freshUntil = responses.now() + Self.shortestReuse
        if case .archive(let entry)? = location, configuration.tileArchives.services[entry.archive.format] != nil {
            return ContentValidity(freshUntil: freshUntil)
        }
        return location.map { Self.validity(of: $0, freshUntil: freshUntil) } ?? ContentValidity(freshUntil: freshUntil)
    }

    private func request(
        for resource: Resource, at url: NamedURL, reloads: Bool, _ turn: FetchTurn = FetchTurn()
    ) -> CacheRequest<ImageReader.Decoded, ResourceError> {
        let form = resource.form, size = resource.size, isStored = resource.isStored
        let emptyStatuses = resource.emptyStatuses
        let request = configuration.request(
            to: url,
            limit: form == .document
                ? min(resource.byteLimit ?? .max, configuration.documentByteLimit)
                : configuration.codecLimits.maximumByteCount)
        return CacheRequest(
            request: request, rule: configuration.cacheRule(for: url.text, layer: resource.id.layer), reloads: reloads,
            turn: turn,
            bounds: { resource.bounds?.degrees }, goodStatuses: emptyStatuses.map { $0.union([204]) } ?? [],
            missing: { ResourceError($0) }
        ) { [imageReader] response throws(ResourceError) in
            try imageReader.decoded(
                response, form: form, size: size, isStored: isStored, emptyStatuses: emptyStatuses)
        }
    }
}

extension Resource {
    /// Returns whether a status means that the resource is empty.
    func isEmpty(at status: Int?) -> Bool {
        guard form != .document, let emptyStatuses else { return false }
        return status.map { (200..<300).contains($0) || emptyStatuses.contains($0) } ?? true
    }
}

extension LayerBounds {
    /// West, south, east and north in degrees, or `nil` if unknown.
    fileprivate var degrees: [Double]? { extent(in: .crs84).map { [$0.minX, $0.minY, $0.maxX, $0.maxY] } }
}

extension NamedURL {
    /// Whether the URL is local.
    fileprivate var isLocal: Bool { FileAddress.isLocal(text) }

    /// The path of a local file, or `nil` for other URLs.
    fileprivate var path: String? { try? FileTransport.path(of: text) }
}

extension ServiceClient {
    /// A loader of resources that keeps nothing in memory.
    var resourceLoader: ResourceLoader {
        ResourceLoader(responses: cache, cache: MemoryCache(byteBudget: 0), configuration: configuration)
    }
}
