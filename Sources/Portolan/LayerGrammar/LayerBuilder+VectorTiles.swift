import PortolanArchives
import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanVectorTiles
import PortolanWeb

extension LayerBuilder {
    /// Returns the vector tiles of a source: an MBTiles file or a URL template.
    func vectorTiles(
        of specification: LayerSpecification, named name: String
    ) async throws(MapError) -> (tiles: VectorTileSource, attribution: String?, notes: [MapWarning]) {
        guard specification.source.contains("{") else {
            let path = FileAddress.path(of: specification.source, in: "/")
            guard path.hasSuffix(".mbtiles") else {
                throw specification.invalid("layer '\(specification.source)': it is not known what tiles it has")
            }
            do throws(ArchiveError) {
                let file = try MBTilesFile(path: path), levels = file.metadata.levels ?? 0...14
                guard let grid = TileGrid.webMercator(levels: levels, tileSize: 512) else {
                    throw ArchiveError(.wrongFormat, place: path, detail: "it has no tiles")
                }
                let bounds = file.metadata.bounds.flatMap { GeographicBounds($0)?.extent(in: .webMercator) }
                let tiles = TileSource(
                    grid: grid, address: .archive(TileArchive(format: .mbtiles, path: path)), extent: bounds)
                return (VectorTileSource(tiles: tiles), file.metadata.attribution, [])
            } catch { throw specification.error(.archive(error)) }
        }
        var words = specification
        words = try LayerSpecification(
            kind: specification["scheme"] == "tms" ? .tms : .xyz, source: specification.source,
            values: ["tile-size": "512", "max-zoom": "22"], namedBy: specification.origin)
        let layer = try LayerKind.templateLayer(
            words, named: name, countsFromBottom: specification["scheme"] == "tms")
        guard let tiles = layer.tiles else { throw specification.invalid("it has no tiles") }
        return (VectorTileSource(tiles: tiles), nil, [])
    }
}
