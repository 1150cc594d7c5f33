import PortolanArchives
import PortolanFeatures
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LayerKind {
    /// The keys of simplestyle that give features a style.
    private static let styleKeys = [
        "stroke", "stroke-width", "stroke-opacity", "fill", "fill-opacity", "marker-color", "marker-size",
        "marker-symbol",
    ]

    /// The keys of labels, and what the route dialect calls them.
    private static let labelKeys = [
        ("label-size", "fontSize"), ("label-color", "fontColor"), ("label-background", "labelBackgroundColor"),
        ("label-padding", "labelPadding"),
    ]

    /// Features of a file, a URL or standard input.
    public static let features = LayerKind(
        "features", source: .features,
        keys: styleKeys + ["label", "label-priority"] + labelKeys.map(\.0)
            + ["geodesic", "crs", "layer", "style", "style-layers", "style-name"],
        help: """
            FILE, URL or - (standard input), GeoJSON, KML, KMZ, GPX, GML, GeoRSS, CSV, FlatGeobuf, Shapefile, GeoPackage, WKT or WKB  stroke, stroke-width (pixels), stroke-opacity, fill, \
            fill-opacity, marker-color, marker-size, label (the name of a property), \
            label-priority (the name of a property with a number: labels of high numbers get their places first, with '-' \
            before the name those of low ones), label-size (pixels), label-color, \
            label-background (a colour, for a box behind the text), label-padding (pixels), geodesic (true: edges are great \
            circles, the short way), crs (of its coordinates), layer (of a GeoPackage of several), \
            style (a style of MapLibre or an SLD, FILE or URL, which draws the features in \
            place of all else that is said of their looks), style-layers (those of its layers that do, with commas), style-name (one of several in an SLD). These are defaults: the style that a feature brings along wins.
            """,
        make: { (specification, name, builder) async throws(LayerError) in
            let url = FileAddress.url(of: specification.source)
            let (collection, base) = try await collection(of: specification, url, builder)
            if builder.isStrict, let odd = collection.warnings.first(where: { $0.kind != .note }) {
                throw specification.error(.repaired(odd))
            }
            var notes = collection.warnings.map(\.description)
            let declaration = try style(specification, &notes)
            var crs = collection.effectiveCRS
            if let text = specification["crs"] {
                do { crs = try CRS(text) } catch { throw specification.bad("crs", "cannot be used: \(error)") }
            }
            if let box = collection.boundingBox, !crs.admits(box) { notes.append(FeatureDocument.notDegrees) }
            if let property = specification["label"] {
                notes += [propertyWarning("label", property, in: collection.features)].compactMap(\.self)
            }
            if let property = priorityProperty(specification).name {
                notes += [propertyWarning("label-priority", property, in: collection.features)].compactMap(\.self)
            }
            var source = FeatureSource(features: collection.features, crs: crs, baseURL: base, style: declaration)
            source.hold(collection.charge)
            let style = try await FeatureSheet.read(specification, builder, &notes)
            source.sheet = style?.sheet
            source.sheetBaseURL = style?.base
            let attribution = collection.foreignMembers["attribution"]?.stringValue
            return (MapLayer(name: name, source: source, attribution: attribution), notes)
        })

    /// What is said of coordinates that cannot be in the system that they are taken to be in.
    public static let notDegrees = "its coordinates are not degrees; name their CRS with ';crs=EPSG:…'"

    private static func collection(
        of specification: LayerSpecification, _ url: String, _ builder: LayerBuilder
    ) async throws(LayerError) -> (features: FeatureCollection, base: BaseURL?) {
        let source = specification.source, client = builder.client(for: specification)
        if source == "-" {
            guard specification.origin == .user else { throw specification.error(.foreign) }
            let bytes = builder.standardInput ?? []
            let memory = builder.memory(forOwn: bytes.count)
            return (try FeatureDocument.features(in: bytes, from: source, memory: memory), nil)
        }
        if FileAddress.isLocal(source), specification.origin == .user {
            let read = try FeatureDocument.dataset(
                at: source, layer: specification["layer"], memory: builder.memory(forOwn: 0))
            if let read { return (read.collection, nil) }
        }
        // Files of tiles may be too large to be read whole.
        if FileAddress.isLocal(source), let file = try? Data(contentsOf: URL(filePath: source), options: .alwaysMapped)
        {
            try FeatureDocument.refuseArchive([UInt8](file.prefix(16)), source)
        }
        let (bytes, base) = try await specification.asking { () throws(ServiceError) in
            try await client.naming(NamedURL(url, namedBy: specification.origin), wanted: .geoJSON) {
                () throws(ServiceError) in
                try await client.content(at: url)
            }
        }
        let memory = builder.memory(forOwn: FileAddress.isLocal(source) ? bytes.count : 0)
        // Whoever may lead to the file has been asked by now.
        if FileAddress.isLocal(source),
            let read = try FeatureDocument.dataset(
                at: source, layer: specification["layer"], memory: memory)
        {
            return (read.collection, base)
        }
        do { return (try FeatureDocument.features(in: bytes, from: source, memory: memory), base) } catch {
            await client.forget(url)
            throw error
        }
    }

    /// The style that the keys give features.
    private static func style(
        _ specification: LayerSpecification, _ notes: inout [String]
    ) throws(LayerError) -> StyleDeclaration {
        var warnings: [FeatureWarning] = []
        var style = SimpleStyleReader.read(values(of: styleKeys.map { ($0, $0) }), feature: nil, warnings: &warnings)
        // What simplestyle does not have are keys of the route dialect, under names like those of simplestyle.
        let dialectKeys = labelKeys + [("geodesic", "geodesic")]
        let dialect = RouteStyleReader.read(values(of: dialectKeys), feature: nil, warnings: &warnings)
        // In a file a value that cannot be read is passed over; here it can be mended at once.
        for warning in warnings {
            guard let expected = warning.expected else {
                notes.append(warning.description)
                continue
            }
            let key = dialectKeys.first { $0.1 == warning.key }?.0 ?? warning.key ?? ""
            throw specification.bad(key, "is not \(expected)")
        }
        if let size = specification["label-size"], dialect.fontSize == nil {
            throw specification.bad("label-size", "is not above 0: \(size)")
        }
        style = style.over(dialect)
        style.label = specification["label"].map { "${\($0)}" }
        let priority = priorityProperty(specification)
        style.labelPriority = priority.name.map { "\(priority.sign)${\($0)}" }
        if style.label != nil, style.labelBackgroundColor == nil {
            style.labelOutlineColor = .white
            style.labelOutlineWidth = 2
        }
        return style

        func values(of keys: [(name: String, property: String)]) -> Properties {
            var values = Properties()
            for key in keys { values[key.property] = specification[key.name].map { .string($0) } }
            return values
        }
    }

    /// The property whose numbers say which labels get their places first, and the sign that turns their order round.
    private static func priorityProperty(_ specification: LayerSpecification) -> (name: String?, sign: String) {
        guard let text = specification["label-priority"] else { return (nil, "") }
        return text.first == "-" ? (String(text.dropFirst()), "-") : (text, "")
    }

    /// The warning about a property that no feature has, or `nil` when one has it.
    private static func propertyWarning(_ key: String, _ property: String, in features: [Feature]) -> String? {
        guard !features.isEmpty, !features.contains(where: { $0.properties[property] != nil }) else { return nil }
        var names: Set<String> = []
        for feature in features { names.formUnion(feature.properties.names) }
        var warning = "\(key): no feature has a property '\(property)'"
        if let near = NearName.nearest(to: property, in: names) {
            warning += "; did you mean '\(near)'?"
        } else if !names.isEmpty {
            let listed = names.sorted().prefix(10).joined(separator: ", ")
            warning += "; there are: \(listed)\(names.count > 10 ? ", …" : "")"
        }
        return warning
    }
}

