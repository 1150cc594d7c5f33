public import Portolan
import PortolanFeatures
import PortolanRaster
import PortolanTransit

extension LiveLayer.Appearance {
    /// The style of vehicles: a disc with the symbol of the mode, a pointer in the direction of travel, and a plate
    /// with the line below.
    ///
    /// The mode is shown by the symbol and the line by its name, never by colour alone.
    public static let transit: LiveLayer.Appearance = {
        var style = LiveLayer.Appearance(badge: badge(of: .other), label: plate)
        for mode in TransitMode.allCases { style.badges[mode.rawValue] = badge(of: mode) }
        style.selectedLabel = "${label}${late} · ${age}"
        return style
    }()

    private static func badge(of mode: TransitMode) -> Badge {
        Badge(color: mode.color, symbol: PinSymbol(mode.sign), radius: 12)
    }

    /// The plate with the line, below the disc and its pointer.
    private static let plate: LabelSymbol = {
        var plate = LabelSymbol(
            template: "${label}${late}", color: .white, size: 12, weight: 700, horizontalAlignment: .center,
            verticalAlignment: .top, offsetY: 25,
            background: LabelSymbol.Background(
                color: TransitMode.other.color, padding: 3, cornerRadius: 5,
                border: LabelSymbol.Outline(color: .white, width: 1.5)))
        plate.placement = .fixed
        // The preferred position is below the disc, then beside and above it.
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
    /// Creates a layer for vehicles.
    public static func vehicles(style: LiveLayer.Appearance = .transit) -> LiveLayer {
        var settings = Settings()
        settings.goneAge = .seconds(900)
        return LiveLayer(style: style, settings: settings)
    }
}
