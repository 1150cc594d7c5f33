public import PortolanFeatures

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
    /// The values that its expressions share.
    public let globalState: Properties
    /// The layers that are drawn, the lowest first.
    public private(set) var layers: [StyleLayer]
    /// How many layers the document has.
    public let layerCount: Int
    /// What is not drawn as it says.
    public let warnings: [StyleWarning]
    private let document: PropertyValue

    /// Reads a document.
    ///
    /// - Throws: ``StyleSheetError`` when it is no style at all; what is odd in one is a warning.
    /// - Complexity: O(*n*) in the bytes.
    public init(bytes: [UInt8]) throws(StyleSheetError) {
        let json: PropertyValue
        do { json = try JSONReader.value(bytes: bytes) } catch {
            throw StyleSheetError(reason: .json(line: error.line, error.detail))
        }
        try self.init(json)
    }

    /// Reads a style that has been read as JSON.
    ///
    /// - Throws: ``StyleSheetError`` when it is no style at all.
    public init(_ json: PropertyValue) throws(StyleSheetError) {
        guard let members = json.objectValue else { throw StyleSheetError(reason: .noStyle(wanted: "an object")) }
        guard let layers = members["layers"]?.arrayValue else {
            throw StyleSheetError(reason: .noStyle(wanted: "a list of layers"))
        }
        if let version = members["version"], version.doubleValue != 8 { throw StyleSheetError(reason: .version) }
        guard layers.count <= Self.maximumLayerCount else {
            throw StyleSheetError(reason: .tooManyLayers(limit: Self.maximumLayerCount))
        }
        document = json
        var reader = StyleSheetReader(members)
        self.layers = reader.layers(layers)
        layerCount = layers.count
        sources = reader.sources
        name = members["name"]?.stringValue
        sprites = reader.sprites
        globalState = reader.globalState
        warnings = reader.warnings
    }

    /// Whether two styles are the same, and the same layers of them are kept.
    public static func == (left: StyleSheet, right: StyleSheet) -> Bool {
        left.layers.map(\.id) == right.layers.map(\.id) && left.document == right.document
    }

    /// The style with some of its layers alone, in the order of the style.
    ///
    /// - Returns: the style, and those of the names that no layer of it has.
    public func keeping(layers names: [String]) -> (sheet: StyleSheet, missing: [String]) {
        var sheet = self
        sheet.layers = layers.filter { names.contains($0.id) }
        return (sheet, names.filter { name in !layers.contains { $0.id == name } })
    }

    /// The colour under all layers at a zoom, or `nil` where none is stated.
    public func background(at zoom: Double) -> StyleColor? {
        var color: StyleColor?
        for layer in layers where layer.kind == .background && layer.isDrawn(at: zoom) {
            var values = StyleValues(layer, ExpressionContext(zoom: zoom))
            color = values.color(.backgroundColor, opacity: .backgroundOpacity) ?? color
        }
        return color
    }
}
