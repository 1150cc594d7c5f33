public import PortolanGeo
public import PortolanRaster

extension Viewport {
    /// Makes the viewport that shows all of `box` as large as possible.
    ///
    /// - Parameters:
    ///   - box: in units of `crs`; it may be flat, as the box of one point is.
    ///   - padding: view pixels kept free on each side.
    ///   - finestResolution: the finest to go to; a flat box needs one.
    /// - Throws: ``ViewportError/paddingTooLarge(_:)`` and what the initializer throws.
    public static func fitting(
        _ box: BoundingBox, padding: Double = 0, finestResolution: Resolution? = nil, rotation: Double = 0,
        size: ImageSize, pixelRatio: Double = 1, crs: CRS = .webMercator
    ) throws(ViewportError) -> Viewport {
        let width = Double(size.width) - 2 * padding, height = Double(size.height) - 2 * padding
        guard padding >= 0, width >= 1, height >= 1 else { throw .paddingTooLarge(padding) }
        guard rotation.isFinite else { throw .rotationNotFinite }
        let (cosine, sine) = Bearing.axes(degrees: bearing(rotation))
        let spanX = box.maxX - box.minX, spanY = box.maxY - box.minY
        let seenX = spanX * abs(cosine) + spanY * abs(sine), seenY = spanX * abs(sine) + spanY * abs(cosine)
        let needed = max(seenX / width, seenY / height, finestResolution?.unitsPerPixel ?? 0)
        guard let resolution = Resolution(unitsPerPixel: needed) else { throw .resolutionOutOfRange }
        return try Viewport(
            center: box.center, resolution: resolution, rotation: rotation, size: size, pixelRatio: pixelRatio, crs: crs
        )
    }

    /// Makes the viewport that shows `extent`, grown to the picture's aspect.
    public static func showing(
        _ extent: Extent, rotation: Double = 0, size: ImageSize, pixelRatio: Double = 1, crs: CRS = .webMercator
    ) throws(ViewportError) -> Viewport {
        try fitting(BoundingBox(extent), rotation: rotation, size: size, pixelRatio: pixelRatio, crs: crs)
    }
}
