public import Foundation
public import PortolanPaint
import PortolanRaster
public import PortolanTransit
import PortolanWeb

extension Furniture.FactsPanel {
    /// Creates a board of departures or arrivals at a stop with line, destination and time.
    ///
    /// Near times are shown in minutes, later ones as clock times of the stop. `≈` marks times of trips by frequency,
    /// `·` marks live times.
    ///
    /// - Parameters:
    ///   - calls: the calls at one stop or station.
    ///   - title: the title, such as the name of the stop.
    ///   - words: the texts in the language of the board.
    public init(
        board calls: [StopBoard.Call], of timetable: Timetable, title: String, now: Date, words: BoardWords = .english
    ) {
        let rows = calls.map { call in
            let line = timetable.lines[call.line]
            return Row(
                mark: line.badge, text: call.isAdded ? "\(call.headsign) (\(words.added))" : call.headsign,
                fact: Self.time(of: call, in: timetable, now: now, words),
                color: line.drawnColor)
        }
        let isLive = calls.contains { $0.expected != nil }
        let nothing = timetable.covers(now) ? words.nothing : words.uncovered
        self.init(title: title, rows: rows, notes: [calls.isEmpty ? nothing : isLive ? words.live : words.scheduled])
    }

    /// Creates a board for the selected stop with its arrivals or an error message.
    ///
    /// - Parameter timeZone: the time zone of clock times.
    public init(
        detail: NearbyStops.Model.Detail, now: Date, timeZone: TimeZone, words: BoardWords = .english
    ) {
        self.init(
            arrivals: detail.arrivals ?? [], title: detail.stop.name, now: now, timeZone: timeZone, words: words)
        if let error = detail.error {
            let isUncovered = if case .uncovered = error { true } else { false }
            // Previous arrivals are still shown.
            notes = [isUncovered ? words.uncovered : words.failed] + (rows.isEmpty ? [] : notes)
        } else if detail.arrivals == nil {
            notes = [words.loading]
        }
    }

    /// Creates a board of the arrivals at a nearby stop from a ``/PortolanTransit/StopFinder``.
    ///
    /// - Parameters:
    ///   - arrivals: the arrivals, earliest first.
    ///   - timeZone: the time zone of clock times.
    public init(
        arrivals: [NearbyStops.Arrival], title: String, now: Date, timeZone: TimeZone, words: BoardWords = .english
    ) {
        let rows = arrivals.map { arrival in
            let color = arrival.color.map(MapColor.init(rgb:)) ?? (arrival.mode ?? .other).color
            let fact =
                arrival.isCanceled
                ? words.canceled
                : Self.time(arrival.time, isLive: arrival.estimated != nil, in: timeZone, now: now, words)
            return Row(mark: arrival.line, text: arrival.headsign, fact: fact, color: color)
        }
        let isLive = arrivals.contains { $0.estimated != nil }
        self.init(
            title: title, rows: rows, notes: [arrivals.isEmpty ? words.nothing : isLive ? words.live : words.scheduled])
    }

    private static func time(of call: StopBoard.Call, in timetable: Timetable, now: Date, _ words: BoardWords) -> String
    {
        switch call.state {
        case .canceled: return words.canceled
        case .skipped: return words.skipped
        case .stops: break
        }
        let time = time(
            call.expected ?? call.scheduled, isLive: call.expected != nil, in: timetable.timeZone(ofStop: call.stop),
            now: now, words)
        return call.headway != nil ? "≈ " + time : time
    }

    private static func time(
        _ time: Date, isLive: Bool, in timeZone: TimeZone, now: Date, _ words: BoardWords
    ) -> String {
        let minutes = Int((time.timeIntervalSince(now) / 60).rounded(.down)), live = isLive ? " ·" : ""
        if (0..<30).contains(minutes) { return (minutes == 0 ? words.now : "\(minutes) min") + live }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.hour, .minute], from: time)
        func padded(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
        return padded(parts.hour) + ":" + padded(parts.minute) + live
    }
}

/// The texts of a board in a language.
public struct BoardWords: Hashable, Sendable {
    /// The language code (BCP 47), such as "fi".
    public var code: String
    /// The text for a departure within a minute.
    public var now: String
    /// The texts for a cancelled trip and for a skipped stop.
    public var canceled: String, skipped: String
    /// The texts for an empty board, for scheduled times, and for live times.
    public var nothing: String, scheduled: String, live: String
    /// The text for a trip outside of the timetable.
    public var added: String
    /// The texts while loading, for a failure, and for a day that the timetable does not cover.
    public var loading: String, failed: String, uncovered: String

    /// Creates the texts.
    public init(
        code: String, now: String, canceled: String, skipped: String, nothing: String, scheduled: String, live: String,
        added: String, loading: String = "…", failed: String = "the arrivals could not be loaded",
        uncovered: String = "the timetable does not cover this day"
    ) {
        self.code = code
        self.now = now
        self.canceled = canceled
        self.skipped = skipped
        self.nothing = nothing
        self.scheduled = scheduled
        self.live = live
        self.added = added
        (self.loading, self.failed, self.uncovered) = (loading, failed, uncovered)
    }

    /// English.
    public static let english = BoardWords(
        code: "en", now: "now", canceled: "cancelled", skipped: "does not stop", nothing: "nothing leaves soon",
        scheduled: "by the timetable", live: "·  measured live", added: "extra")
    /// Spanish.
    public static let spanish = BoardWords(
        code: "es", now: "ahora", canceled: "cancelado", skipped: "no para", nothing: "no sale nada pronto",
        scheduled: "según el horario", live: "·  medido en directo", added: "refuerzo",
        failed: "no se pudieron cargar las llegadas", uncovered: "el horario no incluye este día")
    /// Finnish.
    public static let finnish = BoardWords(
        code: "fi", now: "nyt", canceled: "peruttu", skipped: "ei pysähdy", nothing: "ei lähtöjä lähiaikoina",
        scheduled: "aikataulun mukaan", live: "·  reaaliaikainen", added: "ylimääräinen",
        failed: "saapumisia ei voitu ladata", uncovered: "aikataulu ei kata tätä päivää")
    /// French.
    public static let french = BoardWords(
        code: "fr", now: "maintenant", canceled: "supprimé", skipped: "ne dessert pas",
        nothing: "aucun départ prochainement",
        scheduled: "selon l’horaire", live: "·  en temps réel", added: "supplémentaire",
        failed: "les arrivées n’ont pas pu être chargées", uncovered: "l’horaire ne couvre pas ce jour")
    /// Italian.
    public static let italian = BoardWords(
        code: "it", now: "ora", canceled: "soppresso", skipped: "non ferma", nothing: "nessuna partenza a breve",
        scheduled: "secondo l’orario", live: "·  in tempo reale", added: "supplementare",
        failed: "non è stato possibile caricare gli arrivi", uncovered: "l’orario non comprende questo giorno")

    /// All languages.
    public static let all = [english, spanish, finnish, french, italian]

    /// Returns the texts for the first available language among codes such as `es-MX` or `fi_FI`, or English.
    public static func preferred(_ codes: [String]) -> BoardWords {
        LanguageLookup.first(for: codes, among: all, code: \.code) ?? english
    }
}
