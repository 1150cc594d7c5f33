public import PortolanRaster

/// What has become of the resources of a view so far.
public struct Arrivals: Sendable {
    /// What has become of one resource.
    public enum Arrival: Sendable {
        /// It came as an image.
        case image(PixelBuffer)
        /// It came as bytes, for a resource that is a document.
        case document([UInt8])
        /// It is not to be had.
        case failure(ResourceError)
    }

    private var arrivals: [Resource.ID: Arrival] = [:]
    /// The images that are decoded each time they are wanted.
    package private(set) var stored: [Resource.ID: StoredImage] = [:]
    private var vectorTiles: [Resource.ID: DecodedVectorTile] = [:]
    private var contentCRSNames: [Resource.ID: String] = [:]
    private var naturalSizes: [Resource.ID: ImageSize] = [:]

    /// Nothing has come yet.
    public init() {}

    /// What has become of a resource, or `nil` when nothing has yet.
    public subscript(id: Resource.ID) -> Arrival? {
        get { arrivals[id] ?? stored[id].flatMap { $0.pixels.map(Arrival.image) } }
        set { arrivals[id] = newValue }
    }

    /// The image of a resource, or `nil` when none came.
    public func image(_ id: Resource.ID) -> PixelBuffer? {
        if case .image(let image)? = arrivals[id] { image } else { stored[id]?.pixels }
    }

    /// Whether an image of a resource came.
    func hasImage(_ id: Resource.ID) -> Bool {
        if case .image? = arrivals[id] { true } else { stored[id] != nil }
    }

    /// The vector tile of a resource, or `nil` if none arrived.
    func vectorTile(_ id: Resource.ID) -> DecodedVectorTile? { vectorTiles[id] }

    /// Keeps the vector tile of a resource.
    package mutating func note(_ tile: DecodedVectorTile, of id: Resource.ID) { vectorTiles[id] = tile }

    /// Whether it is known what has become of a resource.
    func isKnown(_ id: Resource.ID) -> Bool {
        arrivals[id] != nil || stored[id] != nil || vectorTiles[id] != nil
    }

    /// Keeps an image that is decoded each time it is wanted.
    package mutating func store(_ image: StoredImage, of id: Resource.ID) { stored[id] = image }

    /// The bytes of a resource that is a document, or `nil` when none came.
    public func document(_ id: Resource.ID) -> [UInt8]? {
        if case .document(let bytes)? = arrivals[id] { bytes } else { nil }
    }

    /// The system that the header `Content-Crs` of a document names, or `nil` where there is none (OGC 18-058r1).
    package func contentCRS(of id: Resource.ID) -> String? { contentCRSNames[id] }

    /// Notes the system that the header of a document names.
    package mutating func note(contentCRS: String?, of id: Resource.ID) { contentCRSNames[id] = contentCRS }

    /// The size that the image of a resource had as it came, or `nil` where that is not known.
    package func naturalSize(of id: Resource.ID) -> ImageSize? { naturalSizes[id] }

    /// Notes the size that the image of a resource had as it came.
    package mutating func note(naturalSize: ImageSize?, of id: Resource.ID) { naturalSizes[id] = naturalSize }

    /// All images that have come with their pixels.
    package var images: [Resource.ID: PixelBuffer] {
        arrivals.compactMapValues { if case .image(let image) = $0 { image } else { nil } }
    }

    /// Why a resource is missing, or `nil` when it is there or may still come.
    public func failure(_ id: Resource.ID) -> ResourceError? {
        if case .failure(let error)? = arrivals[id] { error } else { nil }
    }
}

/// What services were found to be like, by their addresses for maps: the longest sides of images that they draw, and
/// how they want formats named.
///
/// Services that state no limit tell it by refusing what is larger; what one picture found serves the next.
package struct ServiceTraits: Hashable, Sendable {
    private var sides: [String: Int] = [:]
    private var ofMediaTypes: Set<String> = []
    private var capping: Set<String> = []
    private var layerCounts: [String: Int] = [:]

    /// Nothing is known yet.
    package init() {}

    /// The longest side of an image that a service draws, in pixels, or `nil` where nothing is known.
    package subscript(service: String) -> Int? { sides[service] }

    /// Notes the longest side that a service draws; the shortest of those noted counts.
    package mutating func note(_ side: Int, of service: String) {
        sides[service] = min(side, sides[service] ?? side)
    }

    /// The most layers of a request whose address a service was found not to refuse for its length, or `nil` where nothing is known.
    package func layerCount(of service: String) -> Int? { layerCounts[service] }

    /// Notes how many layers a request has whose address a service does not refuse for its length.
    package mutating func note(layerCount count: Int, of service: String) {
        layerCounts[service] = min(count, layerCounts[service] ?? count)
    }

    /// Whether a service was found to draw images of the longest side noted where it is asked for larger ones.
    package func isCap(_ service: String) -> Bool { capping.contains(service) }

    /// Notes the longest side of images that a service draws where it is asked for larger ones.
    package mutating func note(cap side: Int, of service: String) {
        note(side, of: service)
        capping.insert(service)
    }

    /// Whether a service of version 1.0.0 was found to draw what is asked for by its media type alone.
    package func wantsMediaTypes(_ service: String) -> Bool { ofMediaTypes.contains(service) }

    /// Notes that a service of version 1.0.0 draws what is asked for by its media type alone.
    package mutating func noteMediaTypes(of service: String) { ofMediaTypes.insert(service) }

    /// Notes all that others have found.
    package mutating func merge(_ other: ServiceTraits) {
        ofMediaTypes.formUnion(other.ofMediaTypes)
        capping.formUnion(other.capping)
        for (service, count) in other.layerCounts { note(layerCount: count, of: service) }
        for (service, side) in other.sides { note(side, of: service) }
    }
}
