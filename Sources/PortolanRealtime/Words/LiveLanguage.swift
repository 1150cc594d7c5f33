public import PortolanTransit
import PortolanWeb

/// The texts for passengers in one language.
///
/// To add a language, create a value like ``english``. Phrases that a language lacks are in English.
public struct LiveLanguage: Hashable, Sendable {
    /// The language code (BCP 47), such as "fi".
    public var code: String
    /// The phrases.
    public var phrases: [LiveLanguage.Phrase: String]

    /// Creates a language.
    public init(code: String, phrases: [LiveLanguage.Phrase: String]) {
        self.code = code
        self.phrases = phrases
    }

    /// The built-in languages.
    public static let all = [english, spanish, finnish, french, italian]

    /// Returns the first available language among codes such as `es-MX` or `fi_FI`, or English.
    public static func preferred(_ codes: [String]) -> LiveLanguage {
        LanguageLookup.first(for: codes, among: all, code: \.code) ?? english
    }

    /// Returns a phrase with its placeholders.
    public subscript(phrase: LiveLanguage.Phrase) -> String {
        phrases[phrase] ?? Self.english.phrases[phrase] ?? phrase.rawValue
    }

    /// Returns a phrase with its placeholders replaced.
    public func text(_ phrase: LiveLanguage.Phrase, _ parts: [String: String]) -> String {
        PhraseText.filled(self[phrase], parts)
    }

    /// Returns the name of a mode of transport.
    public subscript(mode: TransitMode) -> String { self[LiveLanguage.Phrase(rawValue: mode.rawValue) ?? .other] }

    /// Returns the delay of a vehicle in whole minutes.
    public func delay(_ delay: Duration) -> String {
        let minutes = Int((Double(delay.components.seconds) / 60).rounded())
        if minutes == 0 { return self[.onTime] }
        return text(minutes > 0 ? .late : .early, ["n": "\(minutes.magnitude)"])
    }

    /// Returns the text for an arrival in a number of seconds.
    public func arrival(in seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 30 else { return self[.arrivesNow] }
        return text(.arrivesIn, ["n": "\(Int(min(seconds / 60, 1e9).rounded()))"])
    }

    /// Returns a message that shares the vehicle of a passenger.
    public func travelling(in vehicle: String, mode: TransitMode, line: String) -> String {
        text(.travelling, ["mode": self[mode], "vehicle": vehicle, "line": line])
    }

    /// Returns a message that shares a position.
    public func here(longitude: Double, latitude: Double) -> String {
        func rounded(_ degrees: Double) -> String { "\((degrees * 1e5).rounded() / 1e5)" }
        return text(.hereIAm, ["place": "(\(rounded(latitude)),\(rounded(longitude)))"])
    }
}

extension LiveLanguage {
    /// The phrases for passengers about vehicles, arrivals and alerts.
    ///
    /// Placeholders such as `{n}` and `{line}` are replaced with values.
    public enum Phrase: String, Hashable, Sendable, CaseIterable {
        // The connection status.
        case starting, live, connectionLost, serverError, ended
        // Vehicles: `{n}` minutes, `{seconds}`, `{line}`, `{destination}`, `{vehicle}`.
        case stale, onTime, late, early, toward, vehicleOfLine
        // Arrivals: `{stop}`, `{n}` minutes.
        case arrivalsAt, noArrivals, arrivesNow, arrivesIn, cancelled
        // Alerts: `{lines}`.
        case disruptions, noDisruptions, affectsLines, affectsAll
        // Filters: `{n}` lines.
        case filters, vehicles, stops, route, allLines, linesShown
        // The modes of transport.
        case tram, subway, rail, bus, ferry, cableTram, aerialLift, funicular, trolleybus, monorail, coach, air, taxi,
            other
        // Messages that share a position: `{mode}`, `{line}`, `{vehicle}`, `{place}`.
        case travelling, hereIAm
    }
}
