public import PortolanGeo
public import PortolanRaster

extension Viewport {
    /// Returns the view with some of its values changed.
    public func with(
        center: Coordinate? = nil, resolution: Resolution? = nil, rotation: Double? = nil, size: ImageSize? = nil,
        pixelRatio: Double? = nil
    ) throws(Viewport.InvalidError) -> Viewport {
        try Viewport(
            center: center ?? self.center, resolution: resolution ?? self.resolution,
            rotation: rotation ?? self.rotation, size: size ?? self.size, pixelRatio: pixelRatio ?? self.pixelRatio,
            crs: crs)
    }

    /// Returns the view zoomed by `factor` (2 halves the visible extent in each direction) about a view pixel, whose
    /// coordinate stays fixed.
    public func zoomed(by factor: Double, about pixel: Point? = nil) throws(Viewport.InvalidError) -> Viewport {
        guard let resolution = Resolution(unitsPerPixel: resolution.unitsPerPixel / factor) else {
            throw .resolutionOutOfRange
        }
        guard let pixel else { return try with(resolution: resolution) }
        let fixed = coordinate(at: pixel)
        let ratio = resolution.unitsPerPixel / self.resolution.unitsPerPixel
        return try with(
            center: Coordinate(x: fixed.x + (center.x - fixed.x) * ratio, y: fixed.y + (center.y - fixed.y) * ratio),
            resolution: resolution)
    }

    /// Returns the view after dragging its picture by view pixels to the right and down, which reveals the area at the
    /// left and top.
    public func panned(x: Double, y: Double) throws(Viewport.InvalidError) -> Viewport {
        let middle = Point(x: Double(size.width) / 2 - x, y: Double(size.height) / 2 - y)
        return try with(center: coordinate(at: middle))
    }

    /// Returns the view widened by view pixels at some sides.
    ///
    /// The previous extent keeps its position.
    ///
    /// Content fitted to the smaller view thus avoids panels on these sides.
    package func widened(left: Int = 0, top: Int = 0, right: Int = 0) throws(Viewport.InvalidError) -> Viewport {
        guard left > 0 || top > 0 || right > 0 else { return self }
        guard let wide = ImageSize(width: size.width + left + right, height: size.height + top) else {
            throw .pictureTooLarge(width: size.width, height: size.height, pixelRatio: pixelRatio)
        }
        return try Viewport(
            center: center, resolution: resolution, rotation: rotation, size: wide, pixelRatio: pixelRatio, crs: crs
        ).panned(x: Double(left - right) / 2, y: Double(top) / 2)
    }

    /// Returns the view moved, and zoomed in if necessary, so that nothing outside `limit` is visible.
    ///
    /// For a rotated view, the smallest upright extent around it is used.
    public func clamped(to limit: Extent) throws(Viewport.InvalidError) -> Viewport {
        let seen = extent
        let shrink = max(seen.width / limit.width, seen.height / limit.height, 1)
        guard let resolution = Resolution(unitsPerPixel: resolution.unitsPerPixel / shrink) else {
            throw .resolutionOutOfRange
        }
        let halfX = seen.width / shrink / 2, halfY = seen.height / shrink / 2
        func clamp(_ value: Double, _ low: Double, _ high: Double) -> Double {
            low <= high ? min(max(value, low), high) : (low + high) / 2
        }
        return try with(
            center: Coordinate(
                x: clamp(center.x, limit.minX + halfX, limit.maxX - halfX),
                y: clamp(center.y, limit.minY + halfY, limit.maxY - halfY)),
            resolution: resolution)
    }

    /// Returns the view at the nearest grid level by ratio, with its pixels aligned to the grid, so that tiles are
    /// copied without resampling.
    ///
    /// The centre moves by at most half a picture pixel. A view in another CRS than the grid's, or a rotated view, is
    /// returned unchanged.
    public func snapped(to grid: TileGrid) throws(Viewport.InvalidError) -> Viewport {
        guard grid.crs == crs, rotation == 0, let wanted = Resolution(unitsPerPixel: imageResolution) else {
            return self
        }
        let matrix = grid.matrices[grid.level(nearest: wanted)]
        let unit = matrix.resolution.unitsPerPixel
        guard let resolution = Resolution(unitsPerPixel: unit * pixelRatio) else { throw .resolutionOutOfRange }
        func snap(_ value: Double, pixels: Int, from origin: Double) -> Double {
            let half = Double(pixels) / 2
            return origin + (((value - origin) / unit - half).rounded() + half) * unit
        }
        return try with(
            center: Coordinate(
                x: snap(center.x, pixels: imageSize.width, from: matrix.origin.x),
                y: snap(center.y, pixels: imageSize.height, from: matrix.origin.y)),
            resolution: resolution)
    }

