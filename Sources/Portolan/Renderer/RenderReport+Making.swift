import PortolanFetch
import PortolanPlan
import PortolanRaster

extension RenderReport {
    /// Creates the report of a plan with its load results.
    ///
    /// - Parameter secrets: secrets to redact, in addition to those in URLs.
    init(plan: MapPlan, loaded: MapRenderer.Loaded, secrets: Secrets) {
        let viewport = plan.viewport, extent = viewport.extent
        var decoding = Duration.zero
        var reasons: [String: String] = [:], odd: [OddTiles] = []
        layers = plan.layers.map { planned in
            var layer = Layer(
                name: planned.name, kind: planned.kind, requested: 0, fetched: 0, cached: 0, stale: 0, failed: [],
                attribution: planned.layer.attribution)
            let standIns = planned.standIns
            var oddTiles = OddTiles(layer: planned.name)
            for resource in plan.resources(of: planned) where resource.use == .shown {
                layer.requested += 1
                switch loaded[resource.id] {
                case .success(let image):
                    switch image.origin {
                    case .network: layer.fetched += 1
                    case .cache: layer.cached += 1
                    case .stale(let reason, _):
                        layer.stale += 1
                        reasons[layer.name] = reasons[layer.name] ?? reason
                    }
                    if image.content.isEmpty { layer.emptyCount = layer.empty + 1 }
                    decoding += image.decoding
                    oddTiles.note(image.content.naturalSize, of: resource)
                case .failure(let error):
                    layer.failed.append(Failure(resource, error: error, standIn: standIns[resource.id]))
                case nil: break
                }
            }
            odd.append(oddTiles)
            let lost = planned.plan.warnings.filter { $0.code == .notDrawn }
            if !lost.isEmpty {
                // Missing parts are counted among all parts of the layer in the view.
                layer.requested += max(planned.plan.partCount, lost.count)
                layer.failed += lost.map { warning in
                    var failure = Failure(resource: "layer", code: .notDrawn, error: warning.detail)
                    failure.style = warning.subject.styleLayer == nil ? nil : warning
                    return failure
                }
            }
            return layer
        }
        layers += plan.ownWarnings.filter { $0.code == .notDrawn }.map { warning in
            Layer(
                name: warning.layer ?? "", kind: "unplanned",
                failure: Failure(resource: "layer", code: .notDrawn, error: warning.message))
        }
        view = View(
            crs: viewport.crs.name, extent: [extent.minX, extent.minY, extent.maxX, extent.maxY],
            resolution: viewport.resolution.unitsPerPixel, zoom: viewport.resolution.zoom(in: viewport.crs),
            rotation: viewport.rotation, size: [viewport.size.width, viewport.size.height],
            pixelRatio: viewport.pixelRatio)
        milliseconds = Milliseconds()
        milliseconds.decode = decoding.milliseconds
        warnings = plan.warnings.filter { $0.code != .notDrawn } + odd.compactMap(\.warning)
        complete = layers.allSatisfy { $0.failed.isEmpty } && !warnings.contains(where: \.isLoss)
        for layer in layers where layer.stale > 0 {
            warnings.append(
                MapWarning(
                    .stale, layer: layer.name,
                    message: "\(layer.stale) of \(layer.requested) are stale, from the cache, because "
                        + (reasons[layer.name] ?? "they could not be fetched again")))
        }
        removeSecrets(of: plan, and: secrets)
    }
}

extension RenderReport {
    /// Removes secrets from names and warnings of services.
    ///
    /// Failure messages have none.
    private mutating func removeSecrets(of plan: MapPlan, and known: Secrets) {
        guard !warnings.isEmpty || !complete else { return }
        var secrets = known
        secrets.learn(plan.resources.lazy.map(\.location.description))
        guard !secrets.isEmpty else { return }
        warnings = warnings.map { $0.with(message: secrets.removed(from: $0.message)) }
        for index in layers.indices { layers[index].failed = layers[index].failed.map { $0.without(secrets) } }
    }
}

/// Counts tiles with a size other than that of their grid, and maps with a size other than the requested one.
private struct OddTiles {
    let layer: String
    private var count = 0, oddCount = 0
    private var isMap = false
    private var first: (came: ImageSize, asked: ImageSize)?

    init(layer: String) { self.layer = layer }

    /// Records the actual size of a tile.
    mutating func note(_ came: ImageSize?, of resource: Resource) {
        guard let came, let asked = resource.size else { return }
        switch resource.id.item {
        case .tile: break
        case .map: isMap = true
        case .icon, .legend, .other: return
        }
        count += 1
        // Servers send a single pixel for empty tiles, and double-size tiles for high-density displays.
        guard came != asked, came.pixelCount > 1, (came.width, came.height) != (2 * asked.width, 2 * asked.height)
        else { return }
        oddCount += 1
        if first == nil { first = (came, asked) }
    }

    /// The warning, or `nil` if all tiles have the expected size.
    var warning: MapWarning? {
        first.map { first in
            let isSmall = first.came.width < first.asked.width || first.came.height < first.asked.height
            return MapWarning(
                .imageSize, layer: layer,
                message:
                    "\(oddCount) of \(count) \(isMap ? "images" : "tiles") have an unexpected size, the first \(first.came) instead of "
                    + "\(first.asked) pixels; \(isSmall ? "stretched" : "shrunk")")
        }
    }
}

extension RenderReport.Failure {
    fileprivate func without(_ secrets: Secrets) -> Self {
        let resource = secrets.removed(from: resource), error = secrets.removed(from: error)
        guard let id, let cause else {
            var failure = Self(resource: resource, code: code, status: status, error: error)
            failure.style = style
            return failure
        }
        return Self(id: id, resource: resource, cause: cause, error: error)
    }

    /// Creates the loss of a resource, which a part of a coarser one may replace.
    fileprivate init(_ resource: Resource, error: ResourceError, standIn: Resource?) {
        let instead = standIn.map { "; replaced by part of the coarser tile \($0.name)" } ?? ""
        self.init(
            id: resource.id, resource: "\(resource.name) \(FetchError.redacted(resource.location.description))",
            cause: error, error: "\(error)\(instead)")
    }
}

extension PlannedLayer {
    /// The substitutes of missing resources.
    fileprivate var standIns: [Resource.ID: Resource] {
        var standIns: [Resource.ID: Resource] = [:]
        let byID = Dictionary(plan.resources.lazy.filter { $0.use == .standIn }.map { ($0.id, $0) }) { first, _ in first
        }
        guard !byID.isEmpty else { return [:] }
        for image in plan.nodes.flatMap(\.mosaics).flatMap(\.images) {
            if let missing = image.standsIn { standIns[missing] = byID[image.resource] }
        }
        return standIns
    }
}

extension MapPlan {
    /// Returns the layers whose servers could not be reached, each with its first failure.
    func lostConnections(in loaded: MapRenderer.Loaded) -> [String: MapRenderer.LostConnection] {
        var lost: [String: MapRenderer.LostConnection] = [:]
        for layer in layers {
            for resource in layer.plan.resources where resource.use == .shown {
                guard let detail = loaded[resource.id].flatMap(MapRenderer.connectionLoss) else { continue }
                lost[layer.name] = MapRenderer.LostConnection(resource: resource, detail: detail)
                break
            }
        }
        return lost
    }
}
