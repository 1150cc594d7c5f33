public import PortolanRouting

/// Texts about planned routes.
public enum RouteWords {
    /// Returns a text about the quality of an order: its lateness, or how close it is to the optimum.
    public static func proof(of order: VisitingOrder, _ language: DirectionsLanguage = .english) -> String {
        let isSpanish = language.code == "es"
        if !order.late.isEmpty {
            let count = order.late.count
            if isSpanish { return count == 1 ? "se llega tarde a un lugar" : "se llega tarde a \(count) lugares" }
            return count == 1 ? "one place is reached too late" : "\(count) places are reached too late"
        }
        if order.isProven { return isSpanish ? "el orden más corto posible" : "shortest possible order" }
        guard order.excess < 10 else {
            return isSpanish ? "buen orden, sin prueba" : "a good order, not proven"
        }
        let tenths = Int((order.excess * 1000 - 1e-6).rounded(.up))
        let percent = "\(tenths / 10)\(language.decimalMark)\(tenths % 10)"
        return isSpanish
            ? "como mucho un \(percent) % más largo que el mejor" : "at most \(percent) % longer than the best order"
    }

    /// Returns the note that distances and times are estimated.
    package static func guess(_ language: DirectionsLanguage) -> String {
        language.code == "es"
            ? "distancias y tiempos estimados en línea recta" : "distances and times are guesses along straight lines"
    }

    /// Returns the default name of a place.
    static func place(_ number: Int, _ language: DirectionsLanguage) -> String {
        language.code == "es" ? "Lugar \(number)" : "Place \(number)"
    }

    /// Returns a note about a route as a sentence.
    package static func note(_ note: RouteNote, _ language: DirectionsLanguage) -> String {
        guard language.code == "es" else { return note.description }
        return switch note {
        case .estimated(let error): "\(guess(language)): \(error)"
        case .awayFromRoad(let place, let meters):
            "el lugar \(place + 1) está a \(Int(min(meters, 1e9).rounded())) m de la vía de la ruta"
        case .otherMode(let asked, let provider):
            "se pidió \(mode(asked)); el proveedor calcula para \(provider)"
        }
    }

    private static func mode(_ mode: TravelMode) -> String {
        switch mode {
        case .car: "coche"
        case .foot: "a pie"
        case .bicycle: "bicicleta"
        case .transit: "transporte público"
        }
    }

    /// Returns the column titles of a table of places: place, leg, time, arrival, wait, stay, delay.
    package static func tableHeads(_ language: DirectionsLanguage) -> [String] {
        language.code == "es"
            ? ["LUGAR", "TRAMO", "TIEMPO", "LLEGADA", "ESPERA", "ESTANCIA", "RETRASO"]
            : ["PLACE", "WAY", "TIME", "ARRIVAL", "WAIT", "STAY", "LATE BY"]
    }

    /// Returns the length and the durations of a route as text.
    ///
    /// - Parameter total: the duration including waiting and stays, or `nil` if the route has neither.
    package static func sum(
        meters: Double, seconds: Double, total: Double?, _ language: DirectionsLanguage
    ) -> String {
        let length = language.distance(meters), time = language.duration(seconds)
        if language.code == "es" {
            return "en total \(length), \(time)"
                + (total.map { " de camino, \(language.duration($0)) con esperas y estancias" } ?? "")
        }
        return "together \(length), \(time)" + (total.map { " on the way, \(language.duration($0)) in all" } ?? "")
    }

    /// Returns the legend for the mark of estimated legs.
    package static func guessedLegs(_ language: DirectionsLanguage) -> String {
        language.code == "es" ? "≈: estimado en línea recta" : "≈: guessed along straight lines"
    }
}
