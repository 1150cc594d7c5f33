public import PortolanRaster

extension Furniture {
    /// The colours of the elements beside the map: title, legend, scale bar, attribution, panels and bars.
    public struct Theme: Hashable, Sendable {
        /// The colour of text and lines.
        public var ink: MapColor
        /// The colour of secondary text.
        public var faintInk: MapColor
        /// The background of panels.
        public var panel: MapColor

        /// Creates a theme from two colours.
        ///
        /// Secondary text has a colour between them.
        public init(ink: MapColor, panel: MapColor) {
            self.ink = ink
            self.panel = panel
            func mixed(_ from: UInt8, _ to: UInt8) -> UInt8 {
                UInt8((Double(from) * 0.72 + Double(to) * 0.28).rounded())
            }
            faintInk = MapColor(
                red: mixed(ink.red, panel.red), green: mixed(ink.green, panel.green), blue: mixed(ink.blue, panel.blue))
        }

        /// Dark text on white.
        public static let light: Furniture.Theme = {
            var theme = Furniture.Theme(ink: MapColor(red: 38, green: 42, blue: 48), panel: .white)
            theme.faintInk = MapColor(red: 92, green: 99, blue: 108)
            return theme
        }()

        /// Light text on dark grey.
        public static let dark = Furniture.Theme(
            ink: MapColor(red: 236, green: 239, blue: 242), panel: MapColor(red: 32, green: 36, blue: 42))

        /// Returns the theme for a map background: the dark one for a dark background.
        public static func matching(_ ground: MapColor) -> Furniture.Theme {
            let luminance = 299 * Int(ground.red) + 587 * Int(ground.green) + 114 * Int(ground.blue)
            return ground.alpha > 127 && luminance < 96_000 ? .dark : .light
        }

        /// The halo that separates text and lines from the map.
        var halo: MapColor { panel.withOpacity(225 / 255) }
        /// The background of titles and bars.
        var paper: MapColor { panel.withOpacity(240 / 255) }
        /// Returns the colour of a border or a rule, with an opacity out of 255.
        func rule(_ alpha: Double) -> MapColor {
            (panel.isLight ? MapColor(red: 0, green: 0, blue: 0) : ink).withOpacity(alpha / 255)
        }
        /// The colour of the edge of the map's world.
        var outline: MapColor { ink.withOpacity(200 / 255) }
        /// The colour of graticule lines.
        var graticule: MapColor {
            panel.isLight ? MapColor(red: 40, green: 60, blue: 90, alpha: 110) : ink.withOpacity(110 / 255)
        }
    }
}
