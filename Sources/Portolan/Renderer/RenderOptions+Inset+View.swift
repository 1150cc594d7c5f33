import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster

extension RenderOptions.Inset {
    /// The reason why an inset cannot be drawn, in one line.
    struct Failure: Error, Hashable, Sendable {
        let description: String
    }

    /// The smallest side in view pixels.
    private static let smallest = 24

    /// Returns the view of the inset on a map.
    func view(of layers: [MapLayer], on map: Viewport) throws(Failure) -> Viewport {
        let share = min(max(share.isFinite ? share : 0.3, Self.shares.lowerBound), Self.shares.upperBound)
        let room = (width: Double(map.size.width) * share, height: Double(map.size.height) * share)
        var box = try box(of: layers, in: map.crs)
        if isLocator, extent == nil { box = Self.surroundings(of: map, within: box) }
        let wide = box.maxX - box.minX, high = box.maxY - box.minY
        // A stated extent gives the inset its shape.
        let aspect = extent != nil && wide > 0 && high > 0 ? wide / high : room.width / room.height
        let size = ImageSize(
            width: max(Int(min(room.width, room.height * aspect)), Self.smallest),
            height: max(Int(min(room.height, room.width / aspect)), Self.smallest))
        guard let size else { throw Failure(description: "the inset is too large") }
        // A locator map is drawn at half the scale of symbols, so that they do not cover it.
        let reduction = isLocator && map.pixelRatio >= 0.2 ? 2 : 1
        let padding = extent == nil ? Double(reduction * min(size.width, size.height)) / 16 : 0
        guard let size = ImageSize(width: size.width * reduction, height: size.height * reduction) else {
            throw Failure(description: "the inset is too large")
        }
        do {
            return try Viewport.fitting(
                box, padding: padding, finestResolution: extent == nil ? Resolution(zoom: 17, in: map.crs) : nil,
                size: size, pixelRatio: map.pixelRatio / Double(reduction), crs: map.crs)
        } catch { throw Failure(description: error.description) }
    }

    /// Returns the layers that the inset shows: those that it names, or all; in a locator map those that are only points
    /// are left out, unless nothing would remain.
    func shown(of layers: [MapLayer]) -> [MapLayer] {
        if let names = self.layers { return layers.filter { names.contains($0.name) } }
        guard isLocator else { return layers }
        let others = layers.filter { !$0.drawsOnlyPoints }
        return others.contains(where: \.isVisible) ? others : layers
    }

    /// The sides of a locator map without an extent, in those of the map.
    private static let locatorReach = 8.0

    /// Returns the part of a box around a map that a locator map shows: a few times the extent of the map.
    private static func surroundings(of map: Viewport, within box: BoundingBox) -> BoundingBox {
        let extent = map.extent, reach = locatorReach
        func part(_ low: Double, _ high: Double, _ start: Double, _ end: Double) -> (Double, Double) {
            let length = (end - start) * reach
            guard high - low > length else { return (low, high) }
            let first = min(max((start + end - length) / 2, low), high - length)
            return (first, first + length)
        }
        let (left, right) = part(box.minX, box.maxX, extent.minX, extent.maxX)
        let (bottom, top) = part(box.minY, box.maxY, extent.minY, extent.maxY)
        return BoundingBox(minX: left, minY: bottom, maxX: right, maxY: top) ?? box
    }

    /// Returns the stated extent, or that of all layers, in the CRS of the map.
    private func box(of layers: [MapLayer], in target: CRS) throws(Failure) -> BoundingBox {
        if let extent {
            guard let crs, crs != target else { return BoundingBox(extent) }
            guard let moved = LayerBounds(extent, crs: crs).extent(in: target) else {
                throw Failure(description: "its extent is outside the area of \(target)")
            }
            return BoundingBox(moved)
        }
        let drawn = layers.filter(\.hasFeatures)
        if let box = try? MapLayer.boundingBox(of: drawn, in: target) { return target.visiblePart(of: box) }
        let stated = layers.flatMap(\.statedBounds).compactMap { $0.extent(in: target) }.map { BoundingBox($0) }
        guard let first = stated.first else {
            throw Failure(description: "no layer has features or states its extent; state one with bbox")
        }
        return stated.reduce(first) { $0.union($1) }
    }

    /// The corners of a map as a line on the picture of an inset.
    static func outline(of map: Viewport, on inset: Viewport) -> [Point] {
        let width = Double(map.imageSize.width), height = Double(map.imageSize.height)
        let corners = [(0, 0), (width, 0), (width, height), (0, height)]
        return corners.map { inset.imagePixel(of: map.coordinate(atImagePixel: Point(x: $0.0, y: $0.1))) }
    }

}

extension RenderOptions.Inset.Corner {
    /// The corner in terms of the painter.
    var painted: PaintedInset.Corner {
        switch self {
        case .topLeft: .topLeft
        case .topRight: .topRight
        case .bottomLeft: .bottomLeft
        case .bottomRight: .bottomRight
        case .automatic: .automatic
        }
    }
}

extension MapLayer {
    /// The extent of the layer, or the extents of its vector tiles.
    var statedBounds: [LayerBounds] {
        if let bounds { return [bounds] }
        let sources = (source as? StyleSource).map { Array($0.sources.values) } ?? [source]
        return sources.compactMap { ($0 as? VectorTileSource)?.knownBounds }
    }
}
