import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanWeb

extension LayerKind {
    private static let clusterKeys = ["cluster", "cluster-radius", "cluster-max-zoom", "cluster-min-points"]
    private static let heatmapKeys = [
        "heatmap", "heatmap-radius", "heatmap-intensity", "heatmap-weight", "heatmap-max", "heatmap-ramp",
    ]

    /// Points of a file, a URL or standard input, up to millions.
    public static let points = LayerKind(
        "points", source: .features,
        keys: clusterKeys + heatmapKeys + ["point-radius"] + styleKeys + ThematicKeys.keys + [
            "outline", "label", "label-priority", "declutter",
        ]
            + labelKeys.map(\.0) + ["language", "crs", "layer", "style", "style-layers"] + joinKeys + tableKeys,
        help: """
            points:FILE, URL or -  Millions of points, in any feature format, as markers, clusters or a heatmap. \
            Views with more than 100,000 points show plain marks.
            """,
        check: { (specification) throws(MapError) in _ = try look(specification) },
        make: { (specification, name, builder) async throws(MapError) in
            let formats = formats(of: specification, builder)
            var notes: [MapWarning] = [], table: PointTable, base: BaseURL?
            if let join = try await builder.join(of: specification, &notes) {
                var joined: FeatureCollection
                (joined, base) = try await readFeatures(of: specification, builder)
                joined.join(join)
                table = PointTable(joined)
            } else {
                (table, base) = try await features(of: specification, builder, PointTable.init) { bytes, limits in
                    try PointTable.reading(bytes, formats: formats, limits: limits)
                }
            }
            try builder.refuseRepairs(table.warnings, of: specification)
            if let text = specification["crs"] {
                do { table = table.taken(as: try CRS(text)) } catch {
                    throw specification.invalid("crs", "cannot be used: \(error)")
                }
            }
            table = table.leavingOutMisplaced()
            notes += table.warnings
            if let box = table.boundingBox, !table.crs.admits(box) {
                notes.append(MapWarning(.data, message: FeatureDocument.notDegrees))
            }
            let weight = specification["heatmap-weight"].map { [("heatmap-weight", [$0])] } ?? []
            for (key, names) in try specification.labelProperties().map({ ("label", $0) }) + weight
            where !names.contains(where: table.propertyNames.contains) {
                notes.append(
                    MapWarning(
                        .layerKey, MapWarning.Subject(member: key), effect: .ignored,
                        message: "no point has the property '\(names.first ?? "")'"))
            }
            let theme = try ThematicKeys(specification)
            var declaration =
                if theme == nil { try style(specification, color: builder.layerColor, &notes) } else {
                    StyleDeclaration()
                }
            let radius = try specification.number("point-radius", in: 0.1...500)
            declaration.pointRadius = radius ?? declaration.pointRadius
            var source = PointSource(table, look: try look(specification, of: table), style: declaration)
            source.baseURL = base
            source.isNamed = specification["name"] != nil
            source.prepare()
            let sheet = try await StyleReference.read(specification, builder, &notes)
            source.sheet = sheet?.sheet
            source.sheetBaseURL = sheet?.base
            if let theme {
                source.sheet = try theme.sheet(ThematicValues(table), color: builder.layerColor, &notes)
            }
            var layer = MapLayer(
                name: name, source: source, attribution: table.foreignMembers["attribution"]?.stringValue)
            layer.documentTitle = LegendHeading.title(in: table.foreignMembers)
            return (layer, notes)
        })

    /// Returns the full weight: a number, or a quantile of the weights.
    private static func fullWeight(
        _ specification: LayerSpecification, of table: PointTable?
    ) throws(MapError) -> Double? {
        let text = specification["heatmap-max"] ?? "100%"
        guard let property = specification["heatmap-weight"] else {
            guard specification["heatmap-max"] == nil else {
                throw specification.invalid("heatmap-max", "needs ';heatmap-weight=PROPERTY'")
            }
            return nil
        }
        guard let number = Double(text.last == "%" ? text.dropLast() : text[...]), number.isFinite, number > 0,
            text.last != "%" || number <= 100
        else { throw specification.invalid("heatmap-max", "must be a number above 0 or a percentage such as 95%") }
        guard text.last == "%" else { return number }
        guard let table, let numbers = table.numbers(property) else { return nil }
        let all = (0..<table.count).compactMap(numbers).filter { $0 > 0 && $0.isFinite }.sorted()
        return all.isEmpty ? nil : all[max(Int((Double(all.count) * number / 100).rounded(.up)) - 1, 0)]
    }

    /// Returns how the keys show points.
    ///
    /// - Parameter table: the points, or `nil` to only validate the keys.
    private static func look(
        _ specification: LayerSpecification, of table: PointTable? = nil
    ) throws(MapError) -> PointSource.Look {
        let hasClusters = try specification.flag("cluster") ?? false
        let hasHeat = try specification.flag("heatmap") ?? false
        for (keys, first, isOn) in [(clusterKeys, "cluster", hasClusters), (heatmapKeys, "heatmap", hasHeat)] {
            if !isOn, let lone = keys.dropFirst().first(where: { specification[$0] != nil }) {
                throw specification.invalid(lone, "needs ';\(first)=true'")
            }
        }
        if hasClusters, hasHeat { throw specification.invalid("heatmap", "cannot be combined with ';cluster=true'") }
        if hasClusters {
            return .clusters(
                radius: try specification.number("cluster-radius", in: 1...512) ?? 50,
                maximumZoom: try specification.integer("cluster-max-zoom", in: 0...24) ?? 16,
                minimumPointCount: try specification.integer("cluster-min-points", in: 2...1_000_000) ?? 2)
        }
        guard hasHeat else { return .points }
        let intensity = try specification.number("heatmap-intensity", in: 0...1e6)
        var heat = HeatmapSymbol(
            radius: try specification.number("heatmap-radius", in: 1...500) ?? 30,
            intensity: intensity ?? (specification["heatmap-weight"] == nil ? 1 : 2.5),
            weightProperty: specification["heatmap-weight"], fullWeight: try fullWeight(specification, of: table),
            ramp: (try specification.choice("heatmap-ramp", of: HeatmapSymbol.Ramp.allCases) ?? .maplibre).stops)
        heat.fitsCrowds = intensity == nil && specification["heatmap-weight"] == nil
        return .heatmap(heat)
    }
}
