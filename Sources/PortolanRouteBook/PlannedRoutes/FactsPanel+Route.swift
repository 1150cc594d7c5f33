public import PortolanPaint
public import PortolanRouting

extension Furniture.FactsPanel {
    /// Creates a panel for a planned route with its places, legs, totals and the evaluation of the order.
    ///
    /// - Parameters:
    ///   - title: the title, usually the name of the route.
    ///   - language: the language of the facts.
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
        notes += route.notes.map { $0.isEstimate ? RouteWords.guess(language) : RouteWords.note($0, language) }
        self.init(title: title, rows: rows, notes: notes, color: RouteStyle.color(of: route.mode))
    }
}
