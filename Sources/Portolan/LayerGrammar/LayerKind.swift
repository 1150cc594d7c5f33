import PortolanFeatures
public import PortolanFormats
public import PortolanPlan

/// A kind of layer: its name, what its source is, the keys it takes, its help, and how a layer is made of it.
///
/// A program adds kinds of its own to ``RendererConfiguration/layerKinds``:
///
/// ```swift
/// extension LayerKind {
///     static let hexagons = LayerKind(
///         "hexagons", source: .data, keys: ["radius"],
///         help: "hexagons:FILE  Points counted in hexagons."
///     ) { (specification, name, builder) async throws(MapError) in
///         let radius = try specification.number("radius", in: 4...100) ?? 18
///         let points = try await builder.features(of: specification).features.compactMap(\.geometry?.coordinates.first)
///         return (MapLayer(name: name, source: HexagonLayer(points: points, radius: radius)), [])
///     }
/// }
/// ```
public struct LayerKind: Sendable, CustomStringConvertible {
    /// What a source of a kind is, and so what its address looks like.
    public struct Source: Hashable, Sendable {
        private let name: String
        /// What an address begins with; empty where it may be a path.
        let schemes: [String]
        /// Whether a layer draws pictures that come as such, and not features alone.
        let drawsPictures: Bool
        /// Whether a layer without a name has that of the file.
        let namesLayers: Bool

        private init(
            _ name: String, schemes: [String] = [], drawsPictures: Bool = false, namesLayers: Bool = false
        ) {
            self.name = name
            self.schemes = schemes
            self.drawsPictures = drawsPictures
            self.namesLayers = namesLayers
        }

        /// A service of pictures, asked over HTTP.
        public static let service = Source("service", schemes: ["http://", "https://"], drawsPictures: true)
        /// A service of features, asked over HTTP.
        public static let featureService = Source("feature service", schemes: ["http://", "https://"])
        /// Tiles by a template or a document, over HTTP or in files.
        public static let tiles = Source("tiles", schemes: ["http://", "https://", "file://"], drawsPictures: true)
        /// A file with pictures.
        public static let archive = Source("archive", drawsPictures: true)
        /// A file, a folder or a URL with anything else.
        public static let data = Source("data")
        /// A file, a folder or a URL after which the layer is named.
        public static let dataset = Source("dataset", namesLayers: true)
        /// A file, a URL or standard input with features, which a layer may draw in several ways.
        static let features = Source("features", namesLayers: true)
        /// A file or a URL with a style, which names its sources.
        static let style = Source("style", namesLayers: true)
    }

    /// A layer as it comes of its source, and warnings about it.
    public typealias Made = (layer: MapLayer, warnings: [MapWarning])

    /// The name, which stands before the colon in `KIND:SOURCE`, and is the key of the source in a map document.
    public let name: String
    /// What its source is.
    public let source: Source
    /// The keys beside those of all layers; one that ends in `.NAME` stands for all that begin like it.
    public let keys: [String]
    /// The source and a summary, separated by two spaces.
    public let help: String
    /// Opens the dataset at the path of a source, for the commands that read features; `nil` for kinds without datasets.
    let openDataset: (@Sendable (_ path: String) throws -> any FeatureDataset)?
    /// Finds what is wrong with the values of its keys before any service is asked.
    let check: @Sendable (LayerSpecification) throws(MapError) -> Void
    /// Makes the layer of a specification, under a name.
    let make: @Sendable (LayerSpecification, String, LayerBuilder) async throws(MapError) -> Made

    /// Makes a kind.
    ///
    /// - Parameters:
    ///   - name: stands before the colon in `KIND:SOURCE`, and is the key of the source in a map document.
    ///   - keys: those beside the keys of all layers; one that ends in `.NAME` stands for all that begin like it.
    ///   - help: the source and a summary, separated by two spaces, for `portolan help layers`.
    ///   - dataset: opens the dataset at the path of a source, for the commands that read features; `nil` for kinds
    ///     without datasets.
    ///   - check: finds what is wrong with the values of its keys before any service is asked.
    ///   - make: makes the layer of a specification, under a name.
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

    /// Whether its source is a file of features, which a layer may draw in several ways.
    public var readsFeatures: Bool { source == .features }

    /// Whether its keys say how features are drawn.
    var drawsPlainFeatures: Bool { keys.contains("fill") }

    /// Whether its source is a file of tiles.
    package var isArchive: Bool { source == .archive }

    /// Whether the source is a path where it is no URL.
    var hasPath: Bool { source.schemes.isEmpty }

    /// The keys that every layer may have, those of images for all but features.
    private var commonKeys: [String] {
        ["name", "opacity", "visible", "min-resolution", "max-resolution", "group", "group-opacity", "legend", "cache"]
            + (source.drawsPictures ? ["transparent-color", "transparent-tolerance"] : [])
            + (source.drawsPictures || source == .style ? ["empty-status"] : [])
    }

    /// Makes the layer of a specification, under a name, with what all layers of tiles may be told.
    func layer(
        of specification: LayerSpecification, named name: String, _ builder: LayerBuilder
    ) async throws(MapError) -> Made {
        var made = try await make(specification, name, builder)
        // The sources of a style take it for themselves.
        guard source != .style, let statuses = try specification.emptyStatuses() else { return made }
        guard var tiles = made.layer.tiles else {
            throw specification.invalid(
                "empty-status", "needs tiles" + (self == .wms ? "; add tiled=true" : ""))
        }
        tiles.emptyStatuses = statuses
        made.layer.source = tiles
        return made
    }

    /// All keys, in the order in which messages name them.
    public var allKeys: [String] { commonKeys + keys }

    /// Whether a key may be given.
    public func takes(_ key: String) -> Bool {
        allKeys.contains { known in
            known == key || (known.hasSuffix(".NAME") && key.hasPrefix(known.dropLast("NAME".count)))
        }
    }
}

extension LayerKind: Hashable {
    /// Whether two kinds have the same name.
    public static func == (one: LayerKind, other: LayerKind) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
