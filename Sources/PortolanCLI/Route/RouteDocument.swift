import Portolan
import PortolanGeo
import PortolanRouteBook
import PortolanRouting

/// A route, as printed.
struct RouteDocument: Encodable {
    struct Place: Encodable {
        var number: Int
        var name: String?
        var coordinate: [Double]
        /// Seconds after the departure.
        var arrival: Double
        /// Seconds of waiting until the window opens.
        var wait: Double?
        /// Seconds of the stay.
        var stay: Double?
        /// Seconds of delay after the end of the window.
        var late: Double?
    }

    struct Leg: Encodable {
        var meters, seconds: Double
        var isEstimate: Bool
        var steps: [Step]?
    }

    struct Step: Encodable {
        var instruction: String
        var meters, seconds: Double
        var coordinate: [Double]
    }

    var mode: String
    var meters, seconds: Double
    /// Including waiting and stays.
    var secondsInAll: Double
    var places: [Place]
    var legs: [Leg]
    /// The order as indices into the given places, from 0; only if it was optimized.
    var order: [Int]?
    var isProven: Bool?
    /// The largest possible excess over the optimum: 0.02 is 2%.
    var excess: Double?
    var notes: [String]

    init(_ route: PlannedRoute, _ language: DirectionsLanguage, hasDirections: Bool) {
        mode = route.mode.rawValue
        (meters, seconds, secondsInAll) = (route.distance, route.duration, route.total)
        let order = route.order?.order
        let arrivals = route.arrivals
        places = route.places.enumerated().map { index, place in
            let wait = max(0, (place.window?.lowerBound ?? 0) - arrivals[index])
            let isHome = index > 1 && index == route.places.count - 1 && place == route.places.first
            let late = arrivals[index] - (place.window?.upperBound ?? .infinity)
            return Place(
                number: index + 1, name: place.name, coordinate: [place.coordinate.x, place.coordinate.y],
                arrival: arrivals[index], wait: wait > 0 && !isHome ? wait : nil,
                stay: place.stay > 0 && !isHome ? place.stay : nil, late: late > 0 && !isHome ? late : nil)
        }
        legs = route.legs.enumerated().map { index, leg in
            let name = route.places[index + 1].name
            let steps = leg.steps.map { step in
                Step(
                    instruction: language.sentence(for: step, place: name), meters: step.distance,
                    seconds: step.duration, coordinate: [step.manoeuvre.place.x, step.manoeuvre.place.y])
            }
            return Leg(
                meters: leg.distance, seconds: leg.duration, isEstimate: leg.isEstimate,
                steps: hasDirections ? steps : nil)
        }
        self.order = order
        isProven = route.order?.isProven
        excess = route.order.flatMap { $0.excess.isFinite && $0.late.isEmpty ? $0.excess : nil }
        notes = route.notes.map { RouteWords.note($0, language) }
        lines = hasDirections ? DirectionsText(route, in: language).lines : []
        proof = route.order.map { RouteWords.proof(of: $0, language) }
    }

    private var lines: [DirectionsText.Line]
    private var proof: String?

    private enum CodingKeys: String, CodingKey {
        case mode, meters, seconds, secondsInAll, places, legs, order, isProven, excess, notes
    }

    /// The route as text.
    func text(_ language: DirectionsLanguage) -> String {
        let rows = places.map { place in
            let leg = place.number > 1 ? legs[place.number - 2] : nil
            let coordinate = place.coordinate.map { String(($0 * 1e5).rounded() / 1e5) }.joined(separator: ",")
            let distance = leg.map { ($0.isEstimate ? "≈ " : "") + language.distance($0.meters) }
            let arrival = place.arrival > 0 ? "+" + language.duration(place.arrival) : ""
            return [
                "\(place.number)", place.name ?? coordinate, distance ?? "",
                leg.map { language.duration($0.seconds) } ?? "", arrival,
                place.wait.map(language.duration) ?? "", place.stay.map(language.duration) ?? "",
                place.late.map(language.duration) ?? "",
            ]
        }
        var text = TextTable.text([[""] + RouteWords.tableHeads(language)] + rows)
        let total = secondsInAll > seconds + 30 ? secondsInAll : nil
        text += "\n" + RouteWords.sum(meters: meters, seconds: seconds, total: total, language)
        if let proof { text += "; \(proof)" }
        text += "\n"
        if legs.contains(where: \.isEstimate) { text += RouteWords.guessedLegs(language) + "\n" }
        guard !lines.isEmpty else { return text }
        var leg = -1
        for line in lines {
            if line.leg != leg {
                leg = line.leg
                text += "\n"
            }
            let way = line.distance > 0 ? "  \(language.distance(line.distance))" : ""
            text += PlainText.oneLine(line.sentence) + way + "\n"
        }
        return text
    }
}
