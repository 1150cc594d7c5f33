import PortolanWeb

/// The words of directions in one language: a sentence for each manoeuvre, and the words that stand in them.
///
/// In a sentence `{direction}`, `{name}`, `{exit}`, `{compass}`, `{destination}` and `{place}` stand for what a step has. What stands in square
/// brackets is left out where a step has none of what it names, as `Turn {direction}[ onto {name}]`. A further language is one
/// more value like ``english``.
public struct DirectionsLanguage: Hashable, Sendable {
    /// The code of the language (BCP 47), as `en`.
    public var code: String
    /// A sentence for each manoeuvre; the one of ``Manoeuvre/Kind/turn`` stands in for what is missing.
    public var sentences: [Manoeuvre.Kind: String]
    /// Sentences for manoeuvres in one direction, where that of the manoeuvre does not do.
    public var special: [Manoeuvre.Kind: [Manoeuvre.Direction: String]]
    /// What stands for `{direction}`.
    public var directions: [Manoeuvre.Direction: String]
    /// The eight points of the compass from north on, clockwise.
    public var compass: [String]
    /// What stands for `{exit}`, from the first on; a number and ``furtherExit`` beyond.
    public var exits: [String]
    /// What follows the number of an exit that has no word.
    public var furtherExit: String
    /// The mark between whole and decimals.
    public var decimalMark: String
    /// Words of times: hours, minutes, and what is less than one minute.
    public var times: Times

    /// Words of times.
    public struct Times: Hashable, Sendable {
        /// After a number of hours.
        public var hours: String
        /// After a number of minutes.
        public var minutes: String
        /// For less than half a minute.
        public var less: String

        /// Makes words.
        public init(hours: String, minutes: String, less: String) {
            self.hours = hours
            self.minutes = minutes
            self.less = less
        }
    }

    /// Makes a language.
    public init(
        code: String, sentences: [Manoeuvre.Kind: String],
        special: [Manoeuvre.Kind: [Manoeuvre.Direction: String]] = [:], directions: [Manoeuvre.Direction: String],
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

    /// The languages that come with Portolan.
    public static let all = [english, spanish]

    /// The language for a code such as `es-MX`, or `nil` when there is none.
    public static func named(_ code: String) -> DirectionsLanguage? {
        LanguageLookup.first(for: [code], among: all, code: \.code)
    }
}

extension DirectionsLanguage {
    /// What to do at a step, in one sentence without a full stop.
    ///
    /// - Parameter place: what the place is called that an arrival reaches, or `nil` when it has no name.
    public func sentence(for step: RouteStep, place: String? = nil) -> String {
        let manoeuvre = step.manoeuvre
        let plain = sentences[manoeuvre.kind] ?? sentences[.turn] ?? "{direction}"
        let template = manoeuvre.direction.flatMap { special[manoeuvre.kind]?[$0] } ?? plain
        var name = step.name
        if let reference = step.reference, manoeuvre.kind != .board {
            name = name.map { $0 == reference ? $0 : "\($0) (\(reference))" } ?? reference
        }
        var values: [String: String] = [:]
        values["name"] = name
        values["direction"] = manoeuvre.direction.flatMap { directions[$0] }
        values["exit"] = manoeuvre.exit.flatMap(exitWords)
        values["compass"] = manoeuvre.bearingAfter.flatMap(compassWord)
        values["destination"] = step.destination
        values["place"] = manoeuvre.kind == .board ? step.reference : place
        return DirectionsLanguage.filled(template, values)
    }

    private func exitWords(_ exit: Int) -> String? {
        guard exit > 0, exit < 100 else { return nil }
        return exit <= exits.count ? exits[exit - 1] : "\(exit)\(furtherExit)"
    }

    private func compassWord(_ bearing: Double) -> String? {
        guard bearing.isFinite, abs(bearing) <= 720 else { return nil }
        return compass[((Int((bearing / 45).rounded()) % 8) + 8) % 8]
    }

    /// A sentence with its values; brackets whose values are missing are left out.
    private static func filled(_ template: String, _ values: [String: String]) -> String {
        // What stands before a bracket and outside all of them is whole; what is within one waits for its end.
        var (result, bracket, name) = ("", "", "")
        var isBracket = false
        var isName = false
        var isMissing = false
        func add(_ text: String) { if isBracket { bracket += text } else { result += text } }
        for character in template {
            switch character {
            case "{": (isName, name) = (true, "")
            case "}":
                isName = false
                if let value = values[name] { add(value) } else { isMissing = true }
            case "[": (isBracket, bracket, isMissing) = (true, "", false)
            case "]":
                isBracket = false
                if !isMissing { result += bracket }
            default: if isName { name.append(character) } else { add(String(character)) }
            }
        }
        return result.split(separator: " ").joined(separator: " ")
    }

    /// A distance in words: metres up to a thousand, in tens above a hundred, then kilometres with one decimal.
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

    /// A time in words, to the minute.
    public func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "" }
        let minutes = Int((seconds / 60).rounded())
        guard minutes > 0 else { return times.less }
        let hours = minutes / 60
        let rest = minutes % 60 == 0 && hours > 0 ? "" : "\(minutes % 60) \(times.minutes)"
        return hours > 0 ? "\(hours) \(times.hours)" + (rest.isEmpty ? "" : " \(rest)") : rest
    }
}
