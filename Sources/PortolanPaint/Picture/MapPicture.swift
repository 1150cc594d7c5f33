package import PortolanRaster

/// A painted map, and what a person should know about it.
package struct MapPicture {
    /// The pixels.
    package let image: PixelBuffer
    /// What could not be painted as it should be, a sentence each.
    package let warnings: [String]
    /// Whether a legend is wanted and there is something to explain, but no room for it.
    package let lacksLegend: Bool

    package init(image: PixelBuffer, warnings: [String], lacksLegend: Bool = false) {
        self.lacksLegend = lacksLegend
        self.image = image
        self.warnings = warnings
    }
}
