import PortolanFeatures
import PortolanFetch
import PortolanFormats
import PortolanGeo
public import PortolanPlan
public import PortolanRaster
import PortolanServices
import PortolanWeb

extension MapRenderer {
    /// Returns what the layers of a view have at a view pixel, the topmost layer first.
    ///
    /// Features are searched within ``IdentifyOptions/tolerance`` of the position, as a picture of the view shows them:
    /// markers before lines, lines before areas. Services are queried concurrently for the corresponding pixel of their
    /// image. Layers that are not drawn at the resolution of the view are omitted. Geometries are in degrees, longitude
    /// first.
    ///
    /// - Returns: one entry per layer. A failure of one layer does not affect the others.
    /// - Complexity: O(coordinates of the features in view), and one request per service.
    public func identify(
        _ layers: [MapLayer], in viewport: Viewport, pixel: Point, options: IdentifyOptions = IdentifyOptions()
    ) async -> [LayerIdentification] {
        await identify(layers, in: viewport, pixel: pixel, options: options, symbols: ShownSymbols())
    }

    /// Implements `identify`, and also considers style labels and icons in a picture.
    func identify(
        _ layers: [MapLayer], in viewport: Viewport, pixel: Point, options: IdentifyOptions, symbols: ShownSymbols
    ) async -> [LayerIdentification] {
        let drawn = layers.reversed().filter { $0.isDrawn(at: viewport.resolution) }
        guard pixel.x.isFinite, pixel.y.isFinite else { return [] }
        return await withTaskGroup(of: (Int, LayerIdentification).self) { group in
            for (place, layer) in drawn.enumerated() {
                group.addTask {
                    let outcome = await self.outcome(
                        layer, in: viewport, at: pixel, options: options, symbols: symbols)
                    return (
                        place, LayerIdentification(layer: layer.name, kind: layer.source.kind, outcome: outcome)
                    )
                }
            }
            var found: [(Int, LayerIdentification)] = []
            for await entry in group { found.append(entry) }
            return found.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func outcome(
        _ layer: MapLayer, in viewport: Viewport, at pixel: Point, options: IdentifyOptions, symbols: ShownSymbols
    ) async -> LayerIdentification.Outcome {
        var finder = FeatureFinder(
            viewport: viewport, pixel: pixel, tolerance: options.tolerance, symbols: symbols)
        if let terrain = layer.terrain {
            return await outcome(terrain, of: layer, in: viewport, at: pixel, options)
        }
        var shown = layer
        if let around = viewport.around(pixel, reach: options.tolerance + 1) {
            if layer.drawsVectorTiles {
                finder.arrivals = await resources(of: layer, in: around) { form in
                    if case .vectorTile = form { true } else { false }
                }
            } else if let service = layer.featureService {
                let arrivals = await resources(of: layer, in: around) { $0 == .document }
                let view = LayerView(around, layer: layer.name, traits: serviceTraits, identifies: true)
                if let features = service.features(for: view, given: arrivals) { shown.source = features }
            }
        }
        if let hits = finder.hits(in: shown, limit: max(options.featureCount, 1)) {
            return .answer(.features(hits.map(\.identified)))
        }
        let planner = FeatureInfoPlanner(viewport: viewport, pixel: pixel, traits: serviceTraits)
        do throws(ServiceError) {
            switch (layer.featureInfo, layer.tiles) {
            case (.wms(let template)?, _): return .answer(try await answer(to: template, of: layer, planner, options))
            case (.wmts(let template)?, let source?):
                return .answer(try await answer(to: template, of: source, planner, options))
            case (nil, let source?):
                guard case .archive(let archive) = source.address, archive.format == .geoTIFF else {
                    return .notQueryable
                }
                return try await bandValues(of: archive, source, layer.name, in: viewport, at: pixel)
            default: return .notQueryable
            }
        } catch { return .failure(MapError(error)) }
    }

    /// Returns the elevation, the slope and the aspect of the ground at a view pixel, and the contour lines there.
    private func outcome(
        _ terrain: TerrainSource, of layer: MapLayer, in viewport: Viewport, at pixel: Point, _ options: IdentifyOptions
    ) async -> LayerIdentification.Outcome {
        guard let around = viewport.around(pixel, reach: options.tolerance + 1) else { return .answer(.features([])) }
        let arrivals = await resources(of: layer, in: around) { form in
            if case .elevations = form { true } else { false }
        }
        let place = viewport.coordinate(at: pixel), view = LayerView(around, layer: layer.name)
        var finder = FeatureFinder(viewport: viewport, pixel: pixel, tolerance: options.tolerance)
        finder.arrivals = arrivals
        let lines = finder.hits(in: layer, limit: max(options.featureCount - 1, 1)) ?? []
        guard let facts = terrain.facts(at: place, in: view, given: arrivals) else {
            return .answer(.features(lines.map(\.identified)))
        }
        var properties: Properties = ["elevation": .number((facts.elevation * 100).rounded() / 100)]
        properties["slope"] = facts.slope.map { .number(($0 * 100).rounded() / 100) }
        properties["aspect"] = facts.aspect.map { .number(($0 * 10).rounded() / 10) }
        let degrees = (try? CoordinateTransform(from: viewport.crs, to: .crs84))?(place)
        let ground = Feature(geometry: degrees.map { .point($0) }, properties: properties)
        return .answer(.features([IdentifiedFeature(feature: ground)] + lines.map(\.identified)))
    }

    /// Returns the values of the bands of an image at full resolution.
    private func bandValues(
        of archive: TileArchive, _ source: TileSource, _ layer: String, in viewport: Viewport, at pixel: Point
    ) async throws(ServiceError) -> LayerIdentification.Outcome {
        guard let transform = try? CoordinateTransform(from: viewport.crs, to: source.grid.crs),
            let place = transform(viewport.coordinate(at: pixel)), place.isFinite
        else { return .answer(.features([])) }
        // An image beyond the antimeridian may be a world away.
        let width = source.grid.crs.worldExtent?.width ?? 0
        let places = width > 0 ? [0, -width, width].map { Coordinate(x: place.x + $0, y: place.y) } : [place]
        guard let extent = source.extent,
            let inside = places.first(where: { (extent.minX...extent.maxX).contains($0.x) })
        else { return .answer(.features([])) }
        do throws(ResourceError) {
            guard let found = try await loader.bandValues(of: archive, at: inside, layer: layer),
                found.values.contains(where: { !$0.isNaN })
            else { return .answer(.features([])) }
            var properties: Properties = [:]
            for (index, value) in found.values.enumerated() {
                let name = found.names[index + 1] ?? "band \(index + 1)"
                // The shortest text of the single precision, and not the digits of its binary fraction.
                properties[name] = value.isNaN ? .null : .number(Double("\(value)") ?? Double(value))
            }
            return .answer(.features([IdentifiedFeature(feature: Feature(geometry: nil, properties: properties))]))
        } catch { throw ServiceError(.unreadable, url: error.place, detail: error.message) }
    }

    /// Returns the vector tiles or documents that a layer needs for a view.
    private func resources(
        of layer: MapLayer, in viewport: Viewport, _ isNeeded: @escaping @Sendable (Resource.Form) -> Bool
    ) async -> Arrivals {
        let owner = PinOwner()
        defer { release(owner) }
        let planner = MapPlanner(viewport: viewport, traits: serviceTraits, drafts: true, identifies: true)
        var plan = await plan { planner.plan([layer]) }
        return await gather(
            &plan, planner, options: RenderOptions(),
            only: { isNeeded($0.form) }, by: nil, for: owner,
            storesImages: false, onRequested: {}, progress: nil
        ).1
    }

    private func answer(
        to template: WMSFeatureInfoTemplate, of layer: MapLayer, _ planner: FeatureInfoPlanner,
        _ options: IdentifyOptions
    ) async throws(ServiceError) -> ServiceClient.FeatureInfo {
        let address = template.map.baseURL.text
        let formats = try Self.formats(of: template.formats, options, url: address)
        // All formats are requested for the same picture.
        func question(isSmall: Bool) throws(ServiceError) -> GetFeatureInfoRequest? {
            do {
                return try planner.request(
                    to: template, of: layer, infoFormat: formats.first?.verbatim ?? "text/plain",
                    featureCount: options.featureCount, isSmall: isSmall)
            } catch { throw ServiceError(.notOffered, url: address, detail: error.description) }
        }
        func answer(to question: GetFeatureInfoRequest) async throws(ServiceError) -> ServiceClient.FeatureInfo {
            try await services.featureInfo(in: formats, crs: question.map.crs) { format in
                var request = question
                request.infoFormat = format.verbatim
                return request.address
            }
        }
        // Outside the CRS of the service there is no data.
        guard let first = try question(isSmall: false) else { return .features([]) }
        do throws(ServiceError) { return try await answer(to: first) } catch {
            // The size of the picture may be the cause.
            guard error.isRefusal, let source = layer.source as? WMSSource, !source.statesItsSize,
                max(first.map.width, first.map.height) > 512, let second = try question(isSmall: true)
            else { throw error }
            return try await answer(to: second)
        }
    }

    private func answer(
        to template: WMTSFeatureInfoTemplate, of source: TileSource, _ planner: FeatureInfoPlanner,
        _ options: IdentifyOptions
    ) async throws(ServiceError) -> ServiceClient.FeatureInfo {
        let place: FeatureInfoPlanner.TilePixel?
        do { place = try planner.pixel(of: source) } catch {
            throw ServiceError(.notOffered, url: "", detail: error.description)
        }
        // Without a tile there is no data.
        guard let place, let tile = template.tiles.url(for: place.tile) else { return .features([]) }
        let formats = try Self.formats(of: template.formats, options, url: tile)
        var addresses: [WMSCapabilities.Format: NamedURL] = [:]
        for format in formats {
            let url = template.url(for: place.tile, column: place.column, row: place.row, infoFormat: format)
            addresses[format] = url.map { NamedURL($0, namedBy: template.tiles.origin) }
        }
        return try await services.featureInfo(
            in: formats.filter { addresses[$0] != nil }, crs: source.grid.crs
        ) { addresses[$0] ?? NamedURL(tile, namedBy: template.tiles.origin) }
    }

    /// Returns the formats to request, the best first.
    private static func formats(
        of offered: [WMSCapabilities.Format], _ options: IdentifyOptions, url: String
    ) throws(ServiceError) -> [WMSCapabilities.Format] {
        let formats = FeatureInfoFormats(offered)
        guard let wanted = options.infoFormat else { return formats.distinct }
        guard let format = formats.format(meant: wanted) else {
            let offers = offered.map(\.verbatim).joined(separator: ", ")
            throw ServiceError(
                .notOffered, url: url,
                detail: "GetFeatureInfo is not offered in \(wanted); available: \(offers)")
        }
        return [format]
    }
}

extension FeatureFinder.Hit {
    /// The feature in degrees.
    fileprivate var identified: IdentifiedFeature {
        let transform = try? CoordinateTransform(from: crs, to: .crs84)
        var feature = feature
        feature.geometry = transform.flatMap { feature.geometry?.transformed(by: $0) }
        return IdentifiedFeature(feature: feature)
    }
}
