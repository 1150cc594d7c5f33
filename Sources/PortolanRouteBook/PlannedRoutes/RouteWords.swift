public import PortolanRouting

/// Words about planned routes.
public enum RouteWords {
    /// How good an order is: the best there is, or how far from it at most.
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

    /// That ways are guesses.
    package static func guess(_ language: DirectionsLanguage) -> String {
        language.code == "es"
            ? "distancias y tiempos estimados en línea recta" : "distances and times are guesses along straight lines"
    }

    /// What a place without a name is called.
    static func place(_ number: Int, _ language: DirectionsLanguage) -> String {
        language.code == "es" ? "Lugar \(number)" : "Place \(number)"
    }

    /// What there is to know about a route, as a sentence.
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

    /// The heads of a table of places: place, way, time, arrival, wait, stay, delay.
    package static func tableHeads(_ language: DirectionsLanguage) -> [String] {
        language.code == "es"
            ? ["LUGAR", "TRAMO", "TIEMPO", "LLEGADA", "ESPERA", "ESTANCIA", "RETRASO"]
            : ["PLACE", "WAY", "TIME", "ARRIVAL", "WAIT", "STAY", "LATE BY"]
    }

    /// The length and times of a route.
    ///
    /// - Parameter total: with waits and stays, or `nil` if it has none.
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

    /// The legend of the sign of legs that are guesses.
    package static func guessedLegs(_ language: DirectionsLanguage) -> String {
        language.code == "es" ? "≈: estimado en línea recta" : "≈: guessed along straight lines"
    }
}
