import PortolanFeatures
import PortolanWeb

/// Reads the parts of a style and records unsupported ones.
struct StyleSheetReader {
    private(set) var warnings: [MapWarning] = []
    private(set) var losses: [StyleLoss] = []
    /// The zooms of the current layer, or `nil` if it is hidden.
    private var zooms: Range<Double>?
    private(set) var sources: [String: StyleSheet.Source] = [:]
    private(set) var sprites: [StyleSheet.SpriteAddress] = []
    private(set) var glyphs: String?
    private(set) var globalState: Properties = [:]
    private(set) var sourceFilters: [String: StyleExpression] = [:]
    private(set) var clusterProperties: [String: [ClusterProperty]] = [:]
    private let hasSources: Bool
    /// Whether the layers were symbolizers of a Styled Layer Descriptor.
    private let isDescriptor: Bool
    private let options: StyleSheet.Options
    /// The number of layers whose texts read names in the language of the options.
    private(set) var localLayerCount = 0

    /// Members that describe the document, or are read elsewhere.
    private static let silentMembers: Set<String> = [
        "version", "name", "metadata", "sources", "layers", "sprite", "state", "center", "zoom", "bearing", "pitch",
        "roll", "centerAltitude", "transition", "id", "created", "modified", "owner", "visibility", "draft", "glyphs",
        "font-faces", "projection", "light", "protected",
    ]
    private static let maximumSpriteCount = 16
    private static let readSources: Set<String> = ["geojson", "raster", "image", "vector", "raster-dem"]

    init(_ members: Properties, isDescriptor: Bool, _ options: StyleSheet.Options) {
        self.isDescriptor = isDescriptor
        self.options = options
        hasSources = members["sources"] != nil
        for member in members where !Self.silentMembers.contains(member.name) {
            note(nil, member.name, .member)
        }
        readSources(members["sources"])
        switch members["sprite"] {
        case .string(let url): sprites = [StyleSheet.SpriteAddress(id: Sprite.defaultID, url: url)]
        case .array(let list):
            for item in list.prefix(Self.maximumSpriteCount) {
                guard let id = item.objectValue?["id"]?.stringValue, let url = item.objectValue?["url"]?.stringValue
                else {
                    note(nil, "sprite", .malformed(wanted: "objects with an id and a url"))
                    continue
                }
                sprites.append(StyleSheet.SpriteAddress(id: id, url: url))
            }
        case nil, .null: break
        default: note(nil, "sprite", .malformed(wanted: "a URL"))
        }
        switch members["glyphs"] {
        case .string(let url) where url.contains("{range}") && url.contains("{fontstack}"): glyphs = url
        case nil, .null: break
        default: note(nil, "glyphs", .malformed(wanted: "a URL with {fontstack} and {range}"))
        }
        for member in members["state"]?.objectValue ?? [:] {
            globalState[member.name] = member.value.objectValue?["default"] ?? .null
        }
    }

    private mutating func readSources(_ value: PropertyValue?) {
        guard let value else { return }
        guard let list = value.objectValue else { return note(nil, "sources", .malformed(wanted: "an object")) }
        for source in list {
            guard let members = source.value.objectValue, let type = members["type"]?.stringValue else {
                note(nil, "sources.\(source.name)", .malformed(wanted: "an object with a type"))
                continue
            }
            sources[source.name] = StyleSheet.Source(type: type, members: members)
            if !Self.readSources.contains(type) { note(nil, "sources.\(source.name)", .sourceType(type)) }
            for property in members["clusterProperties"]?.objectValue ?? [:] {
                do {
                    clusterProperties[source.name, default: []].append(
                        try ClusterProperty(property.name, property.value))
                } catch {
                    note(nil, "sources.\(source.name).clusterProperties.\(property.name)", .value(error))
                }
            }
            guard let filter = members["filter"], filter != .null else { continue }
            do { sourceFilters[source.name] = try StyleExpression(filter: filter) } catch {
                note(nil, "sources.\(source.name).filter", .value(error))
            }
        }
    }

    private mutating func note(_ layer: String?, _ member: String?, _ fault: StyleFault) {
        let warning = MapWarning(styleLayer: layer, member: member, fault)
        warnings.append(warning)
        if warning.isLoss, let zooms { losses.append(StyleLoss(warning, zooms: zooms)) }
    }

