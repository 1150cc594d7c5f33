public import PortolanPaint
public import PortolanRouting

extension FactsPanel {
    /// A panel of a planned route: its places with how they are reached, totals, and how good the order is.
    ///
    /// - Parameters:
    ///   - title: what the route is called.
    ///   - language: of the facts.
    public init(_ route: PlannedRoute, title: String, language: DirectionsLanguage = .english) {
        let isClosed = route.places.count > 2 && route.places.first == route.places.last
        var rows: [Row] = []
        for (index, place) in route.places.enumerated() {
            if index > 0 {
                let leg = route.legs[index - 1]
                let way = (leg.isEstimate ? "≈ " : "") + language.distance(leg.distance)
                rows.append(Row(text: way, fact: language.duration(leg.duration)))
            }
            let isHome = isClosed && index == route.places.count - 1
            let number = isHome ? 1 : index + 1
            rows.append(
                Row(mark: "\(number)", text: place.name ?? RouteWords.place(number, language)))
        }
        var notes = ["\(language.distance(route.distance)) · \(language.duration(route.duration))"]
        if let order = route.order { notes.append(RouteWords.proof(of: order, language)) }
        notes += route.notes.map { $0.isEstimate ? RouteWords.guess(language) : $0.description }
        self.init(title: title, rows: rows, notes: notes, color: RouteSheet.color(of: route.mode))
    }
}

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
}
