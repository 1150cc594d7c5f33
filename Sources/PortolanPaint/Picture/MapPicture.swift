package import PortolanPlan
package import PortolanRaster

/// A painted map, and what a person should know about it.
package struct MapPicture {
    /// The pixels.
    package let image: PixelBuffer
    /// What could not be painted as it should be.
    package let warnings: [MapWarning]
    /// Whether a legend is wanted and there is something to explain, but no room for it.
    package let lacksLegend: Bool
    /// What painted it and can paint it again into other targets.
    package let painter: MapPainter

    package init(image: PixelBuffer, warnings: [MapWarning], lacksLegend: Bool, painter: MapPainter) {
        self.painter = painter
        self.lacksLegend = lacksLegend
        self.image = image
        self.warnings = warnings
    }
}
