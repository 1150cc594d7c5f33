public import PortolanGeo
public import PortolanPlan
import PortolanServices
public import PortolanWeb

extension ServiceClient {
    /// Creates a layer of an OGC API Maps map (OGC 20-058): one image per view, or several for a large view.
    ///
    /// - Parameters:
    ///   - name: the name of the layer on the map.
    ///   - url: the URL of the landing page, the collections or a collection.
    ///   - choice: the options of the layer.
    ///   - mapCRS: the CRS of the map. Images are requested in it if the service offers it.
    /// - Returns: the layer, and warnings about the documents.
    /// - Throws: ``MapError``.
    public func ogcMapLayer(
        named name: String, url: String, options choice: MapCollectionOptions = MapCollectionOptions(),
        mapCRS: CRS = .webMercator
    ) async throws(MapError) -> (layer: MapLayer, warnings: [MapWarning]) {
        do {
            return try await connectOGCMap(
                named: name, url: url, options: choice, mapCRS: mapCRS)
        } catch { throw MapError(error) }
    }

    /// Implements `ogcMapLayer` with the typed error `ServiceError`.
    package func connectOGCMap(
        named name: String, url: String, options choice: MapCollectionOptions = MapCollectionOptions(),
        mapCRS: CRS = .webMercator
    ) async throws(ServiceError) -> (layer: MapLayer, warnings: [MapWarning]) {
        let (document, base) = try await apiDocument(at: NamedURL(url, namedBy: origin))
        var address: NamedURL?, box: BoundingBox?, crsNames: [String] = [], warnings: [MapWarning] = []
        func take(_ collection: OGCAPICollection, in base: BaseURL) {
            address = mapAddress(of: collection.links, in: base, format: choice.format)
            box = collection.geographicBox
            let stored = [collection.storageCRSName].compactMap(\.self)
            crsNames = collection.crsNames.filter { !$0.hasPrefix("#") } + stored
        }
        if case .landing(let landing) = document, choice.collections.count != 1 {
            address = mapAddress(of: landing.links, in: base, format: choice.format)
        }
        if case .collection(let collection) = document {
            take(collection, in: base)
        } else if address == nil || !choice.collections.isEmpty {
            let offered = try await readFeatureCollections(of: url)
            warnings = offered.warnings
            let having = offered.collections.filter {
                mapAddress(of: $0.links, in: offered.base, format: nil) != nil
            }
            // Several collections are drawn by the map of the dataset, which must then exist.
            for wanted in choice.collections { _ = try collection(wanted, of: having, at: url) }
            if choice.collections.count <= 1, let only = try collection(choice.collections.first, of: having, at: url) {
                take(only, in: offered.base)
            }
        }
        guard let address else {
            throw ServiceError(
                .ogcAPI(.noLink(choice.collections.count > 1 ? "a map of several collections" : "a map")), url: url)
        }
        let (crs, crsName) = try system(choice.crsName, offered: crsNames, mapCRS: mapCRS, at: url)
        guard let extent = crs.worldExtent ?? Extent(minX: 0, minY: 0, maxX: 1, maxY: 1) else {
            throw ServiceError(.notOffered, url: url, detail: "\(crs) has no extent")
        }
        var request = GetMapRequest(
            version: .v1_3_0, baseURL: address, layers: choice.collections.isEmpty ? [""] : choice.collections,
            crs: crs, crsName: crsName, extent: extent,
            width: 256, height: 256, background: nil)
        request.dialect = .ogcAPIMaps
        var layer = MapLayer(name: name, source: WMSSource(request: request))
        layer.bounds = box.flatMap { LayerBounds(geographic: $0) }
        return (layer, warnings)
    }

    private func mapAddress(of links: [OGCAPILink], in base: BaseURL, format: String?) -> NamedURL? {
        let maps = links.filter { $0.leads(to: "map") }
        func first(_ type: String) -> OGCAPILink? {
            maps.first { MediaType($0.type ?? "").essence == MediaType(MediaType.text(ofImages: type)).essence }
        }
        let link: OGCAPILink? =
            if let format {
                first(format)
            } else {
                first("image/png") ?? first("image/jpeg") ?? first("image/webp")
                    ?? maps.first { $0.type == nil || $0.type?.hasPrefix("image/") == true }
            }
        return link.flatMap { APILocation(base).address(of: [$0], leadingTo: "map") }
    }

    /// Returns the CRS to request, and its name as the service writes it.
    private func system(
        _ wanted: String?, offered: [String], mapCRS: CRS, at url: String
    ) throws(ServiceError) -> (CRS, String) {
        func uri(_ crs: CRS, _ text: String) -> String {
            let parts = crs.name.split(separator: ":")
            guard parts.count == 2 else { return text }
            return parts[0] == "CRS"
                ? "http://www.opengis.net/def/crs/OGC/1.3/CRS\(parts[1])"
                : "http://www.opengis.net/def/crs/\(parts[0])/0/\(parts[1])"
        }
        if let wanted {
            let crs: CRS
            do { crs = try CRS(wanted) } catch { throw ServiceError(.crs(error), url: url) }
            return (crs, offered.first { (try? CRS($0)) == crs } ?? uri(crs, wanted))
        }
        let known = offered.compactMap { name in (try? CRS(name)).map { (crs: $0, name: name) } }
        if let same = known.first(where: { $0.crs == mapCRS })
            ?? known.first(where: { $0.crs.hasCoordinates(of: mapCRS) })
        {
            return (same.crs, same.name)
        }
        // Every service supports degrees. A service without a CRS list probably supports the CRS of the map.
        return known.isEmpty ? (mapCRS, uri(mapCRS, mapCRS.name)) : (.crs84, uri(.crs84, "CRS:84"))
    }
}
