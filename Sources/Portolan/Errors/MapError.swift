import PortolanWeb

/// The error of all operations on a map: connecting, rendering, reading and writing documents, seeding.
///
/// Decide on ``code``, to which new values may be added. ``place`` is the location of the problem. ``description``
/// combines the parts into one line without secrets.
///
/// ```swift
/// do { try await map.addWMS("https://example.org/wms", layers: ["rivers"]) } catch {
///     switch error.code {
///     case .timedOut, .network: showRetryButton()
///     case .httpStatus where error.httpStatus == 401: askForPassword()
///     default: show(error.description)
///     }
/// }
/// ```
public struct MapError: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure; more kinds may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, which stays the same in later versions.
        public let rawValue: String

        /// Creates a code of a name, such as one of an app's own layer kind.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The name of the code.
        public var description: String { rawValue }
    }

    /// The file or URL with the problem, and the position in it.
    public struct Place: Hashable, Sendable {
        /// The path of the file, or `nil`.
        public var file: String?
        /// The URL without secrets, or `nil`.
        public var url: String?
        /// The line, counted from 1, or `nil` if unknown.
        public var line: Int?
        /// The column, counted from 1, or `nil` if unknown.
        public var column: Int?
        /// The byte offset, counted from 0, or `nil` if unknown.
        public var byte: Int?

        /// Creates a location.
        public init(
            file: String? = nil, url: String? = nil, line: Int? = nil, column: Int? = nil, byte: Int? = nil
        ) {
            (self.file, self.url) = (file, url)
            (self.line, self.column, self.byte) = (line, column, byte)
        }
    }

    /// The kind of failure.
    public var code: Code
    /// The item that failed, such as `layer 'roads'`, or `nil` if it is the file or URL of ``place``.
    public var subject: String?
    /// The cause, as a phrase that follows the subject.
    public var reason: String
    /// The next step for the user, or `nil`.
    public var remedy: String?
    /// Known names that resemble an unknown one, the nearest first.
    public var suggestions: [String] = []
    /// The file or URL with the problem, or `nil`.
    public var place: Place?
    /// The HTTP status of the failed response, or `nil`.
    public var httpStatus: Int?
    /// The error of an inner part that caused this one, or `nil`.
    public var underlying: (any Error)?

    /// The package's inner error, for the commands and the server.
    package var inner: (any Error)?

    /// The line that the commands and the server print, in the stable wording of the inner error.
    package var sentence: String { (inner as? any Error & CustomStringConvertible)?.description ?? description }

    /// Creates an error, for example of a custom layer kind.
    ///
    /// - Parameters:
    ///   - subject: the item that failed, if it is not the file or URL of `place`.
    ///   - reason: the cause, as a phrase that follows the subject.
    ///   - remedy: the next step for the user.
    public init(
        _ code: Code, subject: String? = nil, _ reason: String, remedy: String? = nil, suggestions: [String] = [],
        place: Place? = nil, httpStatus: Int? = nil, underlying: (any Error)? = nil
    ) {
        self.code = code
        self.subject = subject
        self.reason = reason
        self.remedy = remedy
        self.suggestions = suggestions
        self.place = place
        self.httpStatus = httpStatus
        self.underlying = underlying
    }

    /// The reason, the suggestions and the remedy in one line, without the subject and the place.
    public var message: String {
        var text = reason
        if suggestions.isEmpty {
            text += remedy.map { "; " + $0 } ?? ""
        } else {
            text += "; did you mean \(suggestions.map { "'\($0)'" }.joined(separator: " or "))?"
            text += remedy.map { " " + $0.prefix(1).uppercased() + $0.dropFirst() } ?? ""
        }
        return text.inOneLine(limit: 4000)
    }

    /// The subject, the place, the reason and the remedy in one line.
    public var description: String {
        var head = [subject ?? place?.file ?? place?.url].compactMap(\.self)
        if let line = place?.line { head.append("line \(line)") }
        if let column = place?.column { head.append("column \(column)") }
        if let byte = place?.byte { head.append("byte \(byte)") }
        return ((head.isEmpty ? "" : head.joined(separator: ", ") + ": ") + message).inOneLine(limit: 4000)
    }
}

