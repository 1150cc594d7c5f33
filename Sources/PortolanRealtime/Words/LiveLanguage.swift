public import PortolanTransit
import PortolanWeb

/// The words of one language for riders; a further language is one more value like ``english``.
///
/// A phrase that a language does not have is said in English.
public struct LiveLanguage: Hashable, Sendable {
    /// The code of the language (BCP 47), as "fi".
    public var code: String
    /// What it says.
    public var phrases: [LivePhrase: String]

    /// Makes a language.
    public init(code: String, phrases: [LivePhrase: String]) {
        self.code = code
        self.phrases = phrases
    }

    /// The languages that come with Portolan.
    public static let all = [english, spanish, finnish, french, italian]

    /// The first of some languages, as `es-MX` or `fi_FI`, that there is; English where there is none.
    public static func preferred(_ codes: [String]) -> LiveLanguage {
        LanguageLookup.first(for: codes, among: all, code: \.code) ?? english
    }

    /// What is said, with its marks.
    public subscript(phrase: LivePhrase) -> String {
        phrases[phrase] ?? Self.english.phrases[phrase] ?? phrase.rawValue
    }

    /// What is said, with something in the place of each mark.
    public func text(_ phrase: LivePhrase, _ parts: [String: String]) -> String {
        // Once through the sentence, so that a mark within what is filled in stays as it is.
        var text = "", rest = self[phrase][...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            text += rest[..<start]
            let name = rest[rest.index(after: start)..<end]
            text += parts[String(name)] ?? "{\(name)}"
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    /// What something that runs is called.
    public subscript(mode: TransitMode) -> String { self[LivePhrase(rawValue: mode.rawValue) ?? .other] }

    /// How late a vehicle is, in whole minutes.
    public func delay(_ delay: Duration) -> String {
        let minutes = Int((Double(delay.components.seconds) / 60).rounded())
        if minutes == 0 { return self[.onTime] }
        return text(minutes > 0 ? .late : .early, ["n": "\(minutes.magnitude)"])
    }

    /// When something arrives, in so many seconds.
    public func arrival(in seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 30 else { return self[.arrivesNow] }
        return text(.arrivesIn, ["n": "\(Int(min(seconds / 60, 1e9).rounded()))"])
    }

    /// That one travels in a vehicle, to be sent to others.
    public func travelling(in vehicle: String, mode: TransitMode, line: String) -> String {
        text(.travelling, ["mode": self[mode], "vehicle": vehicle, "line": line])
    }

    /// Where one is, to be sent to others.
    public func here(longitude: Double, latitude: Double) -> String {
        func rounded(_ degrees: Double) -> String { "\((degrees * 1e5).rounded() / 1e5)" }
        return text(.hereIAm, ["place": "(\(rounded(latitude)),\(rounded(longitude)))"])
    }
}

/// What is said to riders of live vehicles, arrivals and notices.
///
/// `{n}`, `{line}` and such stand for what is filled in.
public enum LivePhrase: String, Hashable, Sendable, CaseIterable {
    // How the connection is.
    case starting, live, connectionLost, serverError, ended
    // Vehicles: `{n}` minutes, `{seconds}`, `{line}`, `{destination}`, `{vehicle}`.
    case stale, onTime, late, early, toward, vehicleOfLine
    // Arrivals: `{stop}`, `{n}` minutes.
    case arrivalsAt, noArrivals, arrivesNow, arrivesIn, cancelled
    // Notices: `{lines}`.
    case disruptions, noDisruptions, affectsLines, affectsAll
    // Filters: `{n}` lines.
    case filters, vehicles, stops, route, allLines, linesShown
    // What runs.
    case tram, subway, rail, bus, ferry, cableTram, aerialLift, funicular, trolleybus, monorail, coach, air, taxi, other
    // Where one is, to be sent to others: `{mode}`, `{line}`, `{vehicle}`, `{place}`.
    case travelling, hereIAm
}
