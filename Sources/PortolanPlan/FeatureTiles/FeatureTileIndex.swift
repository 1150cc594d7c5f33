import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanVectorTiles

/// A layer of vector tiles with an index, so that the cost of a single tile follows its content.
package struct FeatureTileIndex: Sendable {
    /// The layer.
    package let layer: FeatureTileLayer
    private let index: SpatialIndex
    /// The block and the number of each indexed group of shapes.
    private let groups: [(block: Int32, group: Int32)]

    /// Indexes a layer.
    ///
    /// - Complexity: O(*n* log *n*) in the features.
    package init(_ layer: FeatureTileLayer) {
        self.layer = layer
        var boxes: [BoundingBox?] = [], groups: [(block: Int32, group: Int32)] = []
        for (number, block) in layer.blocks.enumerated() {
            for (group, content) in block.groups.enumerated() {
                let box = content.box
                boxes.append(BoundingBox(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY))
                groups.append((Int32(number), Int32(group)))
            }
        }
        index = SpatialIndex(boxes)
        self.groups = groups
    }

    /// Returns the pieces of the features of a tile.
    private func pieces(
        level: Int, column: Int, row: Int, isFinest: Bool, _ settings: FeatureTileSettings
    ) -> FeatureTilePieces {
        let side = 1 / Double(1 << level), margin = side * Double(settings.buffer + 1) / Double(MVTLayerWriter.extent)
        guard
            let extent = Extent(
                minX: Double(column) * side - margin, minY: Double(row) * side - margin,
                maxX: Double(column + 1) * side + margin, maxY: Double(row + 1) * side + margin)
        else { return FeatureTilePieces() }
        var cutter = FeatureTileCutter(level: level, tile: (column, row), isFinest: isFinest, settings)
        for item in index.items(touching: extent) {
            let place = groups[item]
            cutter.cut(Int(place.group), of: layer.blocks[Int(place.block)], layer)
        }
        return cutter.finish()
    }

    /// Returns a compressed tile of some layers, or `nil` if it is empty.
    ///
    /// - Parameter isFinest: whether no finer level follows, so that nothing is left out for being small.
    package static func tile(
        of layers: [FeatureTileIndex], level: Int, column: Int, row: Int, isFinest: Bool,
        _ settings: FeatureTileSettings
    ) throws(FeatureTileError) -> FeatureTileAssembler.Tile? {
        let blocks = layers.map {
            $0.pieces(level: level, column: column, row: row, isFinest: isFinest, settings)
        }
        if Task.isCancelled { throw .cancelled }
        let references = blocks.enumerated().flatMap { block, pieces in
            (0..<pieces.count).map { FeatureTileAssembler.Reference(block: UInt32(block), piece: UInt32($0)) }
        }
        var assembler = try FeatureTileAssembler(layers.map(\.layer), level: level, settings)
        return try assembler.tile(references[...], of: blocks, Array(layers.indices))
    }
}
