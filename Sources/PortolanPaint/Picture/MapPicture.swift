package import PortolanRaster

/// A painted map, and what a person should know about it.
package struct MapPicture {
    /// The pixels.
    package let image: PixelBuffer
    /// What could not be painted as it should be, a sentence each.
    package let warnings: [String]

    package init(image: PixelBuffer, warnings: [String]) {
        self.image = image
        self.warnings = warnings
    }
}
