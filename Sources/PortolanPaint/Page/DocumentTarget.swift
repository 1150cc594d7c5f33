package import PortolanRaster

/// A target that writes documents, in which a map can have a place on a page.
package protocol DocumentTarget: PaintTarget {
    /// Paints the map of a page, clipped, with its top left pixel as the origin.
    mutating func place<E: Error>(_ layout: PageLayout, _ body: (inout Self) throws(E) -> Void) throws(E)
}
