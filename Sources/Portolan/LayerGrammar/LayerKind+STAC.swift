import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

extension LayerKind {
    /// The images of items of a SpatioTemporal Asset Catalog: of an item, of search results or of a collection.
    public static let stac = LayerKind(
        "stac", source: .catalog, keys: ["asset", "limit", "crs", "attribution"] + RasterKeys.keys,
        help: "stac:FILE|URL  GeoTIFF images of a STAC item, of search results, or of a collection.",
        make: { (specification, name, builder) async throws(MapError) in
            let limit = try specification.integer("limit", in: 1...100) ?? 24
            let client = builder.client(for: specification)
            let (items, unread) = try await specification.asking { () throws(ServiceError) in
                try await client.stacItems(at: specification.source, limit: limit)
            }
            guard !items.isEmpty else {
                throw specification.error(
                    .service(ServiceError(.notOffered, url: specification.source, detail: "it has no items")))
            }
            // The newest image is drawn above others.
            let newest = items.enumerated().sorted { one, other in
                (one.element.item.seconds ?? -.infinity, other.offset)
                    > (other.element.item.seconds ?? -.infinity, one.offset)
            }.prefix(limit).map(\.element)
            var images: [MapLayer] = [], warnings: [MapWarning] = []
            for (item, base) in newest.reversed() {
                let image = try image(of: item, in: base, specification)
                let made = try await LayerKind.geoTIFF.make(image, name, builder)
                images.append(made.layer)
                warnings += made.warnings
            }
            let leftOut = unread + items.count - newest.count
            if leftOut > 0 {
                warnings.append(
                    MapWarning(
                        .limited, effect: .omitted,
                        message: "\(leftOut) of its items were left out; 'limit' draws up to 100"))
            }
            guard var layer = images.last else { return (images[0], warnings) }
            let sources = images.compactMap(\.tiles)
            if sources.count > 1 {
                layer.source = TileStackSource(kind: "stac", sources: sources)
                layer.bounds = layer.source.bounds
            }
            return (layer, warnings)
        })

    /// The specification of the image of an item.
    private static func image(
        of item: STACItem, in base: BaseURL, _ specification: LayerSpecification
    ) throws(MapError) -> LayerSpecification {
        let wanted = specification["asset"]
        guard let asset = item.asset(named: wanted) else {
            let names = item.assets.map(\.name).joined(separator: ", ")
            throw specification.invalid(
                "layer '\(specification.source)': "
                    + (wanted.map { "the item '\(item.id)' has no asset '\($0)'" }
                        ?? "the item '\(item.id)' has no GeoTIFF")
                    + "; available: \(names.isEmpty ? "none" : names)")
        }
        let address = base.stacAddress(asset.address)
        if let refusal = base.refusal(of: address) {
            throw specification.error(
                .service(
                    ServiceError(
                        .notOffered, url: base.url,
                        detail: "not allowed to request its asset '\(asset.name)': \(refusal)")))
        }
        let values = specification.values.filter { LayerKind.geoTIFF.keys.contains($0.key) }
        return try LayerSpecification(
            kind: .geoTIFF, source: address, values: values, namedBy: base.contents, kinds: specification.kinds)
    }
}
