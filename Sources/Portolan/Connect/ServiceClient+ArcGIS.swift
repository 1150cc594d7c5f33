public import PortolanGeo
public import PortolanPlan
public import PortolanServices
public import PortolanWeb

extension ServiceClient {
    /// The options of an ArcGIS layer.
    public struct ArcGISOptions: Hashable, Sendable {
        /// The numbers or names of the layers to draw; empty for the default layers of the service.
        public var layers: [String]
        /// Whether tiles are requested.
        ///
        /// `nil` requests tiles if no layers are chosen and the service has tiles in the CRS of the map.
        public var isTiled: Bool?
        /// The image format, as the service writes it, or `nil` for the best.
        public var format: String?

        /// Creates a choice.
        public init(layers: [String] = [], isTiled: Bool? = nil, format: String? = nil) {
            self.layers = layers
            self.isTiled = isTiled
            self.format = format
        }
    }

    /// Returns the description of an ArcGIS `MapServer` or `ImageServer`.
    ///
    /// - Throws: ``MapError``.
    public func arcGISService(from url: String) async throws(MapError) -> ArcGISService {
        do { return try await readArcGISService(at: url) } catch { throw MapError(error) }
    }

    /// Implements `arcGISService` with the typed error `ServiceError`.
    package func readArcGISService(at url: String) async throws(ServiceError) -> ArcGISService {
        try await arcGIS(at: url).service
    }

    /// Creates a layer of an ArcGIS `MapServer` or `ImageServer`: tiles in the grid of the service, or one image per
    /// view.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the URL of the service, which ends in `/MapServer` or `/ImageServer`, or of one of its layers.
    ///   - choice: the options of the layer.
    ///   - mapCRS: the CRS of the map, in which images are requested.
    /// - Returns: the layer, and warnings about the service.
    /// - Throws: ``MapError``.
    public func arcGISLayer(
        named name: String, url: String, options choice: ArcGISOptions = ArcGISOptions(), mapCRS: CRS = .webMercator
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectArcGIS(
                named: name, url: url, options: choice, mapCRS: mapCRS)
        } catch { throw MapError(error) }
    }

    /// Implements `arcGISLayer` with the typed error `ServiceError`.
    package func connectArcGIS(
        named name: String, url: String, options choice: ArcGISOptions = ArcGISOptions(), mapCRS: CRS = .webMercator
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        if VectorTileServer.isLikely(at: url) {
            let opened = try await openVectorTileServer(at: url)
            return (opened.layer(named: name), opened.warnings)
        }
        let (service, base, numbers) = try await arcGIS(at: url)
        let layers = try numbers + self.layers(choice.layers, of: service, at: url)
        let fits = service.grid.map { $0.crs.hasCoordinates(of: mapCRS) } ?? false
        var layer: MapLayer
        if let grid = service.grid, choice.isTiled ?? (layers.isEmpty && (fits || !service.exports)) {
            guard layers.isEmpty else {
                throw ServiceError(.notOffered, url: url, detail: "its tiles always show all layers; set tiled=false")
            }
            let template = try template(base.path + "/tile/{level}/{row}/{col}", in: base.document)
            var tiles = TileSource(grid: grid, address: .xyz(template), extent: service.extent)
            // ArcGIS answers with 404 for tiles without content.
            tiles.emptyStatuses = [404]
            layer = MapLayer(name: name, source: tiles, attribution: service.attribution)
        } else {
            guard choice.isTiled != true, service.exports else {
                throw ServiceError(.notOffered, url: url, detail: "it offers neither cached tiles nor map images")
            }
            layer = MapLayer(
                name: name, source: try picture(of: service, at: base, layers, choice, mapCRS),
                attribution: service.attribution)
        }
        layer.bounds = service.extent.flatMap { extent in service.crs.map { LayerBounds(extent, crs: $0) } }
        return (layer, service.warnings)
    }

    private func picture(
        of service: ArcGISService, at base: ArcGISBase, _ layers: [String], _ choice: ArcGISOptions, _ mapCRS: CRS
    ) throws(ServiceError) -> WMSSource {
        let wanted = mapCRS == .crs84 ? CRS.epsg4326 : mapCRS
        let known = [wanted, service.crs].compactMap(\.self).compactMap { crs in Self.code(of: crs).map { (crs, $0) } }
        guard let (crs, code) = known.first,
            let extent = crs.worldExtent ?? Extent(minX: 0, minY: 0, maxX: 1, maxY: 1)
        else {
            throw ServiceError(.notOffered, url: base.document.url, detail: "it offers no known coordinate system")
        }
        let formats = service.formats
        let usual = ["PNG32", "PNG", "PNG24", "PNG8", "JPGPNG", "JPG"].first(where: formats.contains)
        let format = choice.format ?? usual?.lowercased() ?? "png"
        let address = base.document.names(
            base.path + (service.isImageService ? "/exportImage" : "/export") + "?"
                + (base.query.isEmpty ? "" : base.query + "&")
                + "f=image")
        var request = GetMapRequest(
            version: .v1_3_0, baseURL: address, layers: layers.isEmpty ? [""] : layers, crs: crs, crsName: code,
            extent: extent, width: 256,
            height: 256, format: format, background: nil)
        request.dialect = service.isImageService ? .arcGISImage : .arcGISMap
        return WMSSource(
            request: request, maximumWidth: service.maximumWidth, maximumHeight: service.maximumHeight)
    }

    private static func code(of crs: CRS) -> String? {
        let parts = crs.name.split(separator: ":")
        return parts.count == 2 && ["EPSG", "ESRI"].contains(parts[0]) ? String(parts[1]) : nil
    }

    private func layers(
        _ wanted: [String], of service: ArcGISService, at url: String
    ) throws(ServiceError) -> [String] {
        var numbers: [String] = []
        for name in wanted {
            if let layer = service.layers.first(where: { String($0.number) == name })
                ?? service.layers.first(where: { $0.name == name })
            {
                numbers.append(String(layer.number))
                continue
            }
            let offered = service.layers.map { "\($0.number) (\($0.name))" }
            throw ServiceError(
                .notOffered, url: url,
                detail: "unknown layer '\(name)'; available: \(offered.prefix(20).joined(separator: ", "))")
        }
        return numbers
    }

    /// The URL of a service, without query and layer number.
    private struct ArcGISBase {
        let document: BaseURL
        let path: String
        /// The query of the caller's URL, such as a token.
        let query: String
    }

    private func arcGIS(
        at url: String
    ) async throws(ServiceError) -> (service: ArcGISService, base: ArcGISBase, layers: [String]) {
        let place = ServiceURL(url)
        var path = place.withoutQuery
        var numbers: [String] = []
        // The URL of a layer is the URL of the service with the layer number.
        if let last = path.split(separator: "/").last, Int(last) != nil, path.lowercased().contains("/mapserver/") {
            numbers = [String(last)]
            path = String(path.dropLast(last.count + 1))
        }
        while path.hasSuffix("/") { path.removeLast() }
        let query = place.query(without: ["F"])
        let address = NamedURL(path + "?" + (query.isEmpty ? "" : query + "&") + "f=json", namedBy: origin)
        let (members, base) = try await members(at: address)
        let isImage = path.lowercased().hasSuffix("/imageserver")
        guard let service = ArcGISService(members, isImageService: isImage) else {
            throw ServiceError(
                .unreadable, url: url,
                detail: "not an ArcGIS MapServer or ImageServer; the URL must end in /MapServer or /ImageServer")
        }
        return (service, ArcGISBase(document: base, path: path, query: query), numbers)
    }
}
