public import PortolanArchives
import PortolanCodecs
import PortolanGeo
public import PortolanPlan

extension MapLayer {
    /// A layer of the tiles of an MBTiles file (MBTiles 1.3) with images in web mercator.
    ///
    /// Levels, extent and attribution are those that the file states. A tile that it lacks within its extent is missing on
    /// the picture.
    ///
    /// - Throws: ``/PortolanArchives/ArchiveError`` when it cannot be read, holds vector tiles, or no image at all.
    public static func mbtiles(named name: String, path: String) throws(ArchiveError) -> MapLayer {
        let absolute = FileAddress.path(of: path)
        let file = try MBTilesFile(path: absolute)
        guard let levels = file.metadata.levels, let bytes = try file.anyTile() else {
            throw ArchiveError(.wrongFormat, place: path, detail: "it has no tiles")
        }
        let image: PixelBuffer
        do { image = try ImageDecoders.standard.decode(bytes) } catch {
            throw ArchiveError(.wrongFormat, place: path, detail: "its tiles cannot be read as images: \(error)")
        }
        guard image.width == image.height, let grid = TileGrid.webMercator(levels: levels, tileSize: image.width)
        else {
            throw ArchiveError(
                .wrongFormat, place: path, detail: "its tiles are \(image.width) by \(image.height) pixels, not square")
        }
        let extent = statedExtent(of: file)
        var layer = MapLayer(
            name: name,
            source: TileSource(
                grid: grid, address: .archive(TileArchive(format: .mbtiles, path: absolute)), extent: extent),
            attribution: file.metadata.attribution)
        layer.bounds = try bounds(of: file)
        return layer
    }

    /// Where the tiles of a file are: as it states, or else as those of its finest level lie.
    static func bounds(of file: MBTilesFile) throws(ArchiveError) -> LayerBounds? {
        if let extent = statedExtent(of: file) { return LayerBounds(extent, crs: .webMercator) }
        return try file.levels().last.flatMap { extent(of: $0) }.map { LayerBounds($0, crs: .webMercator) }
    }

    /// What the file states of where its tiles are, in web mercator.
    private static func statedExtent(of file: MBTilesFile) -> Extent? {
        guard let bounds = file.metadata.bounds,
            let box = Extent(
                minX: max(bounds[0], -180), minY: max(bounds[1], -85.0511287798066), maxX: min(bounds[2], 180),
                maxY: min(bounds[3], 85.0511287798066)),
            let transform = try? CoordinateTransform(from: .crs84, to: .webMercator)
        else { return nil }
        return transform(box)
    }

    /// What the tiles of a level cover, in web mercator.
    private static func extent(of level: MBTilesLevel) -> Extent? {
        guard let world = CRS.webMercator.worldExtent else { return nil }
        let span = world.width / Double(1 << level.level)
        return Extent(
            minX: world.minX + Double(level.columns.lowerBound) * span,
            minY: world.maxY - Double(level.rows.upperBound + 1) * span,
            maxX: world.minX + Double(level.columns.upperBound + 1) * span,
            maxY: world.maxY - Double(level.rows.lowerBound) * span)
    }
}
