public import PortolanFeatures
public import PortolanWeb
import PortolanXML

/// A style of the MapLibre Style Specification (version 8), parsed and compiled: its layers from the bottom up, and
/// warnings about unsupported parts.
///
/// ```swift
/// let sheet = try StyleSheet(bytes: document)
/// for warning in sheet.warnings { print(warning) }
/// let roads = sheet.keeping(layers: ["road-primary", "road-secondary"]).sheet
/// ```
public struct StyleSheet: Equatable, Sendable {
    /// A source of features or images.
    public struct Source: Hashable, Sendable {
        /// The type, such as `geojson` or `raster`.
        public let type: String
        /// The members as written.
        public let members: Properties
    }

    /// A sprite that the style names.
    public struct SpriteAddress: Hashable, Sendable {
        /// The prefix of its image names before a colon, or `default` for names without one.
        public let id: String
        /// The address without `@2x` and the extension, as written.
        public let url: String
    }

    /// The options of reading a style.
    public struct Options: Hashable, Sendable {
        /// The language of labels, or `nil` for that of the style.
        public var language: LabelLanguage?
        /// Whether features have a state, so that `feature-state` has values.
        package var hasFeatureState = false
        /// Whether texts at points and in areas are placed by the rules of plain layers, which keep marks clear of texts, as opposed
        /// to those of MapLibre.
        package var placesFreely = false
        /// Whether the labels of layers below keep clear of its lines, as those of plain layers.
        package var keepsLinesClear = false
        /// Whether its texts at points are placed beside its own lines if possible.
        package var avoidsOwnLines = false
        /// Whether icons along its lines, such as arrows, are only where a line is straight and nothing else is.
        package var keepsIconsStraight = false

        /// Creates options.
        public init(language: LabelLanguage? = nil) { self.language = language }
    }

    /// The largest number of layers.
    public static let maximumLayerCount = 2_000

    /// The name, or `nil`.
    public let name: String?
    /// The sources by name.
    public let sources: [String: Source]
    /// The sprites, in the order in which they are searched for an image.
    public let sprites: [SpriteAddress]
    /// The address of glyph ranges as written, with `{fontstack}` and `{range}`, or `nil`.
    package let glyphs: String?
    /// The pictures that it draws in addition to sprite images.
    package private(set) var graphics: [StyleGraphic] = []
    /// The global state for its expressions.
    public let globalState: Properties
    /// The supported layers, the lowest first.
    public private(set) var layers: [StyleSheet.Layer]
    /// Whether it places texts or icons, which collide with each other.
    package var placesSymbols: Bool { layers.contains { $0.kind == .symbol } }
    /// The number of layers in the document.
    public private(set) var layerCount: Int
    /// Warnings about parts that are not drawn as stated.
    public private(set) var warnings: [MapWarning]
    /// The warnings about missing content that is visible at some zoom.
    ///
    /// Hidden layers are not included.
    package private(set) var losses: [StyleLoss]
    /// The filters of sources, by source name.
    package let sourceFilters: [String: StyleExpression]
    /// The properties that clusters aggregate, by source name.
    package let clusterProperties: [String: [ClusterProperty]]
    /// The options with which it was read.
    public let options: Options
    /// The number of layers whose texts read names in the language of the options.
    package let localLayerCount: Int
    /// The document as it was read, with the layers that are kept.
    package private(set) var document: PropertyValue

    /// Reads a document: a MapLibre style in JSON, or a Styled Layer Descriptor (SLD 1.0, or 1.1 with Symbology
    /// Encoding 1.1).
    ///
    /// The first bytes decide.
    ///
    /// - Parameters:
    ///   - styleName: the style of a Styled Layer Descriptor by its name, its title or the name of its layer; `nil` for
    ///     the default style of each layer.
    ///   - options: the language of labels.
    /// - Throws: ``StyleSheet/ParseError`` if the document is not a style. Faults in a style are warnings.
    /// - Complexity: O(*n*) in the bytes.
    public init(
        bytes: [UInt8], styleName: String? = nil, options: Options = Options()
    ) throws(StyleSheet.ParseError) {
        if Self.isMarkup(bytes) {
            let reader: SLDReader
            do { reader = try SLDReader(bytes, name: styleName) } catch { throw StyleSheet.ParseError(error) }
            try self.init(["version": 8, "layers": .array(reader.layers)], isDescriptor: true, options)
            layerCount = reader.layerCount
            graphics = reader.graphics
            let found = reader.findings.map { finding in
                let what = finding.fault.what, line = finding.fault.line
                let fault: StyleFault =
                    switch finding.fault.effect {
                    case .drawn: .remark(what, line: line)
                    case .loss: .lostElement(what, line: line)
                    case .ignored: .element(what, line: line)
                    }
                return StyleLoss(
                    MapWarning(styleLayer: finding.rule, member: finding.element, fault), zooms: finding.zooms)
            }
            warnings = reader.repairs + found.map(\.warning) + warnings
            losses = found.filter(\.warning.isLoss) + losses
            return
        }
        if let styleName { throw StyleSheet.ParseError(reason: .noStyleNamed(styleName, among: [])) }
        let json: PropertyValue
        var repeated: [JSONReader.RepeatedName] = []
        do { json = try JSONReader.value(bytes: bytes, repeated: &repeated) } catch {
            throw StyleSheet.ParseError(reason: .json(line: error.line, error.detail))
        }
        try self.init(json, options: options)
        warnings =
            repeated.map { MapWarning(styleLayer: nil, member: $0.name, .repeatedMember(line: $0.line)) }
            + warnings
    }

