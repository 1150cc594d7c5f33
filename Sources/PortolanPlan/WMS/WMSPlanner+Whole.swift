import PortolanGeo
import PortolanRaster
import PortolanServices

extension WMSPlanner {
    /// The mosaics of layers that can be had in one size or one extent only: one image, which is resampled.
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

    /// The extent as it must be so that pixels of the fixed size are square.
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
