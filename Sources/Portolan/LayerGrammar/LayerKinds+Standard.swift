extension LayerKind: NamedLayerKind {}

extension LayerKinds {
    /// The layer kinds of this module.
    ///
    /// Other modules add more.
    public static let standard = LayerKinds([

        .wms, .wmsc, .wmts, .xyz, .tms, .tileJSON, .ogcTiles, .ogcMaps, .arcGIS, .wfs, .ogcAPI, .mbtiles,
        .geoPackage, .pmtiles, .geoTIFF, .stac, .features, .points, .route, .style, .vectorTiles,
        .hillshade, .colorRelief, .slope, .aspect, .contours,
    ])

    /// Creates a list of kinds.
    public init(_ kinds: [LayerKind]) { self.init(entries: kinds) }

    /// The kinds, in the order of the help text.
    ///
    /// Of kinds with the same name, the first one is used.
    public var kinds: [LayerKind] {
        get { entries.compactMap { $0 as? LayerKind } }
        set { entries = newValue }
    }

    /// Returns the kind with a name, or `nil` if none exists.
    ///
    /// - Complexity: O(*n*) in the kinds.
    public func kind(named name: String) -> LayerKind? { entry(named: name) as? LayerKind }

    /// The names that may precede a colon in specifications.
    var prefixes: [String] { entries.map(\.name).filter { $0 != LayerKind.features.name } }
}
