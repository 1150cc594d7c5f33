import PortolanFeatures
public import PortolanFormats
public import PortolanPlan

/// A layer kind: its name, its source, its keys and their help, and the function that creates a layer.
///
/// A program adds custom kinds to ``RendererConfiguration/layerKinds``:
///
/// ```swift
/// extension LayerKind {
///     static let hexagons = LayerKind(
///         "hexagons", source: .data, keys: ["radius"],
///         help: "hexagons:FILE  points counted in hexagons  radius (pixels, 18)"
///     ) { (specification, name, builder) async throws(MapError) in
///         let radius = try specification.number("radius", in: 4...100) ?? 18
///         let points = try await builder.features(of: specification).features.compactMap(\.geometry?.coordinates.first)
///         return (MapLayer(name: name, source: HexagonLayer(points: points, radius: radius)), [])
///     }
/// }
/// ```
public struct LayerKind: Sendable, CustomStringConvertible {
    /// The source type of a kind, which determines the valid addresses.
    public struct Source: Hashable, Sendable {
        private let name: String
        /// The valid URL prefixes; empty if a path is valid.
        let schemes: [String]
        /// Whether a layer draws images, and not only features.
        let drawsPictures: Bool
        /// Whether a layer without a name is named after the file.
        let namesLayers: Bool

        private init(
            _ name: String, schemes: [String] = [], drawsPictures: Bool = false, namesLayers: Bool = false
        ) {
            self.name = name
            self.schemes = schemes
            self.drawsPictures = drawsPictures
            self.namesLayers = namesLayers
        }

        /// An image service over HTTP.
        public static let service = Source("service", schemes: ["http://", "https://"], drawsPictures: true)
        /// A feature service over HTTP.
        public static let featureService = Source("feature service", schemes: ["http://", "https://"])
        /// Tables of a database server.
        public static let database = Source(
            "database", schemes: ["postgresql://", "postgres://"], drawsPictures: false)
        /// Tiles of a URL template or document, over HTTP or in files.
        public static let tiles = Source("tiles", schemes: ["http://", "https://", "file://"], drawsPictures: true)
        /// A file with images.
        public static let archive = Source("archive", drawsPictures: true)
        /// A file or URL of a catalog of images.
        static let catalog = Source("catalog", drawsPictures: true, namesLayers: true)
        /// A file, folder or URL with other content.
        public static let data = Source("data")
        /// A file, folder or URL after which the layer is named.
        public static let dataset = Source("dataset", namesLayers: true)
        /// A file, a URL or standard input with features, for several layer kinds.
        static let features = Source("features", namesLayers: true)
        /// A file, a template or a URL with vector tiles.
        static let vectorTiles = Source("vector tiles", namesLayers: true)
        /// A file, a template or a URL with elevations.
        static let elevations = Source("elevations")
        /// A file or URL with a style, which names its sources.
        static let style = Source("style", namesLayers: true)
    }

    /// A created layer, and warnings about it.
    public typealias Made = (layer: MapLayer, warnings: [MapWarning])

    /// The name, which precedes the colon in `KIND:SOURCE` and is the key of the source in a map document.
    public let name: String
    /// The source type.
    public let source: Source
    /// The keys in addition to the common ones; `PREFIX.NAME` means all keys with this prefix.
    public let keys: [String]
    /// The help text about source and keys.
    public let help: String
    /// Opens the dataset at a path, for commands that read features; `nil` for kinds without datasets.
    let openDataset: (@Sendable (_ path: String) throws -> any FeatureDataset)?
    /// Validates the values of the keys, before any service is contacted.
    let check: @Sendable (LayerSpecification) throws(MapError) -> Void
    /// Creates the layer of a specification with a name.
    let make: @Sendable (LayerSpecification, String, LayerBuilder) async throws(MapError) -> Made

    /// Creates a kind.
    ///
    /// - Parameters:
    ///   - name: precedes the colon in `KIND:SOURCE`, and is the key of the source in a map document.
    ///   - keys: the keys in addition to the common ones; `PREFIX.NAME` means all keys with this prefix.
    ///   - help: the help text about source and keys.
    ///   - dataset: opens the dataset at a path, for commands that read features; `nil` for kinds without datasets.
    ///   - check: validates the values of the keys, before any service is contacted.
    ///   - make: creates the layer of a specification with a name.
    public init(
        _ name: String, source: Source, keys: [String], help: String,
        dataset: (@Sendable (_ path: String) throws -> any FeatureDataset)? = nil,
        check: @escaping @Sendable (LayerSpecification) throws(MapError) -> Void = { _ throws(MapError) in
        },
        make: @escaping @Sendable (LayerSpecification, String, LayerBuilder) async throws(MapError) -> Made
    ) {
        self.name = name
        self.source = source
        self.keys = keys
        self.help = help
        openDataset = dataset
        self.check = check
        self.make = make
    }

    /// The name.
    public var description: String { name }

    /// Whether the source is features, which several layer kinds can draw.
    public var readsFeatures: Bool { source == .features }

    /// Whether the keys describe the appearance of features.
    var drawsPlainFeatures: Bool { keys.contains("fill") }

    /// Whether the source is a tile archive.
    package var isArchive: Bool { source == .archive }

    /// Whether the source is a path if it is not a URL.
    var hasPath: Bool { source.schemes.isEmpty }

    /// The common keys of all layers, and those of images.
    private var commonKeys: [String] {
        ["name", "opacity", "visible", "min-resolution", "max-resolution", "group", "group-opacity", "legend", "cache"]
            + (source.drawsPictures ? ["transparent-color", "transparent-tolerance"] : [])
            + (source.drawsPictures || source == .style ? ["empty-status"] : [])
    }

    /// Creates the layer of a specification with a name, and applies the keys of all tile layers.
    func layer(
        of specification: LayerSpecification, named name: String, _ builder: LayerBuilder
    ) async throws(MapError) -> Made {
        var made = try await make(specification, name, builder)
        // Styles apply this key to their own sources.
        guard source != .style, let statuses = try specification.emptyStatuses() else { return made }
        guard var tiles = made.layer.tiles else {
            throw specification.invalid(
                "empty-status", "needs tiles" + (self == .wms ? "; add tiled=true" : ""))
        }
        tiles.emptyStatuses = statuses
        made.layer.source = tiles
        return made
    }

    /// All keys, in the order of messages.
    public var allKeys: [String] { commonKeys + keys }

    /// Returns whether a key is valid.
    public func takes(_ key: String) -> Bool {
        allKeys.contains { known in
            known == key || (known.hasSuffix(".NAME") && key.hasPrefix(known.dropLast("NAME".count)))
        }
    }
}

extension LayerKind: Hashable {
    /// Returns whether two kinds have the same name.
    public static func == (one: LayerKind, other: LayerKind) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
