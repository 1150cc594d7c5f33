package import PortolanRaster

/// The stretchable parts of an image that is resized around a text (MapLibre Style Specification, Sprite).
package struct PictureStretch: Hashable, Sendable {
    /// The stretched columns in pixels of the image, ascending; empty for all columns.
    package let columns: [Range<Double>]
    /// The stretched rows in pixels of the image, ascending; empty for all rows.
    package let rows: [Range<Double>]
    /// The area for the text in pixels of the image, or `nil` for the whole image.
    package let content: Rectangle?

    /// Creates stretchable parts.
    package init(columns: [Range<Double>], rows: [Range<Double>], content: Rectangle?) {
        self.columns = columns
        self.rows = rows
        self.content = content
    }
}
