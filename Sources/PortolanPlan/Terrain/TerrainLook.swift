package import PortolanFeatures

/// How elevations are drawn.
package enum TerrainLook: Hashable, Sendable {
    /// Shaded relief.
    case hillshade(Hillshade, TerrainGradient.Formula, factor: Double)
    /// Shaded relief of a style.
    case styleShade(ReliefLight)
    /// Colours of elevations.
    case colorRelief(ElevationRamp)
    /// Colours of slopes, in degrees or per cent.
    case slope(ElevationRamp, TerrainGradient.Formula, factor: Double, isPercent: Bool)
    /// Colours of the directions in which the ground falls; level ground is clear.
    case aspect(ElevationRamp, TerrainGradient.Formula)
    /// Lines of equal elevation.
    indirect case contours(ContourLook)

    /// Whether labels collide.
    var placesLabels: Bool {
        if case .contours(let look) = self { look.index.label != nil } else { false }
    }
}
