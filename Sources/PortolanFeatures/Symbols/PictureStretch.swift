package import PortolanRaster

/// The parts of a picture that alone are stretched when it is drawn larger around a text (MapLibre Style Specification, Sprite).
package struct PictureStretch: Hashable, Sendable {
    /// The columns that are stretched, in pixels of the picture, ascending; none for all of them.
    package let columns: [Range<Double>]
    /// The rows that are stretched, in pixels of the picture, ascending; none for all of them.
    package let rows: [Range<Double>]
    /// The part that a text fills, in pixels of the picture, or `nil` for the whole.
    package let content: Rectangle?

    /// Makes parts.
    package init(columns: [Range<Double>], rows: [Range<Double>], content: Rectangle?) {
        self.columns = columns
        self.rows = rows
        self.content = content
    }
}
