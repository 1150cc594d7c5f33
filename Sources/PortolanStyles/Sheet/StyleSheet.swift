public import PortolanFeatures
public import PortolanWeb
import PortolanXML

/// A style of the MapLibre Style Specification (version 8), read and compiled: layers from the bottom up, and what is not drawn
/// of it.
public struct StyleSheet: Equatable, Sendable {
    /// Where features or pictures come from.
    public struct Source: Hashable, Sendable {
        /// The type, such as `geojson` or `raster`.
        public let type: String
        /// The members as they stand.
        public let members: Properties
    }

    /// A sprite that the style names.
    public struct SpriteAddress: Hashable, Sendable {
        /// What stands before the names of its pictures with a colon, or `default` where nothing does.
        public let id: String
        /// The address without `@2x` and the ending, as it stands.
        public let url: String
    }

    /// The most layers that are read.
    public static let maximumLayerCount = 2_000

    /// The name, or `nil` when it has none.
    public let name: String?
    /// The sources by their names.
    public let sources: [String: Source]
    /// The sprites, in the order in which a picture is sought; none when it names none.
    public let sprites: [SpriteAddress]
    /// The pictures that it draws with besides those of sprites.
    package private(set) var graphics: [StyleGraphic] = []
    /// The values that its expressions share.
    public let globalState: Properties
    /// The layers that are drawn, the lowest first.
    public private(set) var layers: [StyleSheet.Layer]
    /// Whether texts or pictures are placed, which give way to each other.
    package var placesSymbols: Bool { layers.contains { $0.kind == .symbol } }
    /// How many layers the document has.
    public private(set) var layerCount: Int
    /// What is not drawn as it says.
    public private(set) var warnings: [MapWarning]
    /// Those of the warnings for which something is missing at some zoom; of layers that are hidden nothing is.
    package private(set) var losses: [StyleLoss]
    /// Which features of a source are read at all, by the names of the sources that say so.
    package let sourceFilters: [String: StyleExpression]
    /// What sources gather of the points of a cluster, by the names of those that do.
    package let clusterProperties: [String: [ClusterProperty]]
    private let document: PropertyValue

    /// Reads a document: a style of MapLibre in JSON, or a Styled Layer Descriptor (SLD 1.0, or 1.1 with Symbology Encoding 1.1);
    /// the first bytes decide.
    ///
    /// - Parameter styleName: which of several styles of a Styled Layer Descriptor is meant, by its name, its title or the name
    ///   of its layer; the default one of each layer when `nil`.
    /// - Throws: ``StyleSheet/ParseError`` when it is no style at all; what is odd in one is a warning.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8], styleName: String? = nil) throws(StyleSheet.ParseError) {
        if Self.isMarkup(bytes) {
            let reader: SLDReader
            do { reader = try SLDReader(bytes, name: styleName) } catch { throw StyleSheet.ParseError(error) }
            try self.init(["version": 8, "layers": .array(reader.layers)], isDescriptor: true)
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
        try self.init(json)
        warnings =
            repeated.map { MapWarning(styleLayer: nil, member: $0.name, .repeatedMember(line: $0.line)) }
            + warnings
    }

    /// Whether a document is a style as far as its beginning tells: an object of JSON, or a Styled Layer Descriptor.
    package static func recognizes(_ bytes: [UInt8]) -> Bool {
        if isMarkup(bytes) { return SLDElement.rootName(of: bytes) == "StyledLayerDescriptor" }
        return firstByte(of: bytes) == UInt8(ascii: "{")
    }

    private static func isMarkup(_ bytes: [UInt8]) -> Bool {
        // In UTF-16 the second byte of the mark at the beginning tells it.
        firstByte(of: bytes) == UInt8(ascii: "<") || [0xFE, 0xFF].contains(bytes.first ?? 0)
    }

    /// The first byte that is no white space and no byte order mark.
    private static func firstByte(of bytes: [UInt8]) -> UInt8? {
        bytes.prefix(4_096).first { $0 > 0x20 && ![0xEF, 0xBB, 0xBF].contains($0) }
    }

    /// Reads a style that has been read as JSON.
    ///
    /// - Throws: ``StyleSheet/ParseError`` when it is no style at all.
    public init(_ json: PropertyValue) throws(StyleSheet.ParseError) {
        try self.init(json, isDescriptor: false)
    }

    private init(_ json: PropertyValue, isDescriptor: Bool) throws(StyleSheet.ParseError) {
        guard let members = json.objectValue else { throw StyleSheet.ParseError(reason: .noStyle(wanted: "an object")) }
        guard let layers = members["layers"]?.arrayValue else {
            throw StyleSheet.ParseError(reason: .noStyle(wanted: "a list of layers"))
        }
        if let version = members["version"], version.doubleValue != 8 { throw StyleSheet.ParseError(reason: .version) }
        guard layers.count <= Self.maximumLayerCount else {
            throw StyleSheet.ParseError(reason: .tooManyLayers(limit: Self.maximumLayerCount))
        }
        document = json
        var reader = StyleSheetReader(members, isDescriptor: isDescriptor)
        self.layers = reader.layers(layers)
        layerCount = layers.count
        sources = reader.sources
        sourceFilters = reader.sourceFilters
        clusterProperties = reader.clusterProperties
        name = members["name"]?.stringValue
        sprites = reader.sprites
        globalState = reader.globalState
        warnings = reader.warnings
        losses = reader.losses
    }

    /// Whether two styles are the same, and the same layers of them are kept.
    public static func == (left: StyleSheet, right: StyleSheet) -> Bool {
        left.layers.map(\.id) == right.layers.map(\.id) && left.document == right.document
            && left.graphics == right.graphics
    }

    /// The style with some of its layers alone, in the order of the style.
    ///
    /// - Returns: the style, and those of the names that no layer of it has.
    public func keeping(layers names: [String]) -> (sheet: StyleSheet, missing: [String]) {
        var sheet = self
        sheet.layers = layers.filter { names.contains($0.id) }
        sheet.losses = losses.filter { $0.warning.layer.map(names.contains) ?? false }
        return (sheet, names.filter { name in !layers.contains { $0.id == name } })
    }

    /// The style with all its layers drawn at all zooms, hidden ones too.
    package func showingAll() -> StyleSheet {
        var sheet = self
        sheet.layers = layers.map { $0.shownAlways() }
        sheet.losses = losses.map { StyleLoss($0.warning, zooms: -.infinity..<Double.infinity) }
        return sheet
    }

    /// The colour under all layers at a zoom, or `nil` where none is stated.
    public func background(at zoom: Double) -> StyleColor? {
        var color: StyleColor?
        for layer in layers where layer.kind == .background && layer.isDrawn(at: zoom) {
            color = layer.background(at: zoom, globalState: globalState) ?? color
        }
        return color
    }
}

/// Something that is missing of a style, and the zooms at which it would be seen.
package struct StyleLoss: Sendable {
    /// What is missing.
    package let warning: MapWarning
    /// When it would be drawn.
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
