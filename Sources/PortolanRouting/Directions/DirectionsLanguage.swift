import PortolanWeb

/// The texts of directions in one language: a sentence for each manoeuvre and the words used in them.
///
/// The placeholders `{direction}`, `{name}`, `{exit}`, `{compass}`, `{destination}` and `{place}` are replaced with
/// values of a step. A part in square brackets, as in `Turn {direction}[ onto {name}]`, is omitted if one of its values
/// is missing. To add a language, create a value like ``english``.
public struct DirectionsLanguage: Hashable, Sendable {
    /// The language code (BCP 47), such as `en`.
    public var code: String
    /// A sentence for each manoeuvre.
    ///
    /// The one of ``PlannedRoute/Manoeuvre/Kind/turn`` replaces missing ones.
    public var sentences: [PlannedRoute.Manoeuvre.Kind: String]
    /// Sentences for combinations of manoeuvre and direction that need a different wording.
    public var special: [PlannedRoute.Manoeuvre.Kind: [PlannedRoute.Manoeuvre.Direction: String]]
    /// The values of `{direction}`.
    public var directions: [PlannedRoute.Manoeuvre.Direction: String]
    /// The eight compass points, clockwise from north.
    public var compass: [String]
    /// The ordinal words for `{exit}`, from the first.
    ///
    /// Further exits use a number and ``furtherExit``.
    public var exits: [String]
    /// The suffix for the number of an exit without a word.
    public var furtherExit: String
    /// The decimal separator.
    public var decimalMark: String
    /// The words for durations.
    public var times: Times

    /// The words for durations: hours, minutes, and less than a minute.
    public struct Times: Hashable, Sendable {
        /// The unit after a number of hours.
        public var hours: String
        /// The unit after a number of minutes.
        public var minutes: String
        /// The text for less than half a minute.
        public var less: String

        /// Creates the words.
        public init(hours: String, minutes: String, less: String) {
            self.hours = hours
            self.minutes = minutes
            self.less = less
        }
    }

    /// Creates a language.
    public init(
        code: String, sentences: [PlannedRoute.Manoeuvre.Kind: String],
        special: [PlannedRoute.Manoeuvre.Kind: [PlannedRoute.Manoeuvre.Direction: String]] = [:],
        directions: [PlannedRoute.Manoeuvre.Direction: String],
        compass: [String], exits: [String], furtherExit: String, decimalMark: String, times: Times
    ) {
        precondition(compass.count == 8, "eight points of the compass")
        self.code = code
        self.sentences = sentences
        self.special = special
        self.directions = directions
        self.compass = compass
        self.exits = exits
        self.furtherExit = furtherExit
        self.decimalMark = decimalMark
        self.times = times
    }

    /// The built-in languages.
    public static let all = [english, spanish]

    /// Returns the language for a code such as `es-MX`, or `nil`.
    public static func named(_ code: String) -> DirectionsLanguage? {
        LanguageLookup.first(for: [code], among: all, code: \.code)
    }
}

extension DirectionsLanguage {
    /// Returns the instruction for a step as a sentence without a full stop.
    ///
    /// - Parameter place: the name of the reached place for an arrival, or `nil`.
    public func sentence(for step: PlannedRoute.Step, place: String? = nil) -> String {
        let manoeuvre = step.manoeuvre
        let plain = sentences[manoeuvre.kind] ?? sentences[.turn] ?? "[{direction}]"
        let template = manoeuvre.direction.flatMap { special[manoeuvre.kind]?[$0] } ?? plain
        var name = step.name
        // Public transport has stops in place of road numbers.
        let isAtStop = manoeuvre.kind == .board || manoeuvre.kind == .alight
        if let reference = step.reference, !isAtStop {
            name = name.map { $0 == reference ? $0 : "\($0) (\(reference))" } ?? reference
        }
        var values: [String: String] = [:]
        values["name"] = name
        values["direction"] = manoeuvre.direction.flatMap { directions[$0] }
        values["exit"] = manoeuvre.exit.flatMap(exitWords)
        values["compass"] = manoeuvre.bearingAfter.flatMap(compassWord)
        values["destination"] = step.destination
        values["place"] = isAtStop ? step.reference : place
        return PhraseText.filled(template, values).split(separator: " ").joined(separator: " ")
    }

    private func exitWords(_ exit: Int) -> String? {
        guard exit > 0, exit < 100 else { return nil }
        return exit <= exits.count ? exits[exit - 1] : "\(exit)\(furtherExit)"
    }

    private func compassWord(_ bearing: Double) -> String? {
        guard bearing.isFinite, abs(bearing) <= 720 else { return nil }
        return compass[((Int((bearing / 45).rounded()) % 8) + 8) % 8]
    }

    /// Returns a distance: metres up to 1,000 (in tens above 100), then kilometres with one decimal.
    public func distance(_ meters: Double) -> String {
        guard meters.isFinite, meters >= 0, meters < 1e9 else { return "" }
        if meters < 995 {
            let rounded = meters < 100 ? meters.rounded() : (meters / 10).rounded() * 10
            return "\(Int(rounded)) m"
        }
        let tenths = Int((meters / 100).rounded())
        guard tenths < 1000, tenths % 10 != 0 else { return "\(Int((meters / 1000).rounded())) km" }
        return "\(tenths / 10)\(decimalMark)\(tenths % 10) km"
    }

    /// Returns a duration, rounded to minutes.
    public func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "" }
        let minutes = Int((seconds / 60).rounded())
        guard minutes > 0 else { return times.less }
        let hours = minutes / 60
        let rest = minutes % 60 == 0 && hours > 0 ? "" : "\(minutes % 60) \(times.minutes)"
        return hours > 0 ? "\(hours) \(times.hours)" + (rest.isEmpty ? "" : " \(rest)") : rest
    }
}
