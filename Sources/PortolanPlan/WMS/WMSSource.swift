public import PortolanGeo
package import PortolanRaster
public import PortolanServices
import PortolanWeb

/// A WMS that draws one image for each view, or a few if the view exceeds its size limit.
///
/// ```swift
/// layers.append(MapLayer(name: "earth", source: WMSSource(request: request, maximumWidth: 2048)))
/// ```
public struct WMSSource: Hashable, Sendable {
    /// The request.
    ///
    /// Its extent and size are replaced for each view.
    public let request: GetMapRequest

    /// The limits of one request.
    package private(set) var limits: WMSRequestLimits

    /// The additional pixels requested on sides with an adjacent image, so that labels are not cut there.
    public let gutter: Int

    /// The longest side that the service was found to draw, or `nil` if unknown.
    private var foundSide: Int?

    /// Creates a source.
    ///
    /// - Parameter gutter: clamped to 0 through 1024.
    package init(request: GetMapRequest, limits: WMSRequestLimits, gutter: Int = 64) {
        self.request = request
        self.limits = limits
        self.gutter = min(max(gutter, 0), 1024)
    }

    /// Creates a source with size limits only.
    public init(request: GetMapRequest, maximumWidth: Int? = nil, maximumHeight: Int? = nil) {
        self.init(request: request, limits: WMSRequestLimits(maxWidth: maximumWidth, maxHeight: maximumHeight))
    }

    /// The widest image that the service draws, in pixels; 4096 if it states no limit, since few servers draw more.
    public var maximumWidth: Int { max(min(limits.maxWidth ?? 4096, foundSide ?? .max), 1) }

    /// The highest image that the service draws, in pixels; 4096 if it states no limit.
    public var maximumHeight: Int { max(min(limits.maxHeight ?? 4096, foundSide ?? .max), 1) }

    /// Whether the service states its maximum image size.
    package var statesItsSize: Bool { limits.maxWidth != nil && limits.maxHeight != nil }

    /// Returns the source limited to a longest side, unless the service states its limits.
    func limited(to side: Int?) -> WMSSource {
        guard !statesItsSize else { return self }
        var source = self
        source.foundSide = side
        return source
    }

    /// Returns the source with other values of parameters, which replace those of the same names.
    func with(_ parameters: [GetMapRequest.Parameter]) -> WMSSource {
        var request = request
        request.set(parameters)
        var source = WMSSource(request: request, limits: limits, gutter: gutter)
        source.foundSide = foundSide
        return source
    }

    /// Returns the source limited to the longest side of received images, regardless of what the service states.
    private func capped(to side: Int) -> WMSSource {
        var source = self
        source.foundSide = min(side, foundSide ?? side)
        return source
    }

    /// The CRS in which the service draws.
    public var crs: CRS { request.crs }

    /// Returns the URL of an image of some of the layers, given by their indexes in the request.
    ///
    /// - Parameter isUpper: whether layers below it must remain visible through it.
    func url(extent: Extent, size: ImageSize, layers: [Int], isUpper: Bool, pixelRatio: Double) -> NamedURL {
        var request = request
        request.extent = extent
        request.width = size.width
        request.height = size.height
        if layers.count < request.layers.count {
            let styles = request.styles
            request.styles = layers.map { styles.indices.contains($0) ? styles[$0] : "" }
            request.layers = layers.map { self.request.layers[$0] }
        }
        if isUpper { request.isTransparent = true }
        return request.enlarged(byPixelRatio: pixelRatio).address
    }

    /// Returns the indexes of the layers that may be visible at some scale denominators, split by the largest number of
    /// layers per request, and warnings about the others.
    ///
    /// - Parameter denominators: the scales that the service may assume for the picture. A layer that is visible at any
    ///   of them is included.
    func layers(at denominators: [Double]) -> (groups: [[Int]], warnings: [String]) {
        var seen: [Int] = [], warnings: [String] = []
        for (place, name) in request.layers.enumerated() {
            let range = limits.scales.indices.contains(place) ? limits.scales[place] : WMSScaleRange()
            if denominators.contains(where: range.mayDraw) {
                seen.append(place)
            } else {
                let scale = WMSScaleRange(minimum: denominators.first).description.dropFirst("from ".count)
                warnings.append("'\(name)' is drawn \(range), but the view has \(scale); not requested")
            }
        }
        let most = max(limits.maxLayers ?? .max, 1)
        var groups: [[Int]] = []
        while !seen.isEmpty {
            groups.append(Array(seen.prefix(most)))
            seen.removeFirst(min(most, seen.count))
        }
        return (groups, warnings)
    }
}

extension WMSSource: LayerSource {
    /// `wms`, or the kind of another protocol for images of arbitrary extents: `oam`, `arcgis`.
    public var kind: String { request.dialect.kind }

    /// The longest sides that are tried in turn if a service that states no limit refuses larger images.
    private static let usualLimits = [2048, 1024, 512]

