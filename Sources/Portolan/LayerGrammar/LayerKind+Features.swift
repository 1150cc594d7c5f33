import PortolanArchives
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb

extension LayerKind {
    /// The keys of simplestyle that give features a style.
    static let styleKeys = [
        "stroke", "stroke-width", "stroke-opacity", "fill", "fill-opacity", "marker-color", "marker-size",
        "marker-symbol",
    ]

    /// The keys of labels, and their names in the route dialect.
    static let labelKeys = [
        ("label-size", "fontSize"), ("label-color", "fontColor"), ("label-background", "labelBackgroundColor"),
        ("label-padding", "labelPadding"), ("label-font", "fontFamily"), ("halo-color", "labelOutlineColor"),
        ("halo-width", "labelOutlineWidth"),
    ]

    /// The keys of lines and markers that simplestyle lacks, and their names in the route dialect.
    static let lineKeys = [
        ("dash", "strokeDashstyle"), ("casing", "casingColor"), ("casing-width", "casingWidth"),
        ("outline", "markerOutlineColor"),
    ]

    /// The keys of text tables and of the text encoding.
    static let tableKeys = ["x-column", "y-column", "geometry-column", "encoding"]

    /// All keys for the appearance of features.
    package static let appearanceKeys =
        styleKeys + ThematicKeys.keys + lineKeys.map(\.0) + ["label", "label-priority", "declutter", "label-line"]
        + labelKeys.map(\.0) + [
            "language", "geodesic", FeatureLook.key, FeatureLook.selectedKey, "style", "style-layers", "style-name",
        ]

    /// Features of a file, a URL or standard input.
    public static let features = LayerKind(
        "features", source: .features,
        keys: appearanceKeys + RouteMarkKeys.keys + ["crs", "layer", OverriddenKeys.key] + joinKeys + tableKeys,
        help: """
            FILE, URL or -  Features: GeoJSON, KML, KMZ, GPX, GML, GeoRSS, CSV, FlatGeobuf, GeoParquet, Shapefile (.shp or zipped), \
            GeoPackage, ESRI JSON, TopoJSON, OSM XML or JSON, WKT or WKB. The style of a feature overrides the keys, unless feature-styles=false.
            """,
        make: { (specification, name, builder) async throws(MapError) in
            let (collection, base) = try await readFeatures(
                of: specification, builder, shownIn: onlyView(of: specification, builder))
            return try await featureLayer(collection, base: base, specification, name, builder)
        })

    /// Returns the view that features are read for, or `nil` if the layer needs all of them: for classes of values, for
    /// a join, which reports rows without a feature, and for lines that are marked or bent.
    private static func onlyView(of specification: LayerSpecification, _ builder: LayerBuilder) -> DatasetView? {
        guard let view = builder.onlyView,
            !(joinKeys + RouteMarkKeys.keys + ["geodesic"]).contains(where: { specification[$0] != nil }),
            (try? ThematicKeys(specification)) == nil
        else { return nil }
        guard let text = specification["crs"] else { return DatasetView(view) }
        return (try? CRS(text)).map { DatasetView(view, crs: $0) }
    }

    /// Returns a layer of features, styled by the keys.
    package static func featureLayer(
        _ read: FeatureCollection, base: BaseURL?, _ specification: LayerSpecification, _ name: String,
        _ builder: LayerBuilder
    ) async throws(MapError) -> Made {
        var collection = read
        let crs = try system(of: collection, specification, builder)
        collection.leaveOutMisplaced(in: crs)
        var notes: [MapWarning] = []
        let join = try await builder.join(of: specification, &notes)
        if let join { collection.join(join) }
        notes += Self.notes(on: collection, in: crs)
        if let marks = try RouteMarkKeys(specification) {
            collection.crs = crs
            let inDegrees: FeatureCollection
            do { inDegrees = try collection.inDegrees() } catch { throw specification.error(.features("\(error)")) }
            let source = try marks.source(
                of: inDegrees, color: builder.layerColor, base: base, isRoute: false, &notes)
            return (layer(name, source, of: collection), notes)
        }
        let theme = try ThematicKeys(specification)
        let declaration =
            if theme == nil { try style(specification, color: builder.layerColor, &notes) } else { StyleDeclaration() }
        for names in try specification.labelProperties() {
            notes += [propertyWarning("label", names, in: collection.features)].compactMap(\.self)
        }
        if let property = LabelPriority(specification)?.property {
            notes += [propertyWarning("label-priority", [property], in: collection.features)].compactMap(\.self)
        }
        var source = FeatureSource(features: collection.features, crs: crs, baseURL: base, style: declaration)
        if try specification.flag(OverriddenKeys.key) == false {
            source.usesFeatureStyles = false
        } else if theme == nil, specification["style"] == nil {
            notes += OverriddenKeys.notes(on: collection.features, style: declaration, specification)
        }
        source.selectedStyle = try FeatureLook.read(FeatureLook.selectedKey, of: specification)
        source.join = join
        source.overlays = collection.overlays
        source.hold(collection.charge)
        source.note(collection.warnings)
        let style = try await StyleReference.read(specification, builder, &notes)
        source.sheet = style?.sheet
        source.sheetBaseURL = style?.base
        if let theme {
            source.sheet = try theme.sheet(ThematicValues(collection.features), color: builder.layerColor, &notes)
        }
        return (layer(name, source, of: collection), notes)
    }

