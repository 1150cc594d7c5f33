import Foundation
import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanServerCore
import Testing

/// Real input events of a browser, recorded by `Tests/Browser/gestures.py`, and the resulting map movement.
@Suite(.timeLimit(.minutes(20))) struct RecordedGestureTests {
    struct Gesture: CustomTestStringConvertible, Sendable {
        let name: String
        /// The place that lies under the hand before, and where it must lie after.
        let start: Point, end: Point
        let levels: Double
        /// Clockwise on the screen.
        let degrees: Double
        /// The tolerance of finger movements.
        let slack: (levels: Double, degrees: Double)
        let events: [PropertyValue]

        var testDescription: String { name }

        init(_ members: Properties) throws {
            func point(_ key: String) throws -> Point {
                let numbers = try #require(members[key]?.arrayValue).compactMap(\.doubleValue)
                try #require(numbers.count == 2)
                return Point(x: numbers[0], y: numbers[1])
            }
            name = try #require(members["gesture"]?.stringValue)
            (start, end) = (try point("from"), try point("to"))
            levels = try #require(members["levels"]?.doubleValue)
            degrees = members["degrees"]?.doubleValue ?? 0
            slack = (members["slack levels"]?.doubleValue ?? 0, members["slack degrees"]?.doubleValue ?? 0)
            events = try #require(members["events"]?.arrayValue)
        }
    }

    static let gestures: [Gesture] = {
        let path = String(#filePath.split(separator: "/Viewer/")[0]) + "/Fixtures/gestures.json"
        guard let bytes = FileManager.default.contents(atPath: "/" + path),
            case .array(let list)? = try? JSONReader.value(bytes: Array(bytes))
        else { return [] }
        return list.compactMap { $0.objectValue.flatMap { try? Gesture($0) } }
    }()

    @Test func `all recorded gestures are replayed`() {
        #expect(Self.gestures.count == 17)
        #expect(
            Set(Self.gestures.flatMap(\.events).compactMap { $0.objectValue?["kind"]?.stringValue }) == [
                "mouse", "touch",
            ])
    }

    @Test(arguments: gestures)
    func `recorded browser events move the map as the gesture did`(_ gesture: Gesture) async throws {
        let viewer = try await SampleViewer(SampleServer(), width: 800, height: 600)
        let before = try Self.viewport(try await viewer.settled().frame)
        let batch = GeoJSONWriter.json(.object(["seq": .integer(1), "events": .array(gesture.events)]))
        #expect(await viewer.tell("input", String(decoding: batch, as: UTF8.self)).status == 200)
        let after = try Self.viewport(try await viewer.settled { $0.head["ack"]?.integerValue == 1 }.frame)

        let place = after.pixel(of: before.coordinate(at: gesture.start))
        #expect(hypot(place.x - gesture.end.x, place.y - gesture.end.y) < 0.01, "\(place)")
        // A point 50 pixels to the right of it determines the scale and the turn.
        let beside = after.pixel(of: before.coordinate(at: Point(x: gesture.start.x + 50, y: gesture.start.y)))
        let way = (x: beside.x - place.x, y: beside.y - place.y)
        let levels = log2(hypot(way.x, way.y) / 50), degrees = atan2(way.y, way.x) * 180 / .pi
        #expect(abs(levels - gesture.levels) <= gesture.slack.levels + 1e-6, "\(levels) levels")
        #expect(abs(degrees - gesture.degrees) <= gesture.slack.degrees + 1e-6, "\(degrees)°")
        #expect((levels > 0) == (gesture.levels > 0) || gesture.levels == 0)
    }

    private static func viewport(_ frame: SampleViewer.Frame) throws -> Viewport {
        func number(_ key: String) throws -> Double { try #require(frame.number(key)) }
        return try Viewport(
            center: Coordinate(x: number("x"), y: number("y")),
            resolution: #require(Resolution(unitsPerPixel: number("resolution"))), rotation: number("bearing"),
            size: #require(ImageSize(width: 800, height: 600)))
    }
}