    /// Plans one image for the view, or a few if the view exceeds the size limit of the service.
    ///
    /// If a service of version 1.0.0 refuses a format by name, one image is requested by media type, and all others
    /// once that succeeds.
    public func plan(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        guard let other = namingMediaType else { return try planInPieces(for: view, given: arrivals) }
        if view.traits.wantsMediaTypes(request.baseURL.text) {
            return try other.planInPieces(for: view, given: arrivals)
        }
        var plan = try planInPieces(for: view, given: arrivals)
        let refused = plan.resources.lazy.compactMap { arrivals.failure($0.id) }.first(where: \.mayBeFormat)
        guard let refused else { return plan }
        var named = try other.planInPieces(for: view, given: arrivals)
        guard let probe = named.resources.first else { return plan }
        switch arrivals[probe.id] {
        case .failure?: return plan
        case nil:
            plan.resources.removeAll { $0.use == .probe }
            plan.resources.append(probe.with(use: .probe))
            return plan
        case .image?, .document?:
            named.foundTraits.noteMediaTypes(of: request.baseURL.text)
            named.warnings.append(
                MapWarning(
                    .service, layer: view.layer,
                    message: "requesting the format by its media type, because \(refused)"))
            return named
        }
    }

    /// The source that names the format by media type, or `nil` if it already does.
    private var namingMediaType: WMSSource? {
        let format = WMSCapabilities.Format(request.format)
        guard request.version == .v1_0_0, !request.namesMediaType, format.elementName != format.mediaType else {
            return nil
        }
        var request = request
        request.namesMediaType = true
        return WMSSource(request: request, limits: limits, gutter: gutter)
    }

    /// Plans one image for the view, or a few if the view exceeds the size limit of the service.
    ///
    /// If a service that states no limit refuses an image, one smaller image is requested at a time, so that a service
    /// that refuses for another reason costs few requests. Once one succeeds, the view is split into that size, which
    /// is remembered for the next picture. If a service silently draws a smaller image than requested, images of that
    /// size are requested.
    private func planInPieces(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        let known = view.traits.layerCount(of: request.baseURL.text)
        var source = known.map(ofFewerLayers) ?? self
        let whole = try source.planInSizes(for: view, given: arrivals)
        var count = min(source.limits.maxLayers ?? .max, request.layers.count)
        guard count > 1, let first = whole.tooLong(arrivals) else { return whole }
        var refused = first
        while count > 1 {
            // If the length is only a guess, a single attempt is made.
            let isKnown = refused.error.isLength
            count = isKnown ? (count + 1) / 2 : max(count * ResourceError.longAddress / refused.length, 1)
            source = source.ofFewerLayers(count)
            var plan = try source.planInSizes(for: view, given: arrivals)
            guard let error = plan.tooLong(arrivals) else {
                plan.foundTraits.note(layerCount: count, of: request.baseURL.text)
                plan.warnings.append(
                    MapWarning(
                        .service, layer: view.layer,
                        message:
                            "requested again with \(count == 1 ? "one layer" : "\(count) layers") per request, because \(first.error)"
                    ))
                return plan
            }
            guard isKnown else { break }
            refused = error
        }
        return whole
    }

    /// Returns the source with a smaller number of layers per request.
    private func ofFewerLayers(_ count: Int) -> WMSSource {
        var source = self
        source.limits.maxLayers = min(count, limits.maxLayers ?? count)
        return source
    }

    /// Plans requests with the source's number of layers each.
    private func planInSizes(for view: LayerView, given arrivals: Arrivals) throws(PlanError) -> LayerPlan {
        let known = view.traits[request.baseURL.text]
        let isCap = view.traits.isCap(request.baseURL.text)
        let source = known.map { isCap ? capped(to: $0) : limited(to: $0) } ?? self
        let whole = try Attempt(source, view, arrivals)
        if let plan = try planInCappedPieces(after: whole, for: view, given: arrivals) { return plan }
        guard let refused = whole.refusal(in: arrivals), var side = nextSide(below: refused.longestSide) else {
            return whole.finished(arrivals)
        }
        let tried = Set(whole.plan.resources.map(\.id))
        while true {
            var smaller = try Attempt(limited(to: side), view, arrivals)
            guard let probe = smaller.resources.first(where: { !tried.contains($0.id) }) else { break }
            switch arrivals[probe.id] {
            case nil:
                var plan = whole.plan
                plan.resources.append(probe.with(use: .probe))
                return plan
            case .image?, .document?:
                smaller.plan.warnings.append(
                    MapWarning(
                        .sizeLimited, layer: view.layer,
                        message: "requested again in smaller pieces, because \(refused.error)"))
                smaller.plan.foundTraits.note(side, of: request.baseURL.text)
                return smaller.finished(arrivals)
            case .failure(let error)?:
                guard error.mayBeSize, let longest = smaller.longestSides[probe.id], let next = nextSide(below: longest)
                else { return whole.finished(arrivals) }
                side = next
            }
        }
        return whole.finished(arrivals)
    }