    /// Returns the layer of a document, with its attribution and title.
    private static func layer(_ name: String, _ source: FeatureSource, of collection: FeatureCollection) -> MapLayer {
        var layer = MapLayer(
            name: name, source: source, attribution: collection.foreignMembers["attribution"]?.stringValue)
        layer.documentTitle = LegendHeading.title(in: collection.foreignMembers)
        return layer
    }

    /// Returns the features of a source, their CRS, and the base URL of references in them.
    static func collection(
        of specification: LayerSpecification, _ builder: LayerBuilder
    ) async throws(MapError) -> (FeatureCollection, CRS, BaseURL?) {
        var (collection, base) = try await readFeatures(of: specification, builder)
        let crs = try system(of: collection, specification, builder)
        collection.leaveOutMisplaced(in: crs)
        return (collection, crs, base)
    }

    /// Returns the features of a source in any format of the map, and the base URL of references in them.
    static func readFeatures(
        of specification: LayerSpecification, _ builder: LayerBuilder, shownIn view: DatasetView? = nil
    ) async throws(MapError) -> (features: FeatureCollection, base: BaseURL?) {
        let formats = formats(of: specification, builder)
        return try await features(of: specification, builder, shownIn: view, { $0 }) { bytes, limits in
            try formats.read(bytes, limits: limits)
        }
    }

    /// Returns the formats of the map, with the table columns and encoding of the keys.
    static func formats(of specification: LayerSpecification, _ builder: LayerBuilder) -> FeatureFormats {
        let formats = builder.client.configuration.featureFormats
        guard tableKeys.contains(where: { specification[$0] != nil }) else { return formats }
        return formats.readingTables(
            CSVFormat(
                columns: CSVFormat.Columns(
                    x: specification["x-column"], y: specification["y-column"],
                    geometry: specification["geometry-column"]), encoding: specification["encoding"]))
    }

    /// Returns the CRS of features.
    ///
    /// In strict mode, features of a repaired document are rejected.
    private static func system(
        of collection: FeatureCollection, _ specification: LayerSpecification, _ builder: LayerBuilder
    ) throws(MapError) -> CRS {
        try builder.refuseRepairs(collection.warnings, of: specification)
        guard let text = specification["crs"] else { return collection.effectiveCRS }
        do { return try CRS(text) } catch { throw specification.invalid("crs", "cannot be used: \(error)") }
    }

    /// Returns the warnings about features.
    static func notes(on collection: FeatureCollection, in crs: CRS) -> [MapWarning] {
        var notes = collection.warnings
        if let box = collection.boundingBox, !crs.admits(box) {
            notes.append(MapWarning(.data, message: FeatureDocument.notDegrees))
        }
        let members = collection.features.first?.foreignMembers ?? [:]
        if members["stac_version"] != nil || collection.foreignMembers["stac_version"] != nil {
            notes.append(
                MapWarning(
                    .data, message: "a STAC document, of which only outlines are drawn; write stac: to draw its images"
                ))
        }
        return notes
    }

    /// Reads a feature document or dataset.
    ///
    /// - Parameters:
    ///   - view: the only view of the features; `nil` for all features.
    ///   - collection: converts the features of a dataset.
    ///   - read: reads a document.
    static func features<Read>(
        of specification: LayerSpecification, _ builder: LayerBuilder, shownIn view: DatasetView? = nil,
        _ collection: (FeatureCollection) -> Read, _ read: ([UInt8], FeatureLimits) throws -> Read
    ) async throws(MapError) -> (features: Read, base: BaseURL?) {
        let url = FileAddress.url(of: specification.source)
        let source = specification.source, client = builder.client(for: specification)
        let formats = formats(of: specification, builder)
        if source == "-" {
            guard specification.origin == .user else { throw specification.error(.foreign) }
            let bytes = builder.standardInput ?? []
            let memory = builder.memory(forOwn: bytes.count)
            return (
                try FeatureDocument.read(bytes, from: source, formats, memory: memory, read), client.baseOfStandardInput
            )
        }
        let file = try await specification.asking { () throws(ServiceError) in try client.file(at: source) }
        if let file {
            let dataset = try FeatureDocument.dataset(
                in: file, layer: specification["layer"], encoding: specification["encoding"],
                client.configuration.featureDatasets, shownIn: view, memory: { builder.memory(forOwn: $0) })
            if let dataset { return (collection(dataset.collection), client.base(ofFileAt: url)) }
            // A tile archive may be too large to be read completely.
            do { try FeatureDocument.refuseArchive(file.start(100), source) } catch let error as MapError {
                throw error
            } catch { throw MapError.layer(.features("\(error)"), source: source) }
            let (bytes, base) = try await specification.asking { () throws(ServiceError) in try client.content(of: file)
            }
            let memory = builder.memory(forOwn: bytes.count)
            return (try FeatureDocument.read(bytes, from: source, formats, memory: memory, read), base)
        }
        let (bytes, base) = try await specification.asking { () throws(ServiceError) in
            try await client.naming(NamedURL(url, namedBy: specification.origin), wanted: .geoJSON) {
                () throws(ServiceError) in
                try await client.content(at: url)
            }
        }
        // The content of a `data:` URL is from the user.
        let memory = builder.memory(forOwn: FileAddress.isLocal(source) ? bytes.count : 0)
        do { return (try FeatureDocument.read(bytes, from: source, formats, memory: memory, read), base) } catch {
            await client.forget(url)
            throw error
        }
    }

