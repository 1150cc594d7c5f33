import PortolanTransit

extension NearbyStops.Model {
    /// Returns a message in Spanish or else in English with the reason for missing stops, or `nil` if all is well.
    func message(inSpanish isSpanish: Bool = false) -> String? {
        if error != nil {
            return isSpanish
                ? "No se pudieron cargar las paradas. Inténtelo de nuevo." : "The stops could not be loaded. Try again."
        }
        if detail?.error != nil {
            return isSpanish
                ? "No se pudieron cargar las llegadas. Inténtelo de nuevo."
                : "The arrivals could not be loaded. Try again."
        }
        guard hasAnswer, stops.isEmpty else { return nil }
        if let found, found.skippedCount > 0 {
            return isSpanish ? "No se pudieron leer las paradas." : "The stops could not be read."
        }
        let meters = Int(min(found?.meters ?? settings.meters, 1e7))
        return isSpanish ? "No hay paradas a menos de \(meters) m." : "There are no stops within \(meters) m."
    }
}
