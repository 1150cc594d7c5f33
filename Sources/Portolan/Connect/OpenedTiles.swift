import PortolanArchives
import PortolanCodecs
import PortolanGeo
package import PortolanPlan
import PortolanRaster
package import PortolanServices
import PortolanVectorTiles
package import PortolanWeb

/// The tiles of an archive or a service that was opened: images, or vector data.
package struct OpenedTiles: Sendable {
    /// The tiles; the grid of vector data has tiles of 512 pixels, as the zoom levels of MapLibre styles count.
    package var tiles: TileSource
    /// Whether the tiles hold vector data.
    package var isVector: Bool
    /// Whether the vector data are MapLibre tiles.
    package var isMLT = false
    /// The encoding that the document of the source states, or `nil`.
    package var encoding: String?
    /// The name that the source states, or an empty text.
    package var name = ""
    /// The attribution, or `nil`.
    package var attribution: String?
    /// The parts of the attribution that lead to pages.
    package var attributionLinks: [AttributionLink] = []
    /// The part of the earth with tiles, or `nil` if it is not known.
    package var bounds: LayerBounds?
    /// The layers of vector data; empty if the source does not list them.
    package var vectorLayers: [VectorLayerDescription] = []
    /// Warnings about the source.
    package var warnings: [MapWarning] = []

    /// The side of tiles with vector data, in pixels.
    package static let vectorTileSize = 512

    /// The statuses beside 204 by which servers say that a vector tile is empty.
    package static let emptyStatuses: Set<Int> = [404]

    /// The source of vector data.
    package var vectorSource: VectorTileSource {
        var source = VectorTileSource(tiles: tiles, encoding: isMLT ? .mlt : .mvt)
        (source.descriptions, source.contentBounds) = (vectorLayers, bounds)
        return source
    }

    /// Makes the layer of the images or the vector data.
    package func layer(named name: String) -> MapLayer {
        var layer =
            isVector
            ? MapLayer(name: name, source: vectorSource, attribution: attribution)
            : MapLayer(name: name, source: tiles, attribution: attribution)
        layer.bounds = bounds
        layer.attributionLinks = attributionLinks
        return layer
    }
}

extension OpenedTiles {
    /// The tiles of a source of vector data.
    package init(_ source: VectorTileSource, attribution: String?) {
        self.init(
            tiles: source.tiles, isVector: true, isMLT: source.encoding == .mlt, attribution: attribution,
            bounds: source.bounds, vectorLayers: source.descriptions)
    }
}

extension OpenedTiles {
    /// Opens the tiles of an archive in web mercator.
    ///
    /// - Parameters:
    ///   - sample: the bytes of any tile.
    ///   - place: the path or the address, for errors.
    ///   - fallback: the bounds if the metadata have none.
    init(
        _ archive: TileArchive, _ metadata: MBTilesMetadata, sample: [UInt8]?, place: String,
        fallback: () throws(ArchiveError) -> Extent? = { () throws(ArchiveError) in nil }
    ) throws(ArchiveError) {
        guard let levels = metadata.levels, let sample else {
            throw ArchiveError(.wrongFormat, place: place, detail: "it has no tiles")
        }
        // Files of some programs state no format: images are recognised, and nothing else than vector tiles is compressed.
        let isImage = ImageFormat(recognizing: sample) != nil
        isVector =
            metadata.isVector || !isImage && (!metadata.vectorLayers.isEmpty || sample.starts(with: [0x1F, 0x8B]))
        let size = isVector ? Self.vectorTileSize : try Self.side(of: sample, place)
        guard let grid = TileGrid.webMercator(levels: levels, tileSize: size) else {
            throw ArchiveError(.wrongFormat, place: place, detail: "its tiles have no usable size")
        }
        let stated = Self.extent(metadata.bounds)
        tiles = TileSource(grid: grid, address: .archive(archive), extent: stated)
        isMLT = metadata.isMLT
        name = metadata.name
        attribution = metadata.attribution
        var extent = stated
        if extent == nil { extent = try fallback() }
        bounds = extent.map { LayerBounds($0, crs: .webMercator) }
        vectorLayers = metadata.vectorLayers
    }

    private static func side(of sample: [UInt8], _ place: String) throws(ArchiveError) -> Int {
        let image: PixelBuffer
        do { image = try ImageDecoders.standard.decode(sample) } catch {
            throw ArchiveError(.wrongFormat, place: place, detail: "its tiles cannot be read as images: \(error)")
        }
        guard image.width == image.height else {
            throw ArchiveError(
                .wrongFormat, place: place, detail: "its tiles are \(image.width) by \(image.height) pixels, not square"
            )
        }
        return image.width
    }

    /// The bounds that an archive states, in web mercator.
    static func extent(_ bounds: [Double]?) -> Extent? {
        guard let bounds, bounds.count == 4,
            let box = Extent(
                minX: max(bounds[0], -180), minY: max(bounds[1], -85.0511287798066), maxX: min(bounds[2], 180),
                maxY: min(bounds[3], 85.0511287798066)),
            let transform = try? CoordinateTransform(from: .crs84, to: .webMercator)
        else { return nil }
        return transform(box)
    }

    /// Opens an MBTiles file.
    package init(mbtiles path: String) throws(ArchiveError) {
        let absolute = FileAddress.path(of: path), file = try MBTilesFile(path: absolute)
        try self.init(
            TileArchive(format: .mbtiles, path: absolute), file.metadata, sample: file.anyTile(), place: path
        ) { () throws(ArchiveError) in try MapLayer.bounds(of: file)?.extent }
    }

    /// Opens a PMTiles archive in a file.
    package init(pmtiles path: String) throws(ArchiveError) {
        let absolute = FileAddress.path(of: path), file = try PMTilesFile(path: absolute)
        try self.init(
            TileArchive(format: .pmtiles, path: absolute), file.metadata, sample: file.anyTile(), place: path)
    }
}
