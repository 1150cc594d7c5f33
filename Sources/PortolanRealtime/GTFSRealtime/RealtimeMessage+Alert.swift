package import PortolanProtobuf

extension RealtimeMessage {
    /// A service alert (Alert).
    public struct Alert: Hashable, Sendable {
        /// The cause.
        public enum Cause: Int, Hashable, Sendable {
            case unknownCause = 1, otherCause, technicalProblem, strike, demonstration, accident, holiday, weather
            case maintenance, construction, policeActivity, medicalEmergency, specialEvent
        }

        /// The effect on the service.
        public enum Effect: Int, Hashable, Sendable {
            case noService = 1, reducedService, significantDelays, detour, additionalService, modifiedService
            case otherEffect, unknownEffect, stopMoved, noEffect, accessibilityIssue
        }

        /// The severity.
        public enum Severity: Int, Hashable, Sendable { case unknownSeverity = 1, info, warning, severe }

        /// The active periods.
        ///
        /// An empty array means always.
        public var periods: [TimeRange] = []
        /// The affected services.
        public var targets: [Selector] = []
        /// The cause.
        public var cause: Cause?
        /// The effect on the service.
        public var effect: Effect?
        /// The URL of a page with details.
        public var url: TranslatedText?
        /// The title.
        public var header: TranslatedText?
        /// The text.
        public var text: TranslatedText?
        /// The title for text-to-speech.
        public var spokenHeader: TranslatedText?
        /// The text for text-to-speech.
        public var spokenText: TranslatedText?
        /// The severity.
        public var severity: Severity?
        /// The cause as described by the agency.
        public var causeDetail: TranslatedText?
        /// The effect as described by the agency.
        public var effectDetail: TranslatedText?

        /// Creates an alert.
        public init() {}
    }

    /// A time range in seconds since 1970; a `nil` end is open (TimeRange).
    public struct TimeRange: Hashable, Sendable {
        /// The start and the end.
        public var start: UInt64?, end: UInt64?

        /// Creates a time range.
        public init(start: UInt64? = nil, end: UInt64? = nil) {
            self.start = start
            self.end = end
        }
    }

    /// A selector of affected services.
    ///
    /// All of its properties must match (EntitySelector).
    public struct Selector: Hashable, Sendable {
        /// The identifiers of an agency, a line and a stop.
        public var agency: String?, route: String?, stop: String?
        /// The mode of transport (`route_type`).
        public var routeType: Int?
        /// The trip.
        public var trip: TripDescriptor?
        /// The direction, 0 or 1.
        public var direction: Int?

        /// Creates a selector.
        public init() {}
    }

    /// A text in several languages (TranslatedString).
    public struct TranslatedText: Hashable, Sendable {
        /// The text in each language.
        public var translations: [Translation] = []

        /// Creates a text.
        public init(_ translations: [Translation] = []) { self.translations = translations }
    }

    /// A text in one language (TranslatedString.Translation).
    public struct Translation: Hashable, Sendable {
        /// The text.
        public var text = ""
        /// The language (BCP 47), or `nil` if it is not specified.
        public var language: String?

        /// Creates a translation.
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
