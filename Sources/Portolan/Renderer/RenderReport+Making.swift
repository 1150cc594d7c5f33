import PortolanFetch
import PortolanPlan
import PortolanRaster

extension RenderReport {
    /// The report of a plan whose resources have been loaded.
    init(plan: DrawPlan, loaded: MapRenderer.Loaded, standIns: [String: TileStandIn] = [:]) {
        let viewport = plan.viewport, extent = viewport.extent
        var decoding = Duration.zero
        var reasons: [String: String] = [:]
        layers = plan.steps.map { step in
            var layer = Layer(
                name: step.layer, kind: step.kind, requested: 0, fetched: 0, cached: 0, stale: 0, failed: [],
                attribution: step.attribution)
            var seen: Set<String> = []
            for resource in plan.resources(of: step) where seen.insert(resource.url).inserted {
                layer.requested += 1
                switch loaded[resource.url] {
                case .success(let image):
                    switch image.origin {
                    case .network: layer.fetched += 1
                    case .cache: layer.cached += 1
                    case .stale(let reason, _):
                        layer.stale += 1
                        reasons[layer.name] = reasons[layer.name] ?? reason
                    }
                    decoding += image.decoding
                case .failure(let error):
                    let instead = standIns[resource.url].map { "; a part of the coarser tile \($0.name) stands in" }
                    layer.failed.append(
                        Failure(
                            resource: "\(resource.name) \(FetchError.redacted(resource.url))",
                            error: "\(error)\(instead ?? "")", status: error.status))
                case nil: break
                }
            }
            return layer
        }
        layers += plan.warnings.filter(\.losesLayer).map { warning in
            Layer(
                name: warning.layer, kind: "unplanned", failure: Failure(resource: "layer", error: warning.detail))
        }
        complete = layers.allSatisfy { $0.failed.isEmpty }
        view = View(
            crs: viewport.crs.name, extent: [extent.minX, extent.minY, extent.maxX, extent.maxY],
            resolution: viewport.resolution.unitsPerPixel, zoom: viewport.resolution.zoom(in: viewport.crs),
            rotation: viewport.rotation, size: [viewport.size.width, viewport.size.height],
            pixelRatio: viewport.pixelRatio)
        milliseconds = Milliseconds()
        milliseconds.decode = decoding.milliseconds
        warnings = plan.warnings.filter { !$0.losesLayer }.map(\.description)
        let outside = Set(plan.warnings.lazy.filter(\.isOutsideView).map(\.layer))
        warnings += plan.blankLayers(in: loaded).filter { !outside.contains($0) }.map {
            "layer '\($0)': the service drew nothing here; its data or its scales may lie elsewhere"
        }
        for layer in layers where layer.stale > 0 {
            warnings.append(
                "layer '\(layer.name)': \(layer.stale) of \(layer.requested) from the cache and out of date, since "
                    + (reasons[layer.name] ?? "they could not be had anew"))
        }
    }
}

extension DrawPlan {
    /// The layers of map services whose pictures have all come and are all empty: no exception tells of data that are
    /// elsewhere, of axes in the wrong order, or of a service behind the service that failed.
    func blankLayers(in loaded: MapRenderer.Loaded) -> [String] {
        steps.filter { step in
            guard step.kind == "wms", case .mosaics = step.content else { return false }
            let resources = step.content.shownResources
            return !resources.isEmpty
                && resources.allSatisfy { resource in
                    guard case .success(let image) = loaded[resource.url] else { return false }
                    return image.image.pixels.allSatisfy { $0 == 0 }
                }
        }.map(\.layer)
    }

    /// The layers whose servers could not be reached, each with what went wrong first.
    func lostConnections(in loaded: MapRenderer.Loaded) -> [String: MapRenderer.LostConnection] {
        var lost: [String: MapRenderer.LostConnection] = [:]
        for step in steps {
            for resource in step.content.shownResources {
                guard let detail = loaded[resource.url].flatMap(MapRenderer.connectionLoss) else { continue }
                lost[step.layer] = MapRenderer.LostConnection(url: resource.url, detail: detail)
                break
            }
        }
        return lost
    }
}
