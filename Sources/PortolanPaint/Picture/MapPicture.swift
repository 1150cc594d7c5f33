import PortolanPlan
package import PortolanRaster
package import PortolanWeb

/// A painted map, and what a person should know about it.
package struct MapPicture: Sendable {
    /// The pixels, or how they are painted.
    package enum Content: Sendable {
        /// The pixels, and those without furniture.
        case pixels(PixelBuffer, ground: PixelBuffer)
        /// The picture is painted when its pixels are wanted, some rows at a time.
        case bands(BandedPicture)
    }

    /// The pixels, or how they are painted.
    package let content: Content
    /// What could not be painted as it should be.
    package let warnings: [MapWarning]
    /// Whether nothing is missing: a wanted legend has room, and no label was left out for want of memory.
    package let isComplete: Bool
    /// How many labels are not drawn, by the names of their layers.
    package let labelLosses: [String: LabelLosses]
    /// The texts and icons of styles that have got a place, the topmost last.
    package let symbols: [PlacedSymbol]
    /// What painted it and can paint it again into other targets.
    package let painter: MapPainter

    init(
        _ content: Content, _ labels: PlacedLabels, _ finding: (warnings: [MapWarning], lacksLegend: Bool),
        _ painter: MapPainter
    ) {
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
