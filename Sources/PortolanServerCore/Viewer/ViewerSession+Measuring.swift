import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanPlan

/// A command for the measuring tool.
enum MeasuringCommand: Hashable, Sendable {
    /// Starts or continues measuring a line or an area: taps add points.
    case begin(MeasuringTool.Mode)
    /// Undoes the last change.
    case undo
    /// Redoes the last undone change.
    case redo
    /// Removes all points.
    case clear
    /// Ends measuring, so that taps select again.
    case end

    /// Parses the word of a page.
    ///
    /// - Throws: ``Problem`` for an unknown word.
    init(_ word: String) throws(Problem) {
        switch word {
        case "length": self = .begin(.length)
        case "area": self = .begin(.area)
        case "undo": self = .undo
        case "redo": self = .redo
        case "clear": self = .clear
        case "end": self = .end
        default:
            throw Problem(
                .badRequest, "unknown measuring command; use length, area, undo, redo, clear or end", key: "step")
        }
    }
}

extension ViewerSession {
    /// The name of the measurement layer.
    static let measurementLayer = "measurement"

    /// Performs a command for the measuring tool.
    func measure(_ command: MeasuringCommand) throws {
        var measuring = tool.measuring ?? MeasuringTool()
        switch command {
        case .begin(let mode): measuring.mode = mode
        case .undo: measuring.undo()
        case .redo: measuring.redo()
        case .clear: measuring.removeAll()
        case .end:
            use(.selecting)
            _ = facade.removeLayer(named: Self.measurementLayer)
            return
        }
        use(.measuring(measuring))
        try showMeasurement(measuring)
    }

    /// Adds a coordinate in degrees to the measurement.
    func addMeasured(_ place: Coordinate, to measuring: MeasuringTool) throws {
        var measuring = measuring
        guard measuring.add(place) else {
            tell("A measurement can have at most \(MeasuringTool.maximumPlaceCount) points.")
            return
        }
        use(.measuring(measuring))
        try showMeasurement(measuring)
    }

    private func showMeasurement(_ measuring: MeasuringTool) throws {
        try facade.add(
            .measurement(measuring, named: Self.measurementLayer),
            replacing: facade.layer(named: Self.measurementLayer) != nil)
    }

    /// Returns the measurement state for the page.
    static func told(_ measuring: MeasuringTool) -> Properties {
        let segments = measuring.segments
        var members: Properties = [
            "mode": .string(measuring.mode == .area ? "area" : "length"), "places": .integer(measuring.places.count),
            "text": .string(measuring.text), "canUndo": .bool(measuring.canUndo), "canRedo": .bool(measuring.canRedo),
            "ways": .array(
                segments.suffix(100).map { segment in
                    .array([
                        .string(MeasuringTool.text(meters: segment.meters)),
                        .integer((Int(segment.bearing.rounded()) % 360 + 360) % 360),
                    ])
                }),
        ]
        if measuring.mode == .area, measuring.places.count > 2 {
            members["around"] = .string(MeasuringTool.text(meters: measuring.meters))
        }
        return members
    }
}
