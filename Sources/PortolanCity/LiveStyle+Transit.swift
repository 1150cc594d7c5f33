public import Portolan
import PortolanFeatures
import PortolanRaster
import PortolanTransit

extension LiveStyle {
    /// How vehicles look: a disc with the sign of what runs, a beak where it heads, and the line in a plate below it, after
    /// Mobitransit's markers.
    ///
    /// What runs is told by the sign and the line by its name: never by colour alone.
    public static let transit: LiveStyle = {
        var style = LiveStyle(badge: badge(of: .other), label: plate)
        for mode in TransitMode.allCases { style.badges[mode.rawValue] = badge(of: mode) }
        style.selectedLabel = "${label}${late} · ${age}"
        return style
    }()

    private static func badge(of mode: TransitMode) -> Badge {
        Badge(color: mode.color, symbol: PinSymbol(mode.sign), radius: 12)
    }

    /// The plate with the line, below the disc and its beak.
    private static let plate: LabelSymbol = {
        var plate = LabelSymbol(
            template: "${label}${late}", color: .white, size: 12, weight: 700, horizontalAlignment: .center,
            verticalAlignment: .top, offsetY: 25,
            background: LabelSymbol.Background(
                color: TransitMode.other.color, padding: 3, cornerRadius: 5,
                border: LabelSymbol.Outline(color: .white, width: 1.5)))
        plate.placement = .fixed
        // Below, and where that is taken beside or above.
        plate.anchors = [
            .init(horizontal: .center, vertical: .top, offsetX: 0, offsetY: 25),
            .init(horizontal: .left, vertical: .middle, offsetX: 25, offsetY: 0),
            .init(horizontal: .right, vertical: .middle, offsetX: -25, offsetY: 0),
            .init(horizontal: .center, vertical: .bottom, offsetX: 0, offsetY: -25),
        ]
        return plate
    }()
}

extension LiveLayer {
    /// A layer for vehicles.
    public static func vehicles(style: LiveStyle = .transit) -> LiveLayer {
        var settings = Settings()
        settings.goneAge = .seconds(900)
        return LiveLayer(style: style, settings: settings)
    }
}
