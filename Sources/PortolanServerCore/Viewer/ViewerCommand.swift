import PortolanFeatures
import PortolanGeo
import PortolanRaster

/// A command from a button, list or URL of the viewer page.
///
/// ```json
/// {"do": "layer", "name": "roads", "opacity": 0.5}
/// ```
enum ViewerCommand: Hashable, Sendable {
    /// Returns to the previous view.
    case back
    /// Returns to the view before the last `back`.
    case forward
    /// Clears the selection.
    case deselect
    /// Selects a feature of a layer.
    case select(Feature.ID)
    /// Changes a layer; `nil` values stay unchanged.
    case layer(String, isVisible: Bool?, opacity: Double?, isMovedUp: Bool?)
    /// Removes a layer.
    case remove(String)
    /// Shows a coordinate in degrees at a zoom level, with or without a flight.
    case show(Coordinate, zoom: Double?, bearing: Double?, isFlown: Bool)
    /// Sets the picture size in view pixels.
    case resize(ImageSize)
    /// Sets the user's position, its accuracy in metres, and its course in degrees.
    case position(Coordinate, accuracy: Double?, course: Double?)
    /// Starts or stops following the position.
    case follow(Bool)
    /// Removes the position.
    case stopPosition
    /// Starts or stops a simulated trip along a line.
    case simulate(Bool)
    /// Shows a route of the server's route book.
    case route(String)
    /// Changes the measurement.
    case measure(MeasuringCommand)
    /// Changes the planned route.
    case plan(PlanningCommand)
    /// Changes the public transport display.
    case transit(CityCommand)

    /// Parses a command.
    ///
    /// - Throws: ``Problem`` with the key.
    init(_ body: [UInt8]) throws(Problem) {
        let reader = try ViewerReader(body), word = try reader.text("do")
        func optional(_ key: String, in range: ClosedRange<Double>) throws(Problem) -> Double? {
            reader.members[key] == nil ? nil : try reader.number(key, in: range)
        }
        switch word {
        case "back": self = .back
        case "forward": self = .forward
        case "deselect": self = .deselect
        case "select":
            guard let id = reader.members["id"].flatMap({ Feature.ID($0) }) else {
                throw Problem(.badRequest, "'id' must be a string or a number", key: "id")
            }
            self = .select(id)
        case "layer":
            self = .layer(
                try reader.text("name"), isVisible: try reader.truth("visible"),
                opacity: try optional("opacity", in: 0...1), isMovedUp: try reader.truth("up"))
        case "remove": self = .remove(try reader.text("name"))
        case "show":
            self = .show(
                try Self.place(reader), zoom: try optional("zoom", in: 0...30),
                bearing: try optional("bearing", in: -360...360), isFlown: try reader.truth("fly") ?? false)
        case "resize": self = .resize(try Self.size(reader))
        case "position":
            self = .position(
                try Self.place(reader), accuracy: try optional("accuracy", in: 0...1e7),
                course: try optional("course", in: 0...360))
        case "follow": self = .follow(try reader.truth("on") ?? true)
        case "stopPosition": self = .stopPosition
        case "simulate": self = .simulate(try reader.truth("on") ?? true)
        case "route": self = .route(try reader.text("id"))
        case "measure": self = .measure(try MeasuringCommand(try reader.text("step")))
        case "plan": self = .plan(try PlanningCommand(reader))
        case "transit": self = .transit(try CityCommand(reader))
        default: throw Problem(.badRequest, "unknown command '\(word)'", key: "do")
        }
    }

    /// Reads a longitude and a latitude in degrees.
    static func place(_ reader: ViewerReader) throws(Problem) -> Coordinate {
        Coordinate(x: try reader.number("lon", in: -360...360), y: try reader.number("lat", in: -90...90))
    }

    /// Reads a picture size in view pixels.
    static func size(_ reader: ViewerReader) throws(Problem) -> ImageSize {
        let width = try reader.whole("width", in: 1...8192), height = try reader.whole("height", in: 1...8192)
        guard let size = ImageSize(width: width, height: height) else {
            throw Problem(.badRequest, "the image is too large", key: "width")
        }
        return size
    }
}