    /// Returns the distance of a coordinate from the middle of the view, in view pixels to the right and down.
    package func way(to coordinate: Coordinate) -> (x: Double, y: Double) {
        let place = pixel(of: coordinate)
        return (place.x - Double(size.width) / 2, place.y - Double(size.height) / 2)
    }

    /// Returns the view moved by at most half a picture pixel, so that its offset from another view of the same
    /// resolution and rotation is a whole number of picture pixels.
    ///
    /// It is unchanged if they differ in more than their centres.
    package func aligned(with other: Viewport) -> Viewport {
        guard other.resolution == resolution, other.rotation == rotation, other.size == size,
            other.pixelRatio == pixelRatio, other.crs == crs, other.center != center
        else { return self }
        let way = other.way(to: center)
        func aligned(_ way: Double, _ side: Int) -> Double {
            Double(side) / 2 + (way * pixelRatio).rounded() / pixelRatio
        }
        let wanted = Point(x: aligned(way.x, size.width), y: aligned(way.y, size.height))
        return (try? with(center: other.coordinate(at: wanted))) ?? self
    }

    /// Returns the part of the view within `reach` view pixels of a pixel, or `nil` if it is outside.
    package func around(_ pixel: Point, reach: Double) -> Viewport? {
        let side = (2 * min(max(reach, 0.5), 4096)).rounded(.up)
        guard pixel.x.isFinite, pixel.y.isFinite, let size = ImageSize(width: Int(side), height: Int(side)) else {
            return nil
        }
        return try? with(center: coordinate(at: pixel), size: size)
    }
}

extension Viewport {
    /// Creates the viewport that shows all of `box` as large as possible.
    ///
    /// - Parameters:
    ///   - box: in units of `crs`; it may be flat, as the box of one point is.
    ///   - padding: the free view pixels on each side.
    ///   - foot: the view pixels at the bottom that another element covers, such as a bar; at most half of the picture.
    ///   - finestResolution: the finest resolution; a flat box needs one.
    /// - Throws: ``Viewport/InvalidError/paddingTooLarge(_:)`` and the errors of the initialiser.
    public static func fitting(
        _ box: BoundingBox, padding: Double = 0, foot: Double = 0, finestResolution: Resolution? = nil,
        rotation: Double = 0, size: ImageSize, pixelRatio: Double = 1, crs: CRS = .webMercator
    ) throws(Viewport.InvalidError) -> Viewport {
        let foot = min(max(foot, 0), Double(size.height) / 2)
        let width = Double(size.width) - 2 * padding, height = Double(size.height) - 2 * padding - foot
        guard padding >= 0, width >= 1, height >= 1 else { throw .paddingTooLarge(padding) }
        guard rotation.isFinite else { throw .rotationNotFinite }
        let (cosine, sine) = Bearing.axes(degrees: bearing(rotation))
        let spanX = box.maxX - box.minX, spanY = box.maxY - box.minY
        let seenX = spanX * abs(cosine) + spanY * abs(sine), seenY = spanX * abs(sine) + spanY * abs(cosine)
        let needed = max(seenX / width, seenY / height, finestResolution?.unitsPerPixel ?? 0)
        guard let resolution = Resolution(unitsPerPixel: needed) else { throw .resolutionOutOfRange }
        let viewport = try Viewport(
            center: box.center, resolution: resolution, rotation: rotation, size: size, pixelRatio: pixelRatio, crs: crs
        )
        return foot > 0 ? try viewport.panned(x: 0, y: -foot / 2) : viewport
    }

    /// Creates the viewport that shows `extent`, enlarged to the picture's aspect ratio.
    public static func showing(
        _ extent: Extent, rotation: Double = 0, size: ImageSize, pixelRatio: Double = 1, crs: CRS = .webMercator
    ) throws(Viewport.InvalidError) -> Viewport {
        try fitting(BoundingBox(extent), rotation: rotation, size: size, pixelRatio: pixelRatio, crs: crs)
    }
}
