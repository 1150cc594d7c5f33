package import PortolanRouting
import PortolanWeb

/// Texts about planned routes.
package enum RouteWords {
    /// Returns a text about the quality of an order: its lateness, or how close it is to the optimum.
    package static func proof(of order: OrderSearch.VisitingOrder, _ language: DirectionsLanguage = .english) -> String
    {
        let phrases = phrases(language)
        if !order.late.isEmpty { return phrases.text(.late, count: order.late.count) }
        if order.isProven { return phrases.text(.shortest) }
        guard order.excess < 10 else { return phrases.text(.unproven) }
        let tenths = Int((order.excess * 1000 - 1e-6).rounded(.up))
        let percent = "\(tenths / 10)\(language.decimalMark)\(tenths % 10)"
        return phrases.text(.longer, ["percent": percent])
    }

    /// That ways are guesses.
    package static func guess(_ language: DirectionsLanguage) -> String { phrases(language).text(.guess) }

    /// The title of a route without a name.
    package static func title(_ language: DirectionsLanguage) -> String { phrases(language).text(.title) }

    /// Returns the default name of a place.
    static func place(_ number: Int, _ language: DirectionsLanguage) -> String {
        phrases(language).text(.place, ["number": "\(number)"])
    }

    /// Returns a note about a route as a sentence.
    package static func note(_ note: PlannedRoute.Note, _ language: DirectionsLanguage) -> String {
        let phrases = phrases(language)
        return switch note {
        case .estimated(let error): "\(phrases.text(.guess)): \(error)"
        case .awayFromRoad(let place, let meters):
            phrases.text(
                .awayFromRoad, ["place": "\(place + 1)", "meters": "\(Int(min(meters, 1e9).rounded()))"])
        case .otherMode(let asked, let provider):
            phrases.text(.otherMode, ["mode": phrases.text(.mode(asked)), "provider": provider])
        }
    }

    /// Returns the column titles of a table of places: place, leg, time, arrival, wait, stay, delay.
    package static func tableHeads(_ language: DirectionsLanguage) -> [String] {
        phrases(language).text(.tableHeads).split(separator: ";").map(String.init)
    }

    /// Returns the length and the durations of a route as text.
    ///
    /// - Parameter total: the duration including waiting and stays, or `nil` if the route has neither.
    package static func sum(
        meters: Double, seconds: Double, total: Double?, _ language: DirectionsLanguage
    ) -> String {
        var values = ["length": language.distance(meters), "time": language.duration(seconds)]
        values["total"] = total.map { language.duration($0) }
        return phrases(language).text(.sum, values)
    }

    /// The legend of the sign of estimated legs.
    package static func guessedLegs(_ language: DirectionsLanguage) -> String { phrases(language).text(.guessedLegs) }

    private enum Phrase: Hashable {
        // The order of places: `{n}`, `{percent}`.
        case late, shortest, unproven, longer
        // Routes: `{number}`, `{place}`, `{meters}`, `{mode}`, `{provider}`.
        case title, guess, guessedLegs, place, awayFromRoad, otherMode
        case mode(TravelMode)
        // Tables: heads with semicolons between, and `{length}`, `{time}`, `{total}`.
        case tableHeads, sum
    }

    /// Returns the legend for the mark of estimated legs.
    private static func phrases(_ language: DirectionsLanguage) -> Phrases<Phrase> {
        [english, spanish].preferred([language.code])
    }

    private static let english = Phrases<Phrase>(
        "en",
        [
            .late: "one place is reached too late|{n} places are reached too late",
            .shortest: "shortest possible order", .unproven: "a good order, not proven",
            .longer: "at most {percent} % longer than the best order",
            .title: "Route", .guess: "distances and times are guesses along straight lines",
            .guessedLegs: "≈: estimated along straight lines", .place: "Place {number}",
            .awayFromRoad: "place {place} is {meters} m from the route",
            .otherMode: "requested {mode}, but the provider routes for {provider}",
            .mode(.car): "car", .mode(.foot): "foot", .mode(.bicycle): "bicycle", .mode(.transit): "transit",
            .tableHeads: "PLACE;DISTANCE;TIME;ARRIVAL;WAIT;STAY;DELAY",
            .sum: "total {length}, {time}[, {total} with waits and stays]",
        ])

    private static let spanish = Phrases<Phrase>(
        "es",
        [
            .late: "se llega tarde a un lugar|se llega tarde a {n} lugares",
            .shortest: "el orden más corto posible", .unproven: "buen orden, sin prueba",
            .longer: "como mucho un {percent} % más largo que el mejor",
            .title: "Ruta", .guess: "distancias y tiempos estimados en línea recta",
            .guessedLegs: "≈: estimado en línea recta", .place: "Lugar {number}",
            .awayFromRoad: "el lugar {place} está a {meters} m de la vía de la ruta",
            .otherMode: "se pidió {mode}; el proveedor calcula para {provider}",
            .mode(.car): "coche", .mode(.foot): "a pie", .mode(.bicycle): "bicicleta",
            .mode(.transit): "transporte público",
            .tableHeads: "LUGAR;TRAMO;TIEMPO;LLEGADA;ESPERA;ESTANCIA;RETRASO",
            .sum: "en total {length}, {time}[ de camino, {total} con esperas y estancias]",
        ])
}
