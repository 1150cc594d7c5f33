public import Foundation
public import PortolanPaint
import PortolanRaster
public import PortolanTransit
import PortolanWeb

extension FactsPanel {
    /// A board of what leaves a stop, or arrives there: the line in its colour, where it goes, and when.
    ///
    /// What is near is told in minutes, what is farther by the clock of the stop; `≈` stands before times that repeat by a
    /// frequency, `·` behind those that are measured live.
    ///
    /// - Parameters:
    ///   - calls: of one stop or station.
    ///   - title: what stands above, such as the name of the stop.
    ///   - words: of the language of the board.
    public init(
        board calls: [StopCall], of timetable: Timetable, title: String, now: Date, words: BoardWords = .english
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

    /// A board of the stop that is looked at: what comes to it, or why that is not known.
    ///
    /// - Parameter timeZone: whose clock tells what is far.
    public init(
        detail: NearbyStopsModel.Detail, now: Date, timeZone: TimeZone, words: BoardWords = .english
    ) {
        self.init(
            arrivals: detail.arrivals ?? [], title: detail.stop.name, now: now, timeZone: timeZone, words: words)
        if let error = detail.error {
            let isUncovered = if case .uncovered = error { true } else { false }
            // What came before still stands there.
            notes = [isUncovered ? words.uncovered : words.failed] + (rows.isEmpty ? [] : notes)
        } else if detail.arrivals == nil {
            notes = [words.loading]
        }
    }

    /// A board of what comes to a stop nearby, as a ``/PortolanTransit/StopFinder`` tells it.
    ///
    /// - Parameters:
    ///   - arrivals: the soonest first.
    ///   - timeZone: whose clock tells what is far.
    public init(
        arrivals: [StopArrival], title: String, now: Date, timeZone: TimeZone, words: BoardWords = .english
    ) {
        let rows = arrivals.map { arrival in
            let color = arrival.color.map(Color.init(rgb:)) ?? (arrival.mode ?? .other).color
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

    private static func time(of call: StopCall, in timetable: Timetable, now: Date, _ words: BoardWords) -> String {
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

/// The words of a board in a language.
public struct BoardWords: Hashable, Sendable {
    /// The code of the language (BCP 47), as "fi".
    public var code: String
    /// That a vehicle leaves within a minute.
    public var now: String
    /// That a trip does not run, and that it does not stop here.
    public var canceled: String, skipped: String
    /// That nothing leaves, that times are those of the timetable, and that some are measured.
    public var nothing: String, scheduled: String, live: String
    /// That a trip runs beside the timetable.
    public var added: String
    /// That it is not known yet what leaves, that it could not be loaded, and that the timetable does not tell of the day.
    public var loading: String, failed: String, uncovered: String

    /// Makes words.
    public init(
        code: String, now: String, canceled: String, skipped: String, nothing: String, scheduled: String, live: String,
        added: String, loading: String = "…", failed: String = "the arrivals could not be loaded",
        uncovered: String = "the timetable does not tell of this day"
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

    /// The first of some languages, as `es-MX` or `fi_FI`, that there is; English where there is none.
    public static func preferred(_ codes: [String]) -> BoardWords {
        LanguageLookup.first(for: codes, among: all, code: \.code) ?? english
    }
}
