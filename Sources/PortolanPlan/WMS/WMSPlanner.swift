import PortolanGeo
import PortolanRaster
import PortolanServices
package import PortolanWeb

/// The images of a map service that form a mosaic.
package struct WMSMosaic {
    /// The mosaic without its images.
    package let frame: Mosaic
    /// The images.
    package let images: [WMSImage]
    /// Whether the layers are only available in one size or extent, so that smaller pieces would not help.
    let isWhole: Bool
}

/// Decides which WMS images a view needs: one, or a few if the world repeats.
package struct WMSPlanner {
    let source: WMSSource
    let viewport: Viewport
    private let margin: Int

    /// Creates a planner for a view and a margin around it, in view pixels.
    package init(source: WMSSource, viewport: Viewport, margin: Int) {
        self.source = source
        self.viewport = viewport
        self.margin = margin
    }

    /// The images of a service that a view needs.
    package struct Planned {
        /// The images, one mosaic over the other; none if the view is outside the service's domain.
        package var mosaics: [WMSMosaic] = []
        /// Warnings for the user.
        package var warnings: [(code: MapWarning.Code, message: String)] = []
    }

    /// Plans the mosaics of the view.
    ///
    /// If the map's CRS is the service's and the view is not rotated, the requests match the picture pixel for pixel. A
    /// request beyond the service's limits is split: by size into adjacent images, and by the number of layers into
    /// mosaics one over the other.
    package func planned() throws(PlanError) -> Planned {
        guard let view = try ViewInSource(viewport: viewport, margin: Double(margin), sourceCRS: source.crs) else {
            return Planned(warnings: [(.blank, MapWarning.nothingToAsk(in: source.crs))])
        }
        let denominator = view.resolution.scaleDenominator(in: source.crs)
        // A service that understands the pixel ratio assumes the scale of the view.
        let (groups, warnings) = source.layers(at: [denominator * viewport.pixelRatio, denominator])
        var planned = Planned(warnings: warnings.map { (.outOfScale, $0) })
        if !source.limits.allowsTiles {
            for (index, layers) in groups.enumerated() {
                planned.mosaics += wholeMosaics(of: view, layers: layers, isUpper: index > 0)
            }
            return planned
        }
        let (extent, size, warning) = try frame(of: view)
        for (index, layers) in groups.enumerated() {
            planned.mosaics.append(mosaic(of: extent, size: size, layers: layers, isUpper: index > 0))
        }
        if let warning, !groups.isEmpty { planned.warnings.append((.sizeLimited, warning)) }
        return planned
    }

    private func mosaic(of extent: Extent, size: ImageSize, layers: [Int], isUpper: Bool) -> WMSMosaic {
        let resolutionX = extent.width / Double(size.width), resolutionY = extent.height / Double(size.height)
        var images: [WMSImage] = []
        let rows = worldRows(of: extent, height: size.height)
        let pieces = WMSPieces(source: source, layers: layers, isUpper: isUpper, pixelRatio: viewport.pixelRatio)
        for columns in worldColumns(of: extent, width: size.width) {
            var left = extent.minX + Double(columns.lowerBound) * resolutionX - columns.shift
            var right =
                columns.upperBound == size.width
                ? extent.maxX - columns.shift
                : extent.minX + Double(columns.upperBound) * resolutionX - columns.shift
            if let world = source.crs.worldExtent {
                // A box that extends beyond the end of the world, even by a fraction of a pixel, causes failures in
                // some servers, as do pixels that are not square. The box is moved instead, by at most half a pixel.
                if left < world.minX {
                    right += world.minX - left
                } else if right > world.maxX {
                    left -= right - world.maxX
                }
                left = max(left, world.minX)
                right = min(right, world.maxX)
            }
            let bottom =
                rows.upperBound == size.height ? extent.minY : extent.maxY - Double(rows.upperBound) * resolutionY
            guard
                let part = Extent(
                    minX: left, minY: bottom, maxX: right, maxY: extent.maxY - Double(rows.lowerBound) * resolutionY)
            else { continue }
            images += pieces.images(of: part, columns: columns.lowerBound..<columns.upperBound, rows: rows)
        }
        return WMSMosaic(
            frame: Mosaic(
                crs: source.crs, topLeft: Coordinate(x: extent.minX, y: extent.maxY), resolutionX: resolutionX,
                resolutionY: resolutionY, size: size, images: []),
            images: images, isWhole: false)
    }

    /// The requested extent and its size in pixels.
    private func frame(of view: ViewInSource) throws(PlanError) -> (Extent, ImageSize, warning: String?) {
        var extent = view.fetched
        var width = extent.width / view.resolution.unitsPerPixel
        var height = extent.height / view.resolution.unitsPerPixel
        if view.keepsCoordinates, viewport.rotation == 0 {
            // The same whole number of pixels on both sides keeps the picture's pixels aligned with those of the
            // request.
            let edge = 2 * (Double(margin) * viewport.pixelRatio).rounded()
            width = Double(viewport.imageSize.width) + edge
            height = Double(viewport.imageSize.height) + edge
            // Uses the picture's whole pixels, so that they match the request even if size × ratio is not a whole
            // number.
            let unit = viewport.imageResolution
            if let exact = Extent(center: viewport.center, width: width * unit, height: height * unit) {
                extent = exact
            }
        }
        var shrink = 1.0
        var warning: String?
        if WMSPieces.count(width: width, height: height, of: source) > WMSPieces.maximumCount {
            // If a picture needs too many pieces, it is requested at the size that the service draws, and enlarged.
            shrink = max(width / Double(source.maximumWidth), height / Double(source.maximumHeight), 1)
            warning = "the service draws at most \(source.maximumWidth)x\(source.maximumHeight) pixels; enlarged"
        }
        width = max((width / shrink).rounded(), 1)
        height = max((height / shrink).rounded(), 1)
        guard width <= Double(ImageSize.maximumSide), height <= Double(ImageSize.maximumSide),
            let size = ImageSize(width: Int(width), height: Int(height))
        else { throw .requestTooLarge }
        return (extent, size, warning)
    }

    /// The picture rows that are within the world.
    ///
    /// Beyond the poles services have no data, and some draw errors there.
    private func worldRows(of extent: Extent, height: Int) -> Range<Int> {
        guard let world = source.crs.worldExtent, extent.minY < world.minY || extent.maxY > world.maxY else {
            return 0..<height
        }
        let unit = extent.height / Double(height)
        let top = min(max(((extent.maxY - world.maxY) / unit).rounded(), 0), Double(height))
        let bottom = min(max(((extent.maxY - world.minY) / unit).rounded(), top), Double(height))
        return Int(top)..<Int(bottom)
    }

    private struct WorldColumns {
        var lowerBound: Int
        var upperBound: Int
        var shift: Double
    }

    /// The picture columns, split where a copy of the world ends, since servers draw nothing or wrong content beyond
    /// it.
    private func worldColumns(of extent: Extent, width: Int) -> [WorldColumns] {
        guard let world = source.crs.worldExtent, extent.minX < world.minX || extent.maxX > world.maxX else {
            return [WorldColumns(lowerBound: 0, upperBound: width, shift: 0)]
        }
        let unit = extent.width / Double(width)
        let columns = worldShifts(of: source.crs, in: extent).map { shift in
            WorldColumns(
                lowerBound: min(max(Int(((world.minX + shift - extent.minX) / unit).rounded()), 0), width),
                upperBound: min(max(Int(((world.maxX + shift - extent.minX) / unit).rounded()), 0), width),
                shift: shift)
        }
        return columns.filter { $0.lowerBound < $0.upperBound }
    }
}

