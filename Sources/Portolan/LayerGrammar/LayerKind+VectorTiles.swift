import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanStyles
import PortolanWeb

extension LayerKind {
    /// Vector tiles, drawn by a style, or by the same keys for all features of selected tile layers.
    public static let vectorTiles = LayerKind(
        "vector", source: .vectorTiles,
        keys: ["layers", "scheme", "min-zoom", "max-zoom", "bounds", "encoding", "attribution", "source"]
            + joinKeys + appearanceKeys.filter { $0 != "geodesic" },
        help: """
            vector:SOURCE  Vector tiles of a URL template, a TileJSON document, MBTiles or PMTiles, drawn by a MapLibre style \
            or by the keys.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            let (tiles, attribution, notes) = try await builder.vectorTiles(of: specification, named: name)
            return try await vectorLayer(tiles, attribution: attribution, notes, specification, name, builder)
        })

    /// Returns a layer of vector tiles, drawn by the style or the keys of its specification.
    package static func vectorLayer(
        _ source: VectorTileSource, attribution stated: String?, _ warnings: [MapWarning],
        _ specification: LayerSpecification, _ name: String, _ builder: LayerBuilder
    ) async throws(MapError) -> Made {
        var (tiles, notes) = (source, warnings)
        let attribution = specification["attribution"] ?? stated
        tiles.layers = specification.list("layers")
        tiles.join = try await builder.join(of: specification, &notes)
        let namelessTiles = tiles.nameWarning(try specification.labelLanguage())
        guard let (sheet, base) = try await StyleReference.read(specification, builder, &notes) else {
            guard specification["source"] == nil else {
                throw specification.invalid("source", "needs a style; add ';style=FILE'")
            }
            if specification["label"] != nil { notes += namelessTiles }
            var layer: MapLayer
            if let theme = try ThematicKeys(specification) {
                let layers = tiles.layers ?? tiles.descriptions.map(\.id)
                guard !layers.isEmpty else {
                    throw specification.invalid("the tiles do not name their layers; add ';layers=NAME'")
                }
                let sheet = try theme.sheet(
                    ThematicValues(tiles.join), color: builder.layerColor, tileLayers: layers, &notes)
                tiles.layers = nil
                let source = StyleSource(sheet, baseURL: nil, sources: [ThematicStyle.tileSource: tiles])
                layer = MapLayer(name: name, source: source, attribution: attribution)
            } else {
                tiles.style = try style(specification, color: builder.layerColor, &notes)
                layer = MapLayer(name: name, source: tiles, attribution: attribution)
            }
            layer.bounds = tiles.bounds
            return (layer, notes)
        }
        guard tiles.layers == nil else {
            throw specification.invalid(
                "layers", "cannot be combined with a style; 'style-layers' selects layers of a style")
        }
        let names = sheet.sources.filter { $0.value.type == "vector" }.keys.sorted()
        let drawn = specification["source"] ?? (names.count == 1 ? names[0] : nil)
        guard let drawn, names.contains(drawn) else {
            throw specification.invalid(
                "source", "must name a source of vector tiles of the style: " + names.joined(separator: ", "))
        }
        notes += namelessTiles
        var layer = MapLayer(
            name: name, source: StyleSource(sheet, baseURL: base, sources: [drawn: tiles]), attribution: attribution)
        layer.bounds = tiles.bounds
        return (layer, notes)
    }
}

extension VectorTileSource {
    /// Returns the source with the levels, extent and identifiers of a style source.
    func described(by members: Properties) -> VectorTileSource {
        let levels = (members["minzoom"]?.integerValue, members["maxzoom"]?.integerValue)
        let bounds = members["bounds"]?.arrayValue?.compactMap(\.doubleValue)
        return limited(to: levels, extent: bounds.flatMap { GeographicBounds($0)?.extent(in: tiles.grid.crs) })
            .identified(by: members)
    }

    /// Returns the warning that the described tiles have no names in a language.
    func nameWarning(_ language: LabelLanguage?) -> [MapWarning] {
        let fields = Set(descriptions.flatMap(\.fields).map(\.name))
        guard let language, !fields.isEmpty, fields.isDisjoint(with: language.propertyNames) else { return [] }
        return [.withoutEffect("language", "the tiles are described without names in the language '\(language)'")]
    }

    /// Returns the source with the identifiers that a style source requires.
    func identified(by members: Properties) -> VectorTileSource {
        var source = self
        switch members["promoteId"] {
        case .string(let name): source.promotedIDs = PromotedIDs(common: name)
        case .object(let names):
            let pairs = names.compactMap { member in member.value.stringValue.map { (member.name, $0) } }
            source.promotedIDs = PromotedIDs(byLayer: Dictionary(pairs) { $1 })
        default: break
        }
        return source
    }
}
