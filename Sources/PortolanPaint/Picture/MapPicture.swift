import PortolanPlan
package import PortolanRaster
package import PortolanWeb

/// A painted map with its warnings.
package struct MapPicture: Sendable {
    /// The pixels, or the means to paint them.
    package enum Content: Sendable {
        /// The pixels with and without furniture.
        case pixels(PixelBuffer, ground: PixelBuffer)
        /// A picture that is painted on demand, some rows at a time.
        case bands(BandedPicture)
    }

    /// The pixels, or the means to paint them.
    package let content: Content
    /// Warnings about content that is not drawn as stated.
    package let warnings: [MapWarning]
    /// Whether nothing is missing: a requested legend has room, and no label was omitted because of the memory limit.
    package let isComplete: Bool
    /// The label losses, by layer name.
    package let labelLosses: [String: LabelLosses]
    /// The placed texts and icons of style sheets, the topmost last.
    package let symbols: [PlacedSymbol]
    /// The painter, which can paint the picture again into other targets.
    package let painter: MapPainter
    /// The page around the map, or `nil` for the map alone.
    package let page: PaintedPage?

    init(
        _ content: Content, _ labels: PlacedLabels, _ finding: (warnings: [MapWarning], lacksLegend: Bool),
        _ painter: MapPainter, page: PaintedPage?
    ) {
        self.page = page
        self.content = content
        warnings = labels.warnings + finding.warnings
        isComplete = labels.areComplete && !finding.lacksLegend
        symbols = labels.symbols
        labelLosses = labels.losses
        self.painter = painter
    }

    /// The pixels.
    ///
    /// - Complexity: O(1), or that of painting for a picture in bands.
    package var image: PixelBuffer {
        switch content {
        case .pixels(let image, _): image
        case .bands(let bands): bands.pixels(hasFurniture: true)
        }
    }

    /// The pixels without furniture.
    ///
    /// - Complexity: O(1), or that of painting for a picture in bands.
    package var ground: PixelBuffer {
        switch content {
        case .pixels(_, let ground): ground
        case .bands(let bands): bands.pixels(hasFurniture: false)
        }
    }
}
