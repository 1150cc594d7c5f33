extension LayerKind: NamedLayerKind {}

extension LayerKinds {
    /// The kinds of this module; modules above add theirs.
    public static let standard = LayerKinds([

        .wms, .wmsc, .wmts, .xyz, .tms, .tileJSON, .ogcTiles, .ogcMaps, .arcGIS, .wfs, .ogcAPI, .mbtiles,
        .geoPackage, .features, .points, .route, .style,
    ])

    /// Makes a list of kinds.
    public init(_ kinds: [LayerKind]) { self.init(entries: kinds) }

    /// The kinds, in the order in which help names them; of two of one name the first counts.
    public var kinds: [LayerKind] {
        get { entries.compactMap { $0 as? LayerKind } }
        set { entries = newValue }
    }

    /// The kind of a name, or `nil` when there is none.
    ///
    /// - Complexity: O(*n*) in the kinds.
    public func kind(named name: String) -> LayerKind? { entry(named: name) as? LayerKind }

    /// The names that stand before a colon in words.
    var prefixes: [String] { entries.map(\.name).filter { $0 != LayerKind.features.name } }
}
