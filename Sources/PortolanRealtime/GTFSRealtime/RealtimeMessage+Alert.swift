package import PortolanProtobuf

extension RealtimeMessage {
    /// A notice of service (Alert).
    public struct Alert: Hashable, Sendable {
        /// Why.
        public enum Cause: Int, Hashable, Sendable {
            case unknownCause = 1, otherCause, technicalProblem, strike, demonstration, accident, holiday, weather
            case maintenance, construction, policeActivity, medicalEmergency, specialEvent
        }

        /// What it does to the service.
        public enum Effect: Int, Hashable, Sendable {
            case noService = 1, reducedService, significantDelays, detour, additionalService, modifiedService
            case otherEffect, unknownEffect, stopMoved, noEffect, accessibilityIssue
        }

        /// How much it matters.
        public enum Severity: Int, Hashable, Sendable { case unknownSeverity = 1, info, warning, severe }

        /// When it holds; always where this is empty.
        public var periods: [TimeRange] = []
        /// What it is about.
        public var targets: [Selector] = []
        /// Why.
        public var cause: Cause?
        /// What it does to the service.
        public var effect: Effect?
        /// A page about it.
        public var url: TranslatedText?
        /// A title.
        public var header: TranslatedText?
        /// What there is to say.
        public var text: TranslatedText?
        /// The title to be spoken.
        public var spokenHeader: TranslatedText?
        /// What there is to say, to be spoken.
        public var spokenText: TranslatedText?
        /// How much it matters.
        public var severity: Severity?
        /// Why, in the agency's words.
        public var causeDetail: TranslatedText?
        /// What it does, in the agency's words.
        public var effectDetail: TranslatedText?

        /// Makes a notice.
        public init() {}
    }

    /// A time, in seconds since 1970; open where an end is `nil` (TimeRange).
    public struct TimeRange: Hashable, Sendable {
        /// The ends of it.
        public var start: UInt64?, end: UInt64?

        /// Makes a time.
        public init(start: UInt64? = nil, end: UInt64? = nil) {
            self.start = start
            self.end = end
        }
    }

    /// What a notice is about: what all of its parts name together (EntitySelector).
    public struct Selector: Hashable, Sendable {
        /// Identifiers of an agency, a line and a stop.
        public var agency: String?, route: String?, stop: String?
        /// What runs (`route_type`).
        public var routeType: Int?
        /// The trip.
        public var trip: TripDescriptor?
        /// The direction, 0 or 1.
        public var direction: Int?

        /// Makes a selector.
        public init() {}
    }

    /// A text in several languages (TranslatedString).
    public struct TranslatedText: Hashable, Sendable {
        /// What it is in each language.
        public var translations: [Translation] = []

        /// Makes a text.
        public init(_ translations: [Translation] = []) { self.translations = translations }
    }

    /// A text in one language (TranslatedString.Translation).
    public struct Translation: Hashable, Sendable {
        /// The text.
        public var text = ""
        /// The language (BCP 47), or `nil` where it is not told.
        public var language: String?

        /// Makes a text.
        public init(_ text: String, language: String? = nil) {
            self.text = text
            self.language = language
        }
    }
}

extension RealtimeMessage.Alert: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        switch field.number {
        case 1: try reader.append(field, to: &periods)
        case 5: try reader.append(field, to: &targets)
        case 6: cause = field.value(as: Cause.self) ?? cause
        case 7: effect = field.value(as: Effect.self) ?? effect
        case 8: try reader.read(field, into: &url)
        case 10: try reader.read(field, into: &header)
        case 11: try reader.read(field, into: &text)
        case 12: try reader.read(field, into: &spokenHeader)
        case 13: try reader.read(field, into: &spokenText)
        case 14: severity = field.value(as: Severity.self) ?? severity
        case 17: try reader.read(field, into: &causeDetail)
        case 18: try reader.read(field, into: &effectDetail)
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, periods)
        writer.write(5, targets)
        writer.write(6, cause)
        writer.write(7, effect)
        writer.write(8, url)
        writer.write(10, header)
        writer.write(11, text)
        writer.write(12, spokenHeader)
        writer.write(13, spokenText)
        writer.write(14, severity)
        writer.write(17, causeDetail)
        writer.write(18, effectDetail)
    }
}

extension RealtimeMessage.TimeRange: WireMessage {
    package init() { self.init(start: nil) }

    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: start = field.uint64 ?? start
        case 2: end = field.uint64 ?? end
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, start)
        writer.write(2, end)
    }
}

extension RealtimeMessage.Selector: WireMessage {
    package mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        switch field.number {
        case 1: agency = reader.text(field) ?? agency
        case 2: route = reader.text(field) ?? route
        case 3: routeType = field.int32 ?? routeType
        case 4: try reader.read(field, into: &trip)
        case 5: stop = reader.text(field) ?? stop
        case 6: direction = field.uint32 ?? direction
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, agency)
        writer.write(2, route)
        writer.write(3, routeType)
        writer.write(4, trip)
        writer.write(5, stop)
        writer.write(6, direction)
    }
}

extension RealtimeMessage.TranslatedText: WireMessage {
    package init() { self.init([]) }

    package mutating func take(_ field: WireField, from reader: inout WireReader) throws(WireError) {
        if field.number == 1 { try reader.append(field, to: &translations) }
    }

    package func write(to writer: inout WireWriter) { writer.write(1, translations) }
}

extension RealtimeMessage.Translation: WireMessage {
    package init() { self.init("") }

    package mutating func take(_ field: WireField, from reader: inout WireReader) {
        switch field.number {
        case 1: text = reader.text(field) ?? text
        case 2: language = reader.text(field) ?? language
        default: break
        }
    }

    package func write(to writer: inout WireWriter) {
        writer.write(1, text)
        writer.write(2, language)
    }
}