extension WMSPlanner {
    /// Plans layers that are only available in one size or extent: as one image, which is resampled.
    ///
    /// Follows OGC 06-042 7.2.4.7.5 (`noSubsets`, `fixedWidth`, `fixedHeight`).
    func wholeMosaics(of view: ViewInSource, layers: [Int], isUpper: Bool) -> [WMSMosaic] {
        let limits = source.limits
        guard let whole = limits.wholeExtent else {
            return mosaic(of: grown(view.fetched, at: view.resolution), at: view, layers: layers, isUpper: isUpper)
                .map { [$0] } ?? []
        }
        return worldShifts(of: source.crs, in: view.fetched).compactMap { shift in
            guard whole.shifted(x: shift, y: 0)?.intersects(view.fetched) == true else { return nil }
            return mosaic(of: whole, at: view, layers: layers, isUpper: isUpper, shift: shift)
        }
    }

    /// The extent enlarged so that pixels of the fixed size are square.
    private func grown(_ extent: Extent, at resolution: Resolution) -> Extent {
        let width = Double(source.limits.fixedWidth ?? 0), height = Double(source.limits.fixedHeight ?? 0)
        let unit = max(
            width > 0 ? extent.width / width : resolution.unitsPerPixel,
            height > 0 ? extent.height / height : resolution.unitsPerPixel)
        return Extent(
            center: extent.center, width: width > 0 ? width * unit : extent.width,
            height: height > 0 ? height * unit : extent.height) ?? extent
    }

    private func mosaic(
        of extent: Extent, at view: ViewInSource, layers: [Int], isUpper: Bool, shift: Double = 0
    ) -> WMSMosaic? {
        let limits = source.limits
        var width = extent.width / view.resolution.unitsPerPixel
        var height = extent.height / view.resolution.unitsPerPixel
        let shrink = max(width / Double(source.maximumWidth), height / Double(source.maximumHeight), 1)
        width = limits.fixedWidth.map(Double.init) ?? max((width / shrink).rounded(), 1)
        height = limits.fixedHeight.map(Double.init) ?? max((height / shrink).rounded(), 1)
        guard width <= Double(ImageSize.maximumSide), height <= Double(ImageSize.maximumSide),
            let size = ImageSize(width: Int(width), height: Int(height))
        else { return nil }
        let asked = extent.roundedForRequest
        let image = WMSImage(
            url: source.url(
                extent: asked, size: size, layers: layers, isUpper: isUpper, pixelRatio: viewport.pixelRatio),
            extent: asked, requestSize: size, x: 0, y: 0, size: size, crop: nil)
        return WMSMosaic(
            frame: Mosaic(
                crs: source.crs, topLeft: Coordinate(x: extent.minX + shift, y: extent.maxY),
                resolutionX: extent.width / Double(size.width), resolutionY: extent.height / Double(size.height),
                size: size, images: []),
            images: [image], isWhole: true)
    }
}
