import PortolanRaster

/// The colours of furniture.
enum FurnitureColors {
    /// Letters and lines.
    static let ink = Color(red: 38, green: 42, blue: 48)
    /// Letters of less weight.
    static let faintInk = Color(red: 92, green: 99, blue: 108)
    /// What sets letters and lines off from the map.
    static let halo = Color(red: 255, green: 255, blue: 255, alpha: 225)
    /// The lines of a graticule.
    static let graticule = Color(red: 40, green: 60, blue: 90, alpha: 110)
}
