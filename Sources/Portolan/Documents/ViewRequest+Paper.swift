import PortolanGeo
package import PortolanPaint
import PortolanPlan
package import PortolanRaster

// Pictures on paper, and what stands around a map.
extension ViewRequest {
    private static let defaultDotsPerInch = 300.0
    private static let defaultMargin = 10.0
    private static let densities = 36.0...1200.0

    /// Picture pixels per view pixel.
    var ratio: Double {
        paper == nil ? pixelRatio ?? 1 : (dotsPerInch ?? Self.defaultDotsPerInch) / 96
    }

    /// The page around the map, or `nil` for a map without margins.
    package var page: PrintPage? {
        guard paper != nil || surroundings != nil else { return nil }
        var page = surroundings ?? PrintPage()
        page.paper = isLandscape ? paper?.landscape : paper
        page.margin = paper == nil ? 0 : (margin ?? Self.defaultMargin) * PrintPage.pixelsPerMillimeter
        return page
    }

    /// The size of the map in view pixels: the stated one, or what its margins leave; `nil` for the default.
    var mapSize: ImageSize? {
        guard let page else { return size }
        guard let paper = page.paper else {
            let whole = size ?? Self.defaultSize
            return page.mapSize(width: Double(whole.width), height: Double(whole.height))
        }
        return page.mapSize(
            width: paper.width * PrintPage.pixelsPerMillimeter, height: paper.height * PrintPage.pixelsPerMillimeter)
    }

    /// Sets the size of a picture without paper, such as that of a screen.
    package mutating func setSize(_ size: ImageSize?, pixelRatio: Double?) {
        if paper != nil {
            paper = nil
            isLandscape = false
            dotsPerInch = nil
            margin = nil
            // Only on paper has an extent a scale.
            if center == nil { scaleDenominator = nil }
        }
        self.size = size
        self.pixelRatio = pixelRatio
    }

    /// Validates paper, density and margin.
    func checkPage() throws(ViewRequestError) {
        guard let paper else {
            for (key, isSet) in [
                (Key.dotsPerInch, dotsPerInch != nil), (.margin, margin != nil), (.landscape, isLandscape),
            ] where isSet { throw .needsPaper(key) }
            if page != nil, mapSize == nil { throw .noRoom }
            return
        }
        if size != nil { throw .withPaper(.size) }
        if pixelRatio != nil { throw .withPaper(.pixelRatio) }
        if let dotsPerInch, !Self.densities.contains(dotsPerInch) { throw .outOfRange(.dotsPerInch, dotsPerInch) }
        if let margin, !(margin >= 0 && margin.isFinite) { throw .outOfRange(.margin, margin) }
        if scaleDenominator != nil, zoom != nil || resolution != nil { throw .severalScales }
        let density = dotsPerInch ?? Self.defaultDotsPerInch
        guard paper.pixels(dotsPerInch: density) != nil else { throw .paperTooLarge(paper, dotsPerInch: density) }
        guard mapSize != nil else { throw .noRoom }
    }

    /// Returns the view at the requested scale on the ground, which paper has at its centre.
    func onGround(_ view: Viewport) throws(ViewRequestError) -> Viewport {
        guard paper != nil, let scaleDenominator else { return view }
        let wanted = scaleDenominator * 0.0254 / 96 / view.pixelRatio
        var view = view
        // The scale of a projection hardly depends on the size of a pixel, so that few steps suffice.
        for _ in 0..<4 {
            guard let meters = view.metersPerImagePixel else { throw .noGroundScale(view.crs) }
            guard let resolution = Resolution(unitsPerPixel: view.resolution.unitsPerPixel * wanted / meters) else {
                throw .outOfRange(.scale, scaleDenominator)
            }
            do {
                view = try Viewport(
                    center: view.center, resolution: resolution, rotation: view.rotation, size: view.size,
                    pixelRatio: view.pixelRatio, crs: view.crs)
            } catch { throw .view(error) }
        }
        return view
    }
}