    /// The halo of light text.
    private static let darkHalo = MapColor(red: 0x1A, green: 0x1A, blue: 0x1A)

    /// Returns the style that the keys describe.
    ///
    /// - Parameter color: the default colour of lines, areas and markers.
    static func style(
        _ specification: LayerSpecification, color: MapColor, _ notes: inout [MapWarning]
    ) throws(MapError) -> StyleDeclaration {
        var warnings: [MapWarning] = []
        var style = SimpleStyleReader.read(values(of: styleKeys.map { ($0, $0) }), feature: nil, warnings: &warnings)
        // Keys that simplestyle lacks are those of the route dialect, with names in the style of simplestyle.
        let dialectKeys = labelKeys + lineKeys + [("geodesic", "geodesic")]
        var dialectValues = values(of: dialectKeys)
        dialectValues["strokeWidth"] = specification["stroke-width"].map { .string($0) }
        let dialect = RouteStyleReader.read(dialectValues, feature: nil, warnings: &warnings)
        // In a file an invalid value is ignored; here the user can correct it.
        for warning in warnings {
            guard let expected = warning.expected else {
                notes.append(warning)
                continue
            }
            let key = dialectKeys.first { $0.1 == warning.subject.member }?.0 ?? warning.subject.member ?? ""
            throw specification.invalid(key, "is not \(expected)")
        }
        if let size = specification["label-size"], dialect.fontSize == nil {
            throw specification.invalid("label-size", "is not above 0: \(size)")
        }
        style = style.over(dialect)
        if let template = try specification.labelTemplate(&notes) {
            style.label = template.text
            style.labelLanguage = template.hasFormats ? template.language : nil
        } else if specification["language"] != nil, specification["style"] == nil {
            notes.append(.withoutEffect("language", "the layer has neither a label nor a style"))
        }
        if let side = specification["label-line"], side != "on" {
            guard let side = LabelSymbol.LineSide(rawValue: side) else {
                throw specification.invalid("label-line", "must be above, on or below: \(side)")
            }
            style.labelLineSide = side
        }
        style.labelDeclutters = try specification.flag("declutter")
        style.labelPriority = LabelPriority(specification)?.template
        if style.label != nil, style.labelBackgroundColor == nil {
            // Light text is used on a dark background.
            style.labelOutlineColor = style.labelOutlineColor ?? (style.fontColor?.isLight == true ? darkHalo : .white)
            style.labelOutlineWidth = style.labelOutlineWidth ?? 2
        }
        style.layerColor = color
        if let look = try FeatureLook.read(FeatureLook.key, of: specification) { style = style.over(look) }
        for key in ["label-priority", "declutter"] + labelKeys.map(\.0)
        where specification[key] != nil && style.label == nil {
            notes.append(
                MapWarning(
                    .layerKey, MapWarning.Subject(member: key), effect: .ignored,
                    message: "has no effect without the key 'label'"))
        }
        return style

        func values(of keys: [(name: String, property: String)]) -> Properties {
            var values = Properties()
            for key in keys { values[key.property] = specification[key.name].map { .string($0) } }
            return values
        }
    }

    /// Returns the warning about properties that no feature has, or `nil` if one has any of them.
    private static func propertyWarning(_ key: String, _ alternatives: [String], in features: [Feature]) -> MapWarning?
    {
        let property = alternatives.first ?? ""
        guard !features.isEmpty,
            !features.contains(where: { feature in alternatives.contains { feature.properties[$0] != nil } })
        else { return nil }
        var names: Set<String> = []
        for feature in features { names.formUnion(feature.properties.names) }
        var message = "no feature has the property '\(property)'"
        if let near = NearName.nearest(to: property, in: names) {
            message += "; did you mean '\(near)'?"
        } else if !names.isEmpty {
            let listed = names.sorted().prefix(10).joined(separator: ", ")
            message += "; available: \(listed)\(names.count > 10 ? ", …" : "")"
        }
        return MapWarning(.layerKey, MapWarning.Subject(member: key), effect: .ignored, message: message)
    }
}