extension MapError: Hashable {
    /// Returns whether two errors are equal, without comparing the underlying errors.
    public static func == (one: MapError, other: MapError) -> Bool {
        one.code == other.code && one.subject == other.subject && one.reason == other.reason
            && one.remedy == other.remedy && one.suggestions == other.suggestions && one.place == other.place
            && one.httpStatus == other.httpStatus
    }

    /// Hashes the parts that are compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(subject)
        hasher.combine(reason)
        hasher.combine(place)
    }
}

extension MapError.Code {
    // MARK: The call

    /// An argument or the value of a key is invalid.
    public static let invalidArgument = Self(rawValue: "invalidArgument")
    /// A layer, group, feature, key or kind with this name does not exist.
    public static let unknownName = Self(rawValue: "unknownName")
    /// An item with this name or content already exists.
    public static let duplicate = Self(rawValue: "duplicate")
    /// The name is reserved for a built-in layer of the map.
    public static let reservedName = Self(rawValue: "reservedName")
    /// The coordinates are outside the area that the map's CRS can show.
    public static let outsideMap = Self(rawValue: "outsideMap")
    /// The coordinate reference system is unknown, or coordinates cannot be transformed to or from it.
    public static let unsupportedCRS = Self(rawValue: "unsupportedCRS")
    /// The program was built without the required package trait.
    public static let notBuiltIn = Self(rawValue: "notBuiltIn")
    /// The task was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// A limit of memory, bytes, pixels or counts was exceeded.
    public static let tooLarge = Self(rawValue: "tooLarge")

    // MARK: Files and documents

    /// The file, route or entry does not exist.
    public static let notFound = Self(rawValue: "notFound")
    /// The file exists but cannot be read.
    public static let unreadableFile = Self(rawValue: "unreadableFile")
    /// The file cannot be written.
    public static let unwritableFile = Self(rawValue: "unwritableFile")
    /// Another process uses the file.
    public static let busy = Self(rawValue: "busy")
    /// The format of the content is unknown, or differs from the expected one.
    public static let unknownFormat = Self(rawValue: "unknownFormat")
    /// The content is invalid for its format.
    public static let malformedDocument = Self(rawValue: "malformedDocument")
    /// The document, layer or extent contains no item of the requested kind.
    public static let nothingFound = Self(rawValue: "nothingFound")

    // MARK: Services

    /// A policy of URLs, of a provider or of a server forbids the operation.
    public static let notAllowed = Self(rawValue: "notAllowed")
    /// The service does not offer the requested item.
    public static let notOffered = Self(rawValue: "notOffered")
    /// The service answered with an exception document; see ``MapError/serviceException``.
    public static let serviceException = Self(rawValue: "serviceException")
    /// The server answered with an error status; see ``MapError/httpStatus``.
    public static let httpStatus = Self(rawValue: "httpStatus")
    /// The server failed too often, or requested a pause.
    public static let unavailable = Self(rawValue: "unavailable")
    /// A time limit expired.
    public static let timedOut = Self(rawValue: "timedOut")
    /// The host is unknown or cannot be reached, or the connection was lost.
    public static let network = Self(rawValue: "network")
    /// TLS failed, in most cases because the certificate is not trusted.
    public static let tls = Self(rawValue: "tls")
    /// Offline mode is on and the item is not in the cache.
    public static let offline = Self(rawValue: "offline")

    // MARK: Drawing

    /// Every resource of the view failed, so that there is nothing to draw.
    public static let nothingDrawn = Self(rawValue: "nothingDrawn")
    /// More resources are missing than the caller allows.
    public static let incomplete = Self(rawValue: "incomplete")
    /// Text cannot be drawn because no font is available.
    public static let noFont = Self(rawValue: "noFont")
    /// Any other failure.
    public static let failed = Self(rawValue: "failed")
}
