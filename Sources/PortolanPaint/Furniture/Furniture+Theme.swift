public import PortolanRaster

extension Furniture {
    /// The colours of what stands on a picture beside the map: title, legend, scale bar, attribution, panels and bars.
    public struct Theme: Hashable, Sendable {
        /// Letters and lines.
        public var ink: MapColor
        /// Letters of less weight.
        public var faintInk: MapColor
        /// The ground of panels.
        public var panel: MapColor

        /// Makes a theme of two colours; letters of less weight lie between them.
        public init(ink: MapColor, panel: MapColor) {
            self.ink = ink
            self.panel = panel
            func mixed(_ from: UInt8, _ to: UInt8) -> UInt8 {
                UInt8((Double(from) * 0.72 + Double(to) * 0.28).rounded())
            }
            faintInk = MapColor(
                red: mixed(ink.red, panel.red), green: mixed(ink.green, panel.green), blue: mixed(ink.blue, panel.blue))
        }

        /// Dark letters on white.
        public static let light: Furniture.Theme = {
            var theme = Furniture.Theme(ink: MapColor(red: 38, green: 42, blue: 48), panel: .white)
            theme.faintInk = MapColor(red: 92, green: 99, blue: 108)
            return theme
        }()

        /// Light letters on a dark grey.
        public static let dark = Furniture.Theme(
            ink: MapColor(red: 236, green: 239, blue: 242), panel: MapColor(red: 32, green: 36, blue: 42))

        /// The theme for a map on a ground: the dark one where the ground is dark.
        public static func matching(_ ground: MapColor) -> Furniture.Theme {
            let luminance = 299 * Int(ground.red) + 587 * Int(ground.green) + 114 * Int(ground.blue)
            return ground.alpha > 127 && luminance < 96_000 ? .dark : .light
        }

        /// What sets letters and lines off from the map.
        var halo: MapColor { panel.withOpacity(225 / 255) }
        /// The ground of an attribution, which the map shows through.
        var glass: MapColor { panel.withOpacity(216 / 255) }
        /// The ground of titles and bars.
        var paper: MapColor { panel.withOpacity(240 / 255) }
        /// A border or a rule, of some opacity of 255.
        func rule(_ alpha: Double) -> MapColor {
            (panel.isLight ? MapColor(red: 0, green: 0, blue: 0) : ink).withOpacity(alpha / 255)
        }
        /// The lines of a graticule.
        var graticule: MapColor {
            panel.isLight ? MapColor(red: 40, green: 60, blue: 90, alpha: 110) : ink.withOpacity(110 / 255)
        }
    }
}
