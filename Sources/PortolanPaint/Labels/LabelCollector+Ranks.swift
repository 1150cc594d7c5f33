import PortolanFeatures
import PortolanGeo
import PortolanPlan
import PortolanRaster

// The order in which labels are placed.
extension LabelCollector {
    /// Returns the rank of a label.
    ///
    /// The MapLibre Style Specification has no priorities: layers are placed from the top down, and the labels of a
    /// layer by their sort keys, then tile by tile.
    func rank(of words: Words, _ site: LabelSite, repetition: Int) -> LabelRank {
        guard words.symbol.collision != nil else {
            return LabelRank(priority: words.priority, layer: layer, repetition: repetition, order: order)
        }
        // Of equal keys the later feature comes first, as in MapLibre Native.
        var rank = LabelRank(layer: layer, repetition: repetition, order: isSorted ? -order : order)
        let key = -words.symbol.priority
        rank.key = key.isNaN ? 0 : key
        let tiles = tiles[layer]
        rank.isByTile = tiles != nil
        rank.tile = tile(at: site.point, zoom: tiles.map { Double($0.zoom) } ?? styleZoom.rounded(.down))
        return rank
    }

    /// The index of the tile at a point of the picture, row by row from the top; 0 without tiles.
    private func tile(at point: Point?, zoom: Double) -> Int {
        guard let point, viewport.crs == .webMercator, let world = viewport.crs.worldWidth else { return 0 }
        let count = Libm.power(2, max(zoom, 0)), side = world / count
        let place = viewport.coordinate(atImagePixel: point)
        let column = ((place.x + world / 2) / side).rounded(.down), row = ((world / 2 - place.y) / side).rounded(.down)
        guard abs(column) < 1e9, row >= 0, row < 1e9 else { return 0 }
        return Int(row) << 31 + Int(column)
    }
}

extension LabelSite {
    /// The approximate position of the label.
    fileprivate var point: Point? {
        switch self {
        case .around(let point), .holding(_, let point), .at(let point, _): point
        case .on(let places): places.first?.point
        case .inside(let points, let beyond): points.first ?? beyond?.points.first
        case .along(let spots, _): spots.first.map { $0.line.point(at: $0.start) }
        }
    }
}
