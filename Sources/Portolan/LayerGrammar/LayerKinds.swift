/// The kinds of layers that a program knows by name: what words, documents and saved states may say.
///
/// ```swift
/// var configuration = RendererConfiguration()
/// configuration.layerKinds.kinds.append(.hexagons)
/// let layer = try LayerSpecification("hexagons:cities.csv;radius=24", kinds: configuration.layerKinds)
/// ```
public struct LayerKinds: Sendable {
    /// The kinds, in the order in which help names them; of two of one name the first counts.
    public var kinds: [LayerKind]

    /// All kinds that Portolan has.
    public static let standard = LayerKinds(
        [
            .wms, .wmsc, .wmts, .xyz, .tms, .tileJSON, .ogcTiles, .ogcMaps, .arcGIS, .wfs, .ogcAPI, .mbtiles,
            .geoPackage,
            .features, .points, .route, .style, .transit, .vehicles,
        ] + behindTraits)

    #if GDAL
    private static let behindTraits: [LayerKind] = [.gdal]
    #else
    private static let behindTraits: [LayerKind] = []
    #endif

    /// Makes a list of kinds.
    public init(_ kinds: [LayerKind]) { self.kinds = kinds }

    /// The kind of a name, or `nil` when there is none.
    ///
    /// - Complexity: O(*n*) in the kinds.
    public func kind(named name: String) -> LayerKind? { kinds.first { $0.name == name } }

    /// The names that stand before a colon in words.
    var prefixes: [String] { kinds.filter { $0 != .features }.map(\.name) }
}
