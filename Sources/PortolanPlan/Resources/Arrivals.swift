public import PortolanRaster

/// The results for the resources of a view so far.
public struct Arrivals: Sendable {
    /// The result for one resource.
    public enum Arrival: Sendable {
        /// An image.
        case image(PixelBuffer)
        /// The bytes of a document.
        case document([UInt8])
        /// The resource is unavailable.
        case failure(ResourceError)
    }

    private var arrivals: [Resource.ID: Arrival] = [:]
    /// The images that are decoded on each use.
    package private(set) var stored: [Resource.ID: StoredImage] = [:]
    private var vectorTiles: [Resource.ID: DecodedVectorTile] = [:]
    private var elevations: [Resource.ID: DecodedElevations] = [:]
    private var contentCRSNames: [Resource.ID: String] = [:]
    private var naturalSizes: [Resource.ID: ImageSize] = [:]

    /// Creates an empty set of results.
    public init() {}

    /// The result for a resource, or `nil` if it is pending.
    public subscript(id: Resource.ID) -> Arrival? {
        get { arrivals[id] ?? stored[id].flatMap { $0.pixels.map(Arrival.image) } }
        set { arrivals[id] = newValue }
    }

    /// Returns the image of a resource, or `nil` if none has arrived.
    public func image(_ id: Resource.ID) -> PixelBuffer? {
        if case .image(let image)? = arrivals[id] { image } else { stored[id]?.pixels }
    }

    /// Returns whether an image or elevations of a resource have arrived.
    func hasImage(_ id: Resource.ID) -> Bool {
        if case .image? = arrivals[id] { true } else { stored[id] != nil || elevations[id] != nil }
    }

    /// The elevations of a resource, or `nil` if none arrived.
    func elevations(_ id: Resource.ID) -> DecodedElevations? { elevations[id] }

    /// Keeps the elevations of a resource.
    package mutating func note(_ tile: DecodedElevations, of id: Resource.ID) { elevations[id] = tile }

    /// The vector tile of a resource, or `nil` if none arrived.
    func vectorTile(_ id: Resource.ID) -> DecodedVectorTile? { vectorTiles[id] }

    /// Keeps the vector tile of a resource.
    package mutating func note(_ tile: DecodedVectorTile, of id: Resource.ID) { vectorTiles[id] = tile }

    /// Returns whether the result for a resource is known.
    func isKnown(_ id: Resource.ID) -> Bool {
        arrivals[id] != nil || stored[id] != nil || vectorTiles[id] != nil || elevations[id] != nil
    }

    /// Stores an image that is decoded on each use.
    package mutating func store(_ image: StoredImage, of id: Resource.ID) { stored[id] = image }

    /// Returns the bytes of a document, or `nil` if none have arrived.
    public func document(_ id: Resource.ID) -> [UInt8]? {
        if case .document(let bytes)? = arrivals[id] { bytes } else { nil }
    }

    /// Returns the CRS in the header `Content-Crs` of a document, or `nil` if it has none (OGC 18-058r1).
    package func contentCRS(of id: Resource.ID) -> String? { contentCRSNames[id] }

    /// Stores the CRS in the header of a document.
    package mutating func note(contentCRS: String?, of id: Resource.ID) { contentCRSNames[id] = contentCRS }

    /// Returns the size at which the image of a resource arrived, or `nil` if unknown.
    package func naturalSize(of id: Resource.ID) -> ImageSize? { naturalSizes[id] }

    /// Stores the size at which the image of a resource arrived.
    package mutating func note(naturalSize: ImageSize?, of id: Resource.ID) { naturalSizes[id] = naturalSize }

    /// All received images with their pixels.
    package var images: [Resource.ID: PixelBuffer] {
        arrivals.compactMapValues { if case .image(let image) = $0 { image } else { nil } }
    }

    /// Returns why a resource is missing, or `nil` if it has arrived or is pending.
    public func failure(_ id: Resource.ID) -> ResourceError? {
        if case .failure(let error)? = arrivals[id] { error } else { nil }
    }
}

/// Service limits that were found by trial, by map address: the longest image sides, the number of layers, and the
/// format names.
///
/// Services that state no limit reveal it by refusing larger requests. The findings of one picture are used for the
/// next.
package struct ServiceTraits: Hashable, Sendable {
    private var sides: [String: Int] = [:]
    private var ofMediaTypes: Set<String> = []
    private var capping: Set<String> = []
    private var layerCounts: [String: Int] = [:]

    /// Creates an empty set of limits.
    package init() {}

    /// The longest image side that a service draws, in pixels, or `nil` if unknown.
    package subscript(service: String) -> Int? { sides[service] }

    /// Records the longest side that a service draws; the shortest recorded side is kept.
    package mutating func note(_ side: Int, of service: String) {
        sides[service] = min(side, sides[service] ?? side)
    }

    /// Returns the largest number of layers in a request whose length the service accepts, or `nil` if unknown.
    package func layerCount(of service: String) -> Int? { layerCounts[service] }

    /// Records the number of layers in a request whose length a service accepts.
    package mutating func note(layerCount count: Int, of service: String) {
        layerCounts[service] = min(count, layerCounts[service] ?? count)
    }

    /// Returns whether a service draws images of the recorded longest side when larger ones are requested.
    package func isCap(_ service: String) -> Bool { capping.contains(service) }

    /// Records the longest image side that a service draws when larger images are requested.
    package mutating func note(cap side: Int, of service: String) {
        note(side, of: service)
        capping.insert(service)
    }

    /// Returns whether a service of version 1.0.0 only accepts formats by media type.
    package func wantsMediaTypes(_ service: String) -> Bool { ofMediaTypes.contains(service) }

    /// Records that a service of version 1.0.0 only accepts formats by media type.
    package mutating func noteMediaTypes(of service: String) { ofMediaTypes.insert(service) }

    /// Adds the findings of another set.
    package mutating func merge(_ other: ServiceTraits) {
        ofMediaTypes.formUnion(other.ofMediaTypes)
        capping.formUnion(other.capping)
        for (service, count) in other.layerCounts { note(layerCount: count, of: service) }
        for (service, side) in other.sides { note(side, of: service) }
    }
}
