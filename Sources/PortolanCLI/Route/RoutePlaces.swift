import Foundation
import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanRouting

/// The places on the command line.
struct RoutePlaces {
    let texts: [String]
    let geocoder: (any Geocoder)?
    /// The name of the geocoder, for messages.
    let source: String?

    /// The itinerary.
    func itinerary(_ options: RouteOptions, _ network: NetworkOptions) async throws -> Itinerary {
        var places: [Itinerary.Place] = []
        var isRoundTrip = options.roundTrip
        for text in texts where text != "--" {
            if text.hasPrefix("-"), text != "-", text.dropFirst().first?.isNumber != true, text.dropFirst().first != "."
            {
                throw CommandFailure(.usage, "unknown option '\(text)'; see portolan route --help")
            }
            if let place = try Self.place(text) {
                places.append(place)
            } else if try isFile(text) {
                let collection = try await FeatureInput(source: text, layer: nil).collection(network)
                let read = SavedRoute.itinerary(of: try inDegrees(collection, text))
                guard !read.places.isEmpty else { throw CommandFailure(.badData, "\(text): no points") }
                places += read.places
                if read.isRoundTrip, texts.count == 1 { isRoundTrip = true }
            } else {
                places.append(try await named(text, near: places.last?.coordinate))
            }
        }
        guard places.count > 1 else { throw CommandFailure(.usage, "a route needs two places or more") }
        return Itinerary(places, isRoundTrip: isRoundTrip, keepsFirst: !options.freeStart, keepsLast: options.keepLast)
    }

    /// Whether a text that is not a coordinate is a file.
    ///
    /// With a geocoder it is a name, unless there is such a file.
    private func isFile(_ text: String) throws(CommandFailure) -> Bool {
        if text == "-" || text.contains("://") || FileManager.default.fileExists(atPath: text) { return true }
        guard geocoder == nil else { return false }
        throw CommandFailure(
            .noInput,
            "'\(text)': not a coordinate (LON,LAT) and no such file; add --geocoder to look up names")
    }

    private func inDegrees(
        _ collection: FeatureCollection, _ source: String
    ) throws(CommandFailure) -> FeatureCollection {
        do { return try collection.inDegrees() } catch { throw CommandFailure(.badData, "\(source): \(error)") }
    }

    private func named(_ text: String, near: Coordinate?) async throws -> Itinerary.Place {
        guard let geocoder else { throw CommandFailure(.usage, "'\(text)': not a valid place") }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        let found: [FoundPlace]
        do { found = try await geocoder.places(named: parts[0], near: near, limit: 1) } catch {
            throw CommandFailure(error)
        }
        guard let best = found.first else {
            throw CommandFailure(.noInput, "'\(parts[0])' not found in \(source ?? geocoder.name)")
        }
        var place = Itinerary.Place(name: best.name, coordinate: best.coordinate)
        try Self.add(parts.dropFirst(), to: &place, in: text)
        return place
    }

    /// A coordinate with its keys, or `nil` if the text does not begin with numbers.
    static func place(_ text: String) throws(CommandFailure) -> Itinerary.Place? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        let numbers = parts[0].split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
        guard abs(x) <= 360, abs(y) <= 90 else {
            throw CommandFailure(.usage, "'\(text)': outside the earth; expected LON,LAT in degrees")
        }
        var place = Itinerary.Place(coordinate: Coordinate(longitude: x, latitude: y))
        try add(parts.dropFirst(), to: &place, in: text)
        return place
    }

    /// Adds the keys after semicolons.
    private static func add(
        _ parts: some Sequence<String>, to place: inout Itinerary.Place, in text: String
    ) throws(CommandFailure) {
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = pair.count > 1 ? pair[1] : ""
            switch pair[0] {
            case "name": place.name = value
            case "stay": place.stay = try minutes(value, of: "stay", in: text)
            case "window":
                let ends = value.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
                guard ends.count == 2 else {
                    throw CommandFailure(.usage, "'\(text)': expected window=FROM-TO in minutes")
                }
                let (from, to) = (
                    try minutes(ends[0], of: "window", in: text), try minutes(ends[1], of: "window", in: text)
                )
                guard from <= to else { throw CommandFailure(.usage, "'\(text)': the window ends before it begins") }
                place.window = from...to
            case "at":
                guard let number = Int(value), number > 0 else {
                    throw CommandFailure(.usage, "'\(text)': 'at' must be a whole number from 1")
                }
                place.position = number - 1
            default:
                throw CommandFailure(
                    .usage, "'\(text)': unknown key '\(pair[0])'; available: name, stay, window and at")
            }
        }
    }

    private static func minutes(_ text: String, of key: String, in place: String) throws(CommandFailure) -> Double {
        guard let minutes = Double(text), (0...1e6).contains(minutes) else {
            throw CommandFailure(.usage, "'\(place)': \(key) must be 0 or more minutes, not '\(text)'")
        }
        return minutes * 60
    }
}
