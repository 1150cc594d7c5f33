/// A part of a line that may be set by itself, such as a letter with its marks.
package struct GlyphCluster: Hashable, Sendable {
    /// Which elements of the line's outline draw it; none for a space.
    package let elements: Range<Int>
    /// Where the part begins on the baseline, in pixels.
    package let x: Double
    /// How far the baseline runs on under it, in pixels; never negative.
    package let advance: Double
}
