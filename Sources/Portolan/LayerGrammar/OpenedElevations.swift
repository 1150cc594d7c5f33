package import PortolanFeatures
package import PortolanPlan
package import PortolanWeb

/// A source of elevations that was opened.
package struct OpenedElevations: Sendable {
    /// The tiles.
    package var tiles: TileSource
    /// The form in which they hold elevations.
    package var encoding: ElevationEncoding
    /// The attribution, or `nil`.
    package var attribution: String?
    /// The part of the earth with elevations, or `nil` if it is not known.
    package var bounds: LayerBounds?
    /// Warnings about the source.
    package var warnings: [MapWarning] = []
}
