import PortolanFeatures
import PortolanGeo
import PortolanPlan

extension LayerKind {
    private static let clusterKeys = ["cluster", "cluster-radius", "cluster-max-zoom", "cluster-min-points"]
    private static let heatmapKeys = ["heatmap", "heatmap-radius", "heatmap-intensity", "heatmap-weight"]

    /// Points by the million, of a file, a URL or standard input.
    public static let points = LayerKind(
        "points", source: .features,
        keys: clusterKeys + heatmapKeys + ["point-radius"] + styleKeys + ["label", "label-priority"]
            + labelKeys.map(\.0) + ["crs", "layer", "style", "style-layers"],
        help: """
            FILE, URL or - (standard input), in the formats of features:, points by the million  cluster (true: those that are close to each other are one, with \
            their number), cluster-radius (pixels, 50), cluster-max-zoom (of styles, one less than that of tiles, 16), cluster-min-points (2), heatmap (true: their \
            density), heatmap-radius (pixels, 30), heatmap-intensity (1), heatmap-weight (the name of a property with a number), \
            point-radius (pixels), and the keys of features: for a point's look; where a view shows more than 100,000 points \
            each is a mark and nothing more.
            """,
        check: { (specification) throws(LayerError) in _ = try look(specification) },
        make: { (specification, name, builder) async throws(LayerError) in
            let (read, base) = try await features(of: specification, builder, PointTable.init) { bytes, limits in
                try PointTable.reading(bytes, limits: limits)
            }
            var table = read
            try builder.refuseRepairs(table.warnings, of: specification)
            if let text = specification["crs"] {
                do { table = table.taken(as: try CRS(text)) } catch {
                    throw specification.bad("crs", "cannot be used: \(error)")
                }
            }
            var notes = table.warnings
            if let box = table.boundingBox, !table.crs.admits(box) {
                notes.append(MapWarning(.data, message: FeatureDocument.notDegrees))
            }
            for key in ["label", "heatmap-weight"] {
                guard let property = specification[key], !table.propertyNames.contains(property) else { continue }
                notes.append(
                    MapWarning(
                        .layerKey, MapWarning.Subject(member: key), effect: .ignored,
                        message: "no point has a property '\(property)'"))
            }
            var declaration = try style(specification, &notes)
            let radius = try specification.number("point-radius", in: 0.1...500)
            declaration.pointRadius = radius ?? declaration.pointRadius
            var source = PointSource(table, look: try look(specification), style: declaration)
            source.baseURL = base
            source.prepare()
            let sheet = try await FeatureSheet.read(specification, builder, &notes)
            source.sheet = sheet?.sheet
            source.sheetBaseURL = sheet?.base
            let attribution = table.foreignMembers["attribution"]?.stringValue
            return (MapLayer(name: name, source: source, attribution: attribution), notes)
        })

    /// How the keys say that points are shown.
    private static func look(_ specification: LayerSpecification) throws(LayerError) -> PointSource.Look {
        let hasClusters = try specification.flag("cluster") ?? false
        let hasHeat = try specification.flag("heatmap") ?? false
        for (keys, first, isOn) in [(clusterKeys, "cluster", hasClusters), (heatmapKeys, "heatmap", hasHeat)] {
            if !isOn, let lone = keys.dropFirst().first(where: { specification[$0] != nil }) {
                throw specification.bad(lone, "needs ';\(first)=true'")
            }
        }
        if hasClusters, hasHeat { throw specification.bad("heatmap", "cannot stand beside ';cluster=true'") }
        if hasClusters {
            return .clusters(
                radius: try specification.number("cluster-radius", in: 1...512) ?? 50,
                maximumZoom: try specification.integer("cluster-max-zoom", in: 0...24) ?? 16,
                minimumPointCount: try specification.integer("cluster-min-points", in: 2...1_000_000) ?? 2)
        }
        guard hasHeat else { return .points }
        return .heatmap(
            HeatmapSymbol(
                radius: try specification.number("heatmap-radius", in: 1...500) ?? 30,
                intensity: try specification.number("heatmap-intensity", in: 0...1e6) ?? 1,
                weightProperty: specification["heatmap-weight"]))
    }
}
