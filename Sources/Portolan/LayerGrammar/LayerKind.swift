package import PortolanPlan

/// A kind of source of layers: its name, the keys it takes, its help, and how a layer is made of it.
///
/// To add a kind, write a file beside `LayerKind+WMS.swift` and name the kind in ``all``.
public struct LayerKind: Sendable, CustomStringConvertible {
    /// What a source of a kind is, and so what its address looks like.
    enum Source: Sendable {
        /// A service, asked over HTTP.
        case service
        /// A service of features, asked over HTTP.
        case featureService
        /// Tiles by a template or a document, over HTTP or in files.
        case tiles
        /// A file with images.
        case archive
        /// A file, a URL or standard input with features.
        case features
        /// A file or a URL with a style, which names its sources.
        case style
        /// A file, a folder or a URL with a timetable.
        case timetable
    }

    /// A layer as it comes of its source, and warnings about it.
    package typealias Made = (layer: MapLayer, warnings: [MapWarning])

    /// The name, which stands before the colon in `KIND:SOURCE`, and is the key of the source in a map document.
    public let name: String
    let source: Source
    /// The keys beside those of all layers; one that ends in `.NAME` stands for all that begin like it.
    public let keys: [String]
    /// Its source and keys, for a person.
    package let help: String
    /// Finds what is wrong with the values of its keys before any service is asked.
    let check: @Sendable (LayerSpecification) throws(LayerError) -> Void
    /// Makes the layer of a specification, under a name.
    let make: @Sendable (LayerSpecification, String, LayerBuilder) async throws(LayerError) -> Made

    init(
        _ name: String, source: Source, keys: [String], help: String,
        check: @escaping @Sendable (LayerSpecification) throws(LayerError) -> Void = { _ throws(LayerError) in
        },
        make: @escaping @Sendable (LayerSpecification, String, LayerBuilder) async throws(LayerError) -> Made
    ) {
        self.name = name
        self.source = source
        self.keys = keys
        self.help = help
        self.check = check
        self.make = make
    }

    /// The name.
    public var description: String { name }

    /// All kinds, in the order of the help.
    public static let all =
        [
            wms, wmsc, wmts, xyz, tms, tileJSON, ogcTiles, ogcMaps, arcGIS, wfs, ogcAPI, mbtiles, geoPackage, features,
            points, route, style, transit, vehicles,
        ]
        + behindTraits

    #if GDAL
    private static let behindTraits = [gdal]
    #else
    private static let behindTraits: [LayerKind] = []
    #endif

    /// The kind of a name, or `nil` when there is none.
    package static func named(_ name: String) -> LayerKind? { all.first { $0.name == name } }

    /// Whether its source is a file of features, which a layer may draw in several ways.
    public var readsFeatures: Bool { source == .features }

    /// Whether its keys say how features are drawn.
    var drawsPlainFeatures: Bool { keys.contains("fill") }

    /// Whether its source is a file of tiles.
    package var isArchive: Bool { source == .archive }

    /// Whether the source is a path where it is no URL.
    var hasPath: Bool {
        switch source {
        case .archive, .features, .style, .timetable: true
        case .service, .featureService, .tiles: false
        }
    }

    /// The keys that every layer may have, those of images for all but features.
    private var commonKeys: [String] {
        ["name", "opacity", "visible", "min-resolution", "max-resolution", "group", "group-opacity", "cache"]
            + (drawsPictures ? ["transparent-color", "transparent-tolerance"] : [])
            + (drawsPictures || source == .style ? ["empty-status"] : [])
    }

    /// Makes the layer of a specification, under a name, with what all layers of tiles may be told.
    func layer(
        of specification: LayerSpecification, named name: String, _ builder: LayerBuilder
    ) async throws(LayerError) -> Made {
        var made = try await make(specification, name, builder)
        // The sources of a style take it for themselves.
        guard source != .style, let statuses = try specification.emptyStatuses() else { return made }
        guard var tiles = made.layer.tiles else {
            throw specification.bad(
                "empty-status", "goes with tiles" + (self == .wms ? ", as tiled=true has them" : ""))
        }
        tiles.emptyStatuses = statuses
        made.layer.source = tiles
        return made
    }

    /// Whether a layer draws pictures that come as such, and not features alone.
    private var drawsPictures: Bool {
        switch source {
        case .service, .tiles, .archive: true
        case .features, .featureService, .style, .timetable: false
        }
    }

    /// All keys, in the order in which messages name them.
    public var allKeys: [String] { commonKeys + keys }

    /// Whether a key may be given.
    public func takes(_ key: String) -> Bool {
        allKeys.contains { known in
            known == key || (known.hasSuffix(".NAME") && key.hasPrefix(known.dropLast("NAME".count)))
        }
    }

    /// What an address of this kind begins with; empty where it may be a path.
    var schemes: [String] {
        switch source {
        case .service, .featureService: ["http://", "https://"]
        case .tiles: ["http://", "https://", "file://"]
        case .archive, .features, .style, .timetable: []
        }
    }
}

extension LayerKind: Hashable {
    /// Whether two kinds have the same name.
    public static func == (one: LayerKind, other: LayerKind) -> Bool { one.name == other.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