    /// Returns whether a document begins like a style: a JSON object, or a Styled Layer Descriptor.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        if isMarkup(bytes) { return SLDElement.rootName(of: bytes) == "StyledLayerDescriptor" }
        return firstByte(of: bytes) == UInt8(ascii: "{")
    }

    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        // In UTF-16 the byte order mark identifies it.
        firstByte(of: bytes) == UInt8(ascii: "<") || [0xFE, 0xFF].contains(bytes.first ?? 0)
    }

    /// The first byte after white space and the byte order mark.
    private static func firstByte(of bytes: [UInt8]) -> UInt8? {
        bytes.prefix(4_096).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    }

    /// Reads a style from parsed JSON.
    ///
    /// - Throws: ``StyleSheet/ParseError`` if the value is not a style.
    public init(_ json: PropertyValue, options: Options = Options()) throws(StyleSheet.ParseError) {
        try self.init(json, isDescriptor: false, options)
    }

    private init(_ json: PropertyValue, isDescriptor: Bool, _ options: Options) throws(StyleSheet.ParseError) {
        guard let members = json.objectValue else { throw StyleSheet.ParseError(reason: .noStyle(wanted: "an object")) }
        guard let layers = members["layers"]?.arrayValue else {
            throw StyleSheet.ParseError(reason: .noStyle(wanted: "a list of layers"))
        }
        if let version = members["version"], version.doubleValue != 8 { throw StyleSheet.ParseError(reason: .version) }
        guard layers.count <= Self.maximumLayerCount else {
            throw StyleSheet.ParseError(reason: .tooManyLayers(limit: Self.maximumLayerCount))
        }
        document = json
        var reader = StyleSheetReader(members, isDescriptor: isDescriptor, options)
        self.layers = reader.layers(layers)
        layerCount = layers.count
        sources = reader.sources
        sourceFilters = reader.sourceFilters
        clusterProperties = reader.clusterProperties
        name = members["name"]?.stringValue
        sprites = reader.sprites
        glyphs = reader.glyphs
        globalState = reader.globalState
        warnings = reader.warnings
        losses = reader.losses
        localLayerCount = reader.localLayerCount
        self.options = options
    }

    /// Returns whether two styles are equal and keep the same layers.
    public static func == (left: StyleSheet, right: StyleSheet) -> Bool {
        left.layers.map(\.id) == right.layers.map(\.id) && left.document == right.document
            && left.options == right.options && left.graphics == right.graphics
    }

    /// Returns the style with some of its layers only, in the order of the style.
    ///
    /// - Returns: the style, and the names without a layer.
    public func keeping(layers names: [String]) -> (sheet: StyleSheet, missing: [String]) {
        var sheet = self
        sheet.layers = layers.filter { names.contains($0.id) }
        sheet.losses = losses.filter { $0.warning.subject.styleLayer.map(names.contains) ?? true }
        if var members = document.objectValue, let all = members["layers"]?.arrayValue {
            let kept = all.filter { $0.objectValue?["id"]?.stringValue.map(names.contains) ?? false }
            members["layers"] = .array(kept)
            sheet.document = .object(members)
        }
        return (sheet, names.filter { name in !layers.contains { $0.id == name } })
    }

    /// Returns the style with all its layers visible at all zooms.
    package func showingAll() -> StyleSheet {
        var sheet = self
        sheet.layers = layers.map { $0.shownAlways() }
        sheet.losses = losses.map { StyleLoss($0.warning, zooms: -.infinity..<Double.infinity) }
        return sheet
    }

    /// The fonts of the lowest layer with texts, separated by commas, or `nil` if no layer has texts.
    package var firstFontStack: String? {
        guard let layer = layers.first(where: { $0.kind == .symbol && $0.states(.textField) }) else { return nil }
        var values = StyleValues(layer, at: 10, globalState)
        return values.value(.textFont)?.arrayValue?.compactMap(\.stringValue).joined(separator: ",")
    }

    /// Returns the colour below all layers at a zoom, or `nil` if none is stated.
    public func background(at zoom: Double) -> StyleColor? {
        var color: StyleColor?
        for layer in layers where layer.kind == .background && layer.isDrawn(at: zoom) {
            color = layer.background(at: zoom, globalState: globalState) ?? color
        }
        return color
    }
}

/// A missing part of a style, and the zooms at which it would be visible.
package struct StyleLoss: Sendable {
    /// The warning.
    package let warning: MapWarning
    /// The zooms at which it would be drawn.
    package let zooms: Range<Double>

    init(_ warning: MapWarning, zooms: Range<Double>) {
        self.warning = warning
        self.zooms = zooms
    }
}

extension StyleSheet.ParseError {
    fileprivate init(_ refusal: SLDReader.Refusal) {
        switch refusal {
        case .xml(let error): reason = .xml(line: error.line, error.message)
        case .otherRoot: reason = .noStyle(wanted: "a StyledLayerDescriptor")
        case .noStyleNamed(let name, let names): reason = .noStyleNamed(name, among: names)
        }
    }
}