/// Features as they come in a file, or what they are instead.
package enum FeatureDocument {
    /// What is said of coordinates that cannot be in the system that they are taken to be in.
    package static let notDegrees = "its coordinates are not degrees; name their CRS with ';crs=EPSG:…'"

    /// The features in a document.
    ///
    /// - Parameter memory: what they are charged to, or `nil` for nothing.
    package static func features(
        in bytes: [UInt8], from source: String, memory: MemoryBudget? = nil
    ) throws(LayerError) -> FeatureCollection {
        try refuseArchive(bytes, source)
        let content = ContentKind(recognizing: bytes), kind = AnswerKind(recognizing: bytes)
        let format = FeatureFormats.standard.format(recognizing: bytes)
        if format == nil, let other = LayerError.FileKind(content) { throw LayerError(.file(other), source: source) }
        if kind == .image { throw LayerError(.file(.image), source: source) }
        if let kind, ![.geoJSON, .features, .json, .page].contains(kind) {
            throw LayerError(.document(kind), source: source)
        }
        if content?.isMarkup == true, format == nil {
            throw LayerError(.unknownFormat, source: source)
        }
        do { return try FeatureFormats.standard.read(bytes, limits: FeatureLimits(memory: memory)) } catch {
            switch error {
            case let error as FeatureFileError where error.code == .memory:
                throw LayerError(.memory("\(error)"), source: source)
            case let error as FeatureFileError where error.code == .otherFormat && content == .zip:
                throw LayerError(.file(.zip), source: source)
            case let error as GeoJSONError where error.code == .memory:
                throw LayerError(.memory("\(error)"), source: source)
            case let error as GeoJSONError:
                // Not even the beginning of JSON.
                let isForeign = kind == nil && error.byteOffset == 0 && !bytes.isEmpty
                throw LayerError(isForeign ? .unrecognized(error) : .geoJSON(error), source: source)
            default: throw LayerError(.features("\(error)"), source: source)
            }
        }
    }

    /// The features of a file that is no document, such as a Shapefile with the files beside it, and the name of its format;
    /// `nil` for all other files.
    ///
    /// - Parameters:
    ///   - layer: the one of several that is wanted.
    ///   - besidesTiles: whether a file that holds tiles, too, is one.
    package static func dataset(
        at path: String, layer: String? = nil, besidesTiles: Bool = true, memory: MemoryBudget? = nil
    ) throws(LayerError) -> (collection: FeatureCollection, format: String)? {
        guard let file = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped) else { return nil }
        let limits = FeatureLimits(memory: memory)
        do {
            let dataset: any FeatureDataset
            switch ContentKind(recognizing: [UInt8](file.prefix(16))) {
            case .shapefile: dataset = try Shapefile(path: path, limits: limits)
            case .sqlite:
                // One of tiles alone is drawn by a kind of its own.
                guard let package = try? GeoPackageFeatures(path: path), !package.layers.isEmpty,
                    besidesTiles || (try? GeoPackageFile(path: path)) == nil
                else { return nil }
                dataset = package
            default: return nil
            }
            return (try dataset.read(FeatureQuery(layer: layer), limits: limits), dataset.name)
        } catch let error as FeatureFileError where error.code == .memory {
            throw LayerError(.memory("\(error)"), source: path)
        } catch { throw LayerError(.features("\(error)"), source: path) }
    }

    /// Throws when a file begins as an SQLite file does.
    static func refuseArchive(_ bytes: [UInt8], _ source: String) throws(LayerError) {
        guard ContentKind(recognizing: bytes) == .sqlite else { return }
        throw LayerError(.file(.sqlite), source: source)
    }
}
