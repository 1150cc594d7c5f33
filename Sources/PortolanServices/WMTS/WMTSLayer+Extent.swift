import PortolanGeo

extension WMTSLayer {
    /// The geographic box in a system, or `nil` where its corners would be bent too far to tell anything.
    func extent(in crs: CRS) -> Extent? {
        guard let box = geographicBox, crs.projection != nil, crs.worldWidth != nil || box.maxX - box.minX < 40 else {
            return nil
        }
        // The world of Mercator ends short of the poles.
        let top = crs.worldExtent.map { Coordinate(x: $0.center.x, y: $0.maxY) }
        let north = top.flatMap { crs.projection?.unproject($0) }?.y ?? 90
        // A box across 180 degrees has places at both ends of a world that repeats.
        let isAcross = crs.worldWidth != nil && (box.minX < -180.001 || box.maxX > 180.001)
        guard
            let inside = Extent(
                minX: isAcross ? -180 : box.minX, minY: max(box.minY, -north), maxX: isAcross ? 180 : box.maxX,
                maxY: min(box.maxY, north)),
            let transform = try? CoordinateTransform(from: .crs84, to: crs)
        else { return nil }
        return transform(inside)
    }
}
