public import PortolanRaster
public import PortolanTransit

extension TransitMode {
    /// The colour for lines without their own one.
    public var color: MapColor {
        switch self {
        case .tram: MapColor(red: 0xE3, green: 0x36, blue: 0x99)
        case .bus: MapColor(red: 0x1C, green: 0x8F, blue: 0x58)
        case .subway: MapColor(red: 0xD9, green: 0x5B, blue: 0x00)
        case .rail: MapColor(red: 0x7B, green: 0x3F, blue: 0x98)
        case .ferry: MapColor(red: 0x00, green: 0x76, blue: 0xA8)
        case .trolleybus: MapColor(red: 0x00, green: 0x7A, blue: 0x7A)
        case .coach: MapColor(red: 0x4E, green: 0x6B, blue: 0x1E)
        case .monorail: MapColor(red: 0x9A, green: 0x4A, blue: 0x1E)
        case .cableTram, .funicular: MapColor(red: 0x9C, green: 0x2F, blue: 0x2F)
        case .aerialLift: MapColor(red: 0x2B, green: 0x4C, blue: 0x9B)
        case .air: MapColor(red: 0x35, green: 0x5E, blue: 0x9E)
        case .taxi: MapColor(red: 0xE8, green: 0xB0, blue: 0x00)
        case .other: MapColor(red: 0x4B, green: 0x55, blue: 0x63)
        }
    }

    /// The name of the symbol (``/PortolanFeatures/PinSymbol``).
    var sign: String {
        switch self {
        case .tram, .cableTram, .funicular: "tram"
        case .bus: "bus"
        case .coach: "coach"
        case .subway, .monorail: "m"
        case .rail: "rail"
        case .ferry: "ship"
        case .trolleybus: "trolleybus"
        case .aerialLift: "cable-car"
        case .air: "airport"
        case .taxi: "t"
        case .other: "circle"
        }
    }
}

extension Timetable.Line {
    /// The colour of the line, or that of its mode.
    public var drawnColor: MapColor { color.map(MapColor.init(rgb:)) ?? mode.color }
}

extension MapColor {
    /// Creates a colour from 0xRRGGBB.
    init(rgb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: rgb >> 16), green: UInt8(truncatingIfNeeded: rgb >> 8),
            blue: UInt8(truncatingIfNeeded: rgb))
    }
}