    /// Plans a view whose images arrived smaller than requested, or returns `nil` if none did or smaller requests would
    /// not help.
    private func planInCappedPieces(
        after whole: Attempt, for view: LayerView, given arrivals: Arrivals
    ) throws(PlanError) -> LayerPlan? {
        guard let cap = whole.cap(in: arrivals), cap.side >= Self.leastCap else { return nil }
        var pieces = try Attempt(capped(to: cap.side), view, arrivals)
        guard pieces.cap(in: arrivals) == nil, pieces.refusal(in: arrivals) == nil else { return nil }
        pieces.plan.warnings.append(
            MapWarning(
                .sizeLimited, layer: view.layer,
                message:
                    "the service returned \(cap.came) pixels instead of \(cap.asked); requested again in smaller pieces"
            ))
        pieces.plan.foundTraits.note(cap: cap.side, of: request.baseURL.text)
        return pieces.finished(arrivals)
    }

    /// Images of services with a lower limit are stretched, since too many pieces would be needed.
    private static let leastCap = 128

    /// Returns the longest side of the pieces to try if the service refuses an image of a size, or `nil` for none.
    package func sideIfRefused(_ size: ImageSize) -> Int? {
        limits.allowsTiles ? nextSide(below: max(size.width, size.height)) : nil
    }

    private func nextSide(below longest: Int) -> Int? {
        statesItsSize ? nil : Self.usualLimits.first { $0 < longest }
    }
}

extension LayerPlan {
    /// The first request that may have been refused because of the length of its address.
    fileprivate func tooLong(_ arrivals: Arrivals) -> (error: ResourceError, length: Int)? {
        for resource in resources {
            let address = resource.location.description
            guard let error = arrivals.failure(resource.id), error.mayBeLength(of: address) else { continue }
            return (error, address.utf8.count)
        }
        return nil
    }
}

/// A plan of the source with pieces of one size.
private struct Attempt {
    var plan = LayerPlan(revision: .afterArrivals)
    /// The longest side of each image that can be split further.
    private(set) var longestSides: [Resource.ID: Int] = [:]

    /// An image that arrived smaller than requested.
    struct Cap {
        let came: ImageSize
        let asked: ImageSize
        /// The longest side that the service seems to draw.
        var side: Int { max(came.width, came.height) }
    }
    private let layer: String

    /// An image that was refused, and may succeed at a smaller size.
    struct Refusal {
        let longestSide: Int
        let error: ResourceError
    }

    init(_ source: WMSSource, _ view: LayerView, _ arrivals: Arrivals) throws(PlanError) {
        layer = view.layer
        let planned = try WMSPlanner(source: source, viewport: view.viewport, margin: view.margin).planned()
        plan.warnings = planned.warnings.map { MapWarning($0.code, layer: view.layer, message: $0.message) }
        let transform = try? CoordinateTransform(from: view.viewport.crs, to: source.crs)
        let center = transform?(view.viewport.center)
        for wanted in planned.mosaics {
            var mosaic = wanted.frame
            for image in wanted.images {
                let id = view.id(.map(request: image.url.text))
                let placement = Mosaic.Placement(
                    resource: id, x: image.x, y: image.y, size: image.size, crop: image.crop)
                mosaic.images.append(placement)
                plan.resources.append(
                    Resource(
                        id: id, location: .url(image.url), name: image.extent.description,
                        bounds: mosaic.bounds(of: placement), rank: mosaic.rank(of: placement, around: center),
                        size: image.requestSize))
                if !wanted.isWhole {
                    longestSides[id] = max(image.requestSize.width, image.requestSize.height)
                }
            }
            plan.nodes.append(.mosaic(mosaic))
        }
        plan.keepDistinctResources()
    }

    var resources: [Resource] { plan.resources }

    /// The first image that may have been refused because of its size.
    func refusal(in arrivals: Arrivals) -> Refusal? {
        for resource in plan.resources {
            guard let error = arrivals.failure(resource.id), error.mayBeSize, let longest = longestSides[resource.id]
            else { continue }
            return Refusal(longestSide: longest, error: error)
        }
        return nil
    }

    /// The first image that arrived smaller than requested, and can be split further.
    func cap(in arrivals: Arrivals) -> Cap? {
        for resource in plan.resources {
            guard let came = arrivals.naturalSize(of: resource.id), let asked = resource.size,
                came.width < asked.width || came.height < asked.height, let longest = longestSides[resource.id],
                max(came.width, came.height) < longest
            else { continue }
            return Cap(came: came, asked: asked)
        }
        return nil
    }

    func finished(_ arrivals: Arrivals) -> LayerPlan {
        var plan = plan
        plan.warnIfBlank(arrivals, layer: layer)
        return plan
    }
}

extension Resource {
    /// The resource for which no server is contacted: it is only taken from memory or disk.
    package var keptAlone: Resource { with(use: .standIn) }

    fileprivate func with(use: Use) -> Resource {
        var resource = Resource(
            id: id, location: location, form: form, use: use, name: name, bounds: bounds, rank: rank, size: size)
        resource.alternatives = alternatives
        resource.emptyStatuses = emptyStatuses
        return isKeptInMemory ? resource.keptInMemory : resource
    }
}