    /// Reads the supported layers.
    mutating func layers(_ list: [PropertyValue]) -> [StyleSheet.Layer] {
        var layers: [StyleSheet.Layer] = [], names: Set<String> = []
        for (place, value) in list.enumerated() {
            zooms = Self.zooms(of: value)
            guard let members = value.objectValue, let id = members["id"]?.stringValue else {
                note("#\(place + 1)", nil, .malformed(wanted: "an object with an id"))
                continue
            }
            guard names.insert(id).inserted else {
                note(id, nil, .repeatedName)
                continue
            }
            if let layer = layer(id, members) { layers.append(layer) }
        }
        return layers
    }

    /// The zooms at which a layer is drawn, or `nil` if it is hidden.
    private static func zooms(of layer: PropertyValue) -> Range<Double>? {
        let members = layer.objectValue ?? [:]
        guard members["layout"]?.objectValue?["visibility"] != "none" else { return nil }
        let least = members["minzoom"]?.doubleValue ?? -.infinity
        let most = members["maxzoom"]?.doubleValue ?? .infinity
        return least < most ? least..<most : nil
    }

    private mutating func layer(_ id: String, _ members: Properties) -> StyleSheet.Layer? {
        guard let type = members["type"]?.stringValue else {
            note(id, nil, .malformed(wanted: "a type"))
            return nil
        }
        guard let kind = StyleSheet.Layer.Kind(rawValue: type) else {
            note(id, nil, .layerType(type))
            return nil
        }
        let source = members["source"]?.stringValue
        if hasSources, kind != .background, source.map({ sources[$0] == nil }) ?? true {
            note(id, nil, .unknownSource)
            return nil
        }
        // GeoJSON sources have a single layer without a name.
        if members["source-layer"] != nil, let source, sources[source]?.type == "geojson" {
            note(id, "source-layer", .member)
        }
        var filter: StyleExpression?
        if let value = members["filter"], value != .null {
            do { filter = try StyleExpression(filter: value) } catch {
                note(id, "filter", .filter(error))
                return nil
            }
            if !options.hasFeatureState, filter?.dependsOnState == true { note(id, "filter", .featureState) }
        }
        var properties: [StyleSheet.Key: StyleExpression] = [:]
        for (group, isLayout) in [("layout", true), ("paint", false)] {
            guard let value = members[group] else { continue }
            guard let values = value.objectValue else {
                note(id, group, .malformed(wanted: "an object"))
                continue
            }
            for member in values { read(member, isLayout, kind, id, into: &properties) }
        }
        if kind == .fillExtrusion { noteHeight(members["paint"]?.objectValue ?? [:], id) }
        if kind == .symbol { noteLines(members["layout"]?.objectValue ?? [:], id) }
        func zoom(_ name: String, _ otherwise: Double) -> Double {
            guard let value = members[name] else { return otherwise }
            guard let number = value.doubleValue else {
                note(id, name, .malformed(wanted: "a number"))
                return otherwise
            }
            return number
        }
        let visibility = members["layout"]?.objectValue?["visibility"],
            metadata = members["metadata"]?.objectValue ?? [:]
        if let visibility, visibility != "visible", visibility != "none" {
            note(id, "visibility", .malformed(wanted: "visible or none"))
        }
        return StyleSheet.Layer(
            id: id, title: metadata["portolan:title"]?.stringValue, classTitles: Self.classTitles(metadata),
            language: options.language, placesFreely: options.placesFreely, kind: kind,
            symbolizer: isDescriptor ? SymbolizerTraits(metadata) : nil,
            source: source, sourceLayer: members["source-layer"]?.stringValue,
            minimumZoom: zoom("minzoom", -.infinity), maximumZoom: zoom("maxzoom", .infinity),
            isVisible: visibility != "none", filter: filter, properties: properties,
            facts: StyleSheet.Layer.Facts(filter: filter, properties: properties))
    }

    /// The titles of the classes of properties.
    private static func classTitles(_ metadata: Properties) -> [StyleSheet.Key: [String]] {
        var titles: [StyleSheet.Key: [String]] = [:]
        for member in metadata["portolan:classes"]?.objectValue ?? [:] {
            guard let key = StyleSheet.Key(rawValue: member.name) else { continue }
            titles[key] = member.value.arrayValue?.map { $0.stringValue ?? "" }
        }
        return titles
    }

    /// Warns, once for a layer, that extrusions are drawn flat.
    private mutating func noteHeight(_ paint: Properties, _ id: String) {
        let stated = [StyleSheet.Key.fillExtrusionHeight, .fillExtrusionBase].first { key in
            paint[key.rawValue].map { $0 != .null && $0.doubleValue != 0 } ?? false
        }
        if let stated { note(id, stated.rawValue, .flat) }
    }

