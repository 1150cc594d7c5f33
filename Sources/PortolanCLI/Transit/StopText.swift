import PortolanGeo
import PortolanTransit
import PortolanWeb

/// A stop or coordinate as text: `LON,LAT`, an identifier, a code or a name.
struct StopText {
    let text: String

    init(_ text: String) { self.text = text }

    /// The coordinate, or `nil` if the text is not a pair of numbers.
    var coordinate: Coordinate? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingPrefix(" "))
        }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else { return nil }
        return Coordinate(x: x, y: y)
    }

    /// The start or end of a journey.
    func place(in timetable: Timetable) throws(CommandFailure) -> Journey.Location {
        if let coordinate {
            guard abs(coordinate.x) <= 180, abs(coordinate.y) <= 90 else {
                throw CommandFailure(.usage, "\(text): outside the earth; expected LON,LAT in degrees")
            }
            return .place(coordinate)
        }
        let stops = try stops(in: timetable)
        return stops.count == 1 ? .stop(stops[0]) : .stops(stops)
    }

    /// The largest distance in metres between stops of one name on both sides of a street.
    private static let reach = 400.0

    /// The stops: that of ``stop(in:)``, or all close stops of a name, as on both sides of
    /// a street.
    func stops(in timetable: Timetable) throws(CommandFailure) -> [Int] {
        do throws(CommandFailure) { return [try stop(in: timetable)] } catch {
            let named = timetable.stops.indices.filter { index in
                let stop = timetable.stops[index]
                return stop.kind == .stop && stop.name.lowercased() == text.lowercased()
            }
            guard named.count > 1, let first = named.first.flatMap({ timetable.stops[$0].place }) else { throw error }
            let areClose = named.allSatisfy { index in
                timetable.stops[index].place.map { Geodesic.line(from: first, to: $0).meters <= Self.reach } ?? false
            }
            guard areClose else { throw error }
            return named
        }
    }

    /// The stop or station with an identifier, a code, or a unique name.
    func stop(in timetable: Timetable) throws(CommandFailure) -> Int {
        if let index = timetable.stops.firstIndex(where: { $0.id == text }) { return index }
        let coded = timetable.stops.indices.filter { timetable.stops[$0].code == text }
        if coded.count == 1 { return coded[0] }
        let found = TransitSearch(timetable).matches(text, limit: 10).compactMap { match in
            if case .stop(let index) = match { index } else { nil as Int? }
        }
        let named = found.filter { timetable.stops[$0].name.lowercased() == text.lowercased() }
        let best = named.isEmpty ? found : named
        guard let first = best.first else {
            throw CommandFailure(
                .noInput, "unknown stop '\(PlainText.oneLine(text))'; portolan transit stops lists the stops")
        }
        // A station includes all of its stops; two sides of a street are two stops of one name.
        if best.count > 1, timetable.stops[first].kind != .station {
            let stops = best.prefix(5).map { "\(timetable.stops[$0].name) (\(timetable.stops[$0].id))" }
            throw CommandFailure(
                .usage,
                "'\(PlainText.oneLine(text))' is ambiguous: \(PlainText.oneLine(stops.joined(separator: ", "))); give an identifier"
            )
        }
        return first
    }
}