    /// Warns about properties without effect on symbols along lines.
    private mutating func noteLines(_ layout: Properties, _ id: String) {
        guard ["line", "line-center"].contains(layout["symbol-placement"]?.stringValue),
            layout["text-rotation-alignment"] != "viewport"
        else { return }
        for key in [StyleSheet.Key.iconTextFit, .iconTextFitPadding, .iconOptional, .textOptional] {
            // A text along a line and an icon are placed independently.
            guard let value = layout[key.rawValue], value != key.facts.specification.defaultValue else { continue }
            note(id, key.rawValue, .alongLines)
        }
    }

    private mutating func read(
        _ member: Properties.Element, _ isLayout: Bool, _ kind: StyleSheet.Layer.Kind, _ id: String,
        into properties: inout [StyleSheet.Key: StyleExpression]
    ) {
        let name = member.name
        guard name != "visibility", !name.hasSuffix("-transition") else { return }
        guard let key = StyleSheet.Key(rawValue: name), key.belongs(to: kind) else {
            let names = StyleSheet.Key.allCases.filter { $0.belongs(to: kind) && $0.facts.isLayout == isLayout }
            let near = NearName.nearest(to: name, in: names.map(\.rawValue))
            return note(id, name, .unknownProperty(near: near))
        }
        guard key.facts.isLayout == isLayout else {
            return note(id, name, .misplaced(group: key.facts.isLayout ? "layout" : "paint"))
        }
        guard member.value != .null else { return }
        let isDefault = member.value == key.facts.specification.defaultValue
        switch key.facts.support {
        case .without: return
        case .notDrawn: return isDefault ? () : note(id, name, .property)
        case .partly(let words): if !isDefault { note(id, name, .partly(words)) }
        case .drawn: break
        }
        if let word = member.value.stringValue, key.undrawnWords.contains(word) {
            note(id, name, .undrawnValue(word))
        }
        do {
            let expression = try key.expression(member.value, language: key == .textField ? options.language : nil)
            if expression.readsLocalNames { localLayerCount += 1 }
            if !options.hasFeatureState, expression.dependsOnState { note(id, name, .featureState) }
            if key == .heatmapRadius, !expression.isFeatureConstant { return note(id, name, .property) }
            properties[key] = expression
        } catch { note(id, name, .value(error)) }
    }
}

extension StyleSheet.Key {
    /// Whether layers of a kind have the property.
    package func belongs(to kind: StyleSheet.Layer.Kind) -> Bool {
        let prefixes: [String] =
            switch kind {
            case .symbol: ["symbol-", "icon-", "text-"]
            case .fill where rawValue.hasPrefix(StyleSheet.Layer.Kind.fillExtrusion.rawValue): []
            case .raster, .hillshade, .colorRelief: [kind.rawValue + "-", StyleSheet.Key.resampling.rawValue]
            default: [kind.rawValue + "-"]
            }
        return prefixes.contains { rawValue.hasPrefix($0) }
    }

    /// Compiles a value of the property: a literal, an expression, or a stop function.
    ///
    /// - Parameter language: the language of the names that it reads, or `nil` for the stated one.
    func expression(
        _ value: PropertyValue, language: LabelLanguage? = nil
    ) throws(StyleExpressionError) -> StyleExpression {
        let specification = facts.specification
        switch value {
        case .string(let text) where specification.hasTokens:
            return try StyleExpression(TokenText.expression(text), for: specification, language: language)
        case .array(let items) where !StyleExpression.isExpression(items) && specification.isList:
            return try StyleExpression(["literal", value], for: specification)
        case .string(let word):
            if refusedWord(of: .string(word)) != nil {
                throw StyleExpressionError(errors: [
                    StyleExpressionError.Problem(path: [], reason: .malformed(wanted: words))
                ])
            }
            return try StyleExpression(value, for: specification)
        default: return try StyleExpression(value, for: specification, language: language)
        }
    }

    /// Keywords of the property that are not supported.
    fileprivate var undrawnWords: Set<String> {
        switch self {
        case .textOverlap, .iconOverlap: ["cooperative"]
        case .textRotationAlignment: ["viewport-glyph"]
        default: []
        }
    }

    private var words: String {
        guard case .word(let words) = facts.specification.kind else { return "" }
        return words.joined(separator: ", ")
    }
}

extension PropertySpecification {
    /// Whether a list may be a literal.
    fileprivate var isList: Bool {
        switch kind {
        case .array, .padding, .numberArray, .colorArray, .variableAnchorOffsetCollection: true
        default: false
        }
    }
}
