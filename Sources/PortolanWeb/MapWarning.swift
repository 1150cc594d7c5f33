/// A warning about a picture, file, style or service: a code for decisions, the subject, the location, and a message.
///
/// All readers, services and the renderer use this type, so that warnings found while reading appear unchanged in the
/// report of a picture.
public struct MapWarning: Hashable, Sendable, CustomStringConvertible {
    /// The topic of a warning; its raw value is the `code` of reports.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a custom code for a layer source.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The effect on the result.
    public enum Effect: String, Hashable, Sendable, CaseIterable, Comparable, Codable {
        /// Nothing is lost: the input is unusual, or was interpreted without ambiguity.
        case note
        /// Input that violates a standard was read as its author most likely meant it.
        case repaired
        /// A property, key or option has no effect; its subject is drawn without it.
        case ignored
        /// A feature, label, layer or another part is not drawn or not read.
        case omitted

        /// Returns whether the second effect is more severe.
        ///
        /// `--strict` rejects documents with repaired or omitted parts, but not those with ignored properties.
        public static func < (one: Effect, other: Effect) -> Bool { one.rank < other.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .ignored: 1
            case .repaired: 2
            case .omitted: 3
            }
        }
    }

    /// The subject of a warning, from the whole to the part.
    public struct Subject: Hashable, Sendable {
        /// The name of the map layer, or `nil` if the warning concerns the whole map or no map at all.
        public var layer: String?
        /// The layer or rule of a style.
        public var styleLayer: String?
        /// The feature: its identifier, its name or its index in the file.
        public var feature: String?
        /// The property, key, element or member.
        public var member: String?

        /// Creates a subject.
        public init(
            layer: String? = nil, styleLayer: String? = nil, feature: String? = nil, member: String? = nil
        ) {
            self.layer = layer
            self.styleLayer = styleLayer
            self.feature = feature
            self.member = member
        }
    }

    /// The location of the cause.
    public struct Place: Hashable, Sendable {
        /// The file or URL, without secrets.
        public var source: String?
        /// The line number, starting at 1.
        public var line: Int?
        /// The offset in bytes from the start of the file.
        public var byteOffset: Int?

        /// Creates a location.
        public init(source: String? = nil, line: Int? = nil, byteOffset: Int? = nil) {
            self.source = source
            self.line = line
            self.byteOffset = byteOffset
        }
    }

    /// The topic.
    public let code: Code
    /// The effect; `--strict` rejects documents with repaired or omitted parts.
    public let effect: Effect
    /// The subject.
    public var subject: Subject
    /// The location of the cause, or `nil` if unknown.
    public var place: Place?
    /// The cause and its handling, in one sentence.
    public let message: String
    /// The values that the member accepts, if its value is not one of them.
    package let expected: String?

    /// Creates a warning.
    public init(
        _ code: Code, _ subject: Subject, at place: Place? = nil, effect: Effect = .note, message: String
    ) {
        self.init(code, subject, at: place, effect: effect, expected: nil, message: message)
    }

    /// Creates a warning about a map layer, or about the whole map.
    public init(_ code: Code, layer: String? = nil, effect: Effect = .note, message: String) {
        self.init(code, Subject(layer: layer), effect: effect, message: message)
    }

    package init(
        _ code: Code, _ subject: Subject, at place: Place? = nil, effect: Effect, expected: String?, message: String
    ) {
        self.code = code
        self.effect = effect
        self.subject = subject
        self.place = place
        self.expected = expected
        self.message = message.inOneLine(limit: 2000)
    }

    /// The name of the map layer, or `nil` if the warning is about the whole map.
    public var layer: String? { subject.layer }

    /// The subject, the location and the message, in one line.
    public var description: String {
        (subject.layer.map { "layer '\($0)': \(detail)" } ?? detail).inOneLine(limit: 2000)
    }

    /// The warning in one line, without the name of the map layer.
    public var detail: String {
        var text = place?.source.map { "\($0): " } ?? ""
        if let line = place?.line { text += "line \(line): " }
        let subjects = [subject.styleLayer.map { "layer '\($0)'" }, subject.feature.map { "feature \($0)" }]
        let whole = subjects.compactMap(\.self).joined(separator: ", ")
        if let member = subject.member {
            text += whole.isEmpty ? "" : whole + (subject.feature == nil ? ", " : ": ")
            text += member + ": "
        } else if !whole.isEmpty {
            text += whole + ": "
        }
        text += message
        if let byteOffset = place?.byteOffset { text += " (byte \(byteOffset))" }
        return text.inOneLine(limit: 2000)
    }

    /// The line number, if known, and the message.
    package var placedMessage: String { place?.line.map { "line \($0): \(message)" } ?? message }

    /// Returns the same warning about a map layer.
    package func about(layer: String) -> MapWarning {
        var warning = self
        warning.subject.layer = layer
        return warning
    }

    /// Returns the same warning about a feature.
    package func about(feature: String) -> MapWarning {
        var warning = self
        warning.subject.feature = feature
        return warning
    }

    /// Whether the picture is incomplete.
    ///
    /// Content drawn with another appearance or from stale data is not missing.
    public var isLoss: Bool {
        switch code {
        case .notDrawn, .limited, .missingCharacter: true
        // Parts of a document or service that could not be read are missing as well.
        case .data, .service, .unknownLayer, .refusedAddress: effect == .omitted
        default: false
        }
    }

    /// Whether the document is not used exactly as written, so that `--strict` rejects it.
    package var changesDocument: Bool { effect == .repaired || effect == .omitted }

    /// Returns the same warning with another message, for example after secrets were removed.
    package func with(message: String) -> MapWarning {
        MapWarning(code, subject, at: place, effect: effect, expected: expected, message: message)
    }

    /// Returns the same warning about a line.
    package func at(line: Int) -> MapWarning {
        var warning = self
        warning.place = Place(source: place?.source, line: line, byteOffset: place?.byteOffset)
        return warning
    }

    /// Returns the same warning about a document, given by its path or URL.
    package func from(_ source: String) -> MapWarning {
        var warning = self
        warning.place = Place(source: source, line: place?.line, byteOffset: place?.byteOffset)
        return warning
    }
}

extension MapWarning.Code {
    // MARK: The view

    /// The view is entirely outside the extent of the layer.
    public static let outsideView = Self(rawValue: "outsideView")
    /// The layer cannot be drawn in this view at all.
    public static let notDrawn = Self(rawValue: "notDrawn")
    /// A part of the layer is not drawn at the scale of the view.
    public static let outOfScale = Self(rawValue: "outOfScale")
    /// Content is omitted because a limit was exceeded.
    public static let limited = Self(rawValue: "limited")
    /// Content is simplified because a limit was exceeded.
    public static let simplified = Self(rawValue: "simplified")
    /// Content is omitted because it needs a package trait that this build lacks.
    ///
    /// It does not count as a loss: every picture of this program lacks it, so none would ever be complete.
    public static let notBuiltIn = Self(rawValue: "notBuiltIn")
    /// No font has the character.
    public static let missingCharacter = Self(rawValue: "missingCharacter")
    /// The legend, or a part of it, does not fit.
    public static let legend = Self(rawValue: "legend")
    /// An inset does not fit, or shows hardly more than the map.
    public static let inset = Self(rawValue: "inset")

    // MARK: Services and caches

    /// The service's maximum image size is smaller than the view needs.
    public static let sizeLimited = Self(rawValue: "sizeLimited")
    /// The service returned a blank image without an explanation.
    public static let blank = Self(rawValue: "blank")
    /// Stale images are shown.
    public static let stale = Self(rawValue: "stale")
    /// Images have another size than requested, and are scaled.
    public static let imageSize = Self(rawValue: "imageSize")
    /// The cache cannot be used as configured.
    public static let cache = Self(rawValue: "cache")
    /// A service was requested differently than configured, or its documents contradict themselves or a standard.
    public static let service = Self(rawValue: "service")

    // MARK: Data and styles

    /// The markup of a document violates the XML syntax.
    public static let markup = Self(rawValue: "markup")
    /// Data in a feature file is unusual, was repaired or omitted.
    public static let data = Self(rawValue: "data")
    /// A style property cannot be drawn exactly as specified.
    public static let style = Self(rawValue: "style")
    /// A key of a layer has no effect, or names a property that no feature has.
    public static let layerKey = Self(rawValue: "layerKey")

    // MARK: Documents

    /// The document has a newer version; unknown members are ignored.
    public static let newerVersion = Self(rawValue: "newerVersion")
    /// The document has an unknown key.
    public static let unknownKey = Self(rawValue: "unknownKey")
    /// A layer has an unknown kind, or none of its offerings can be drawn.
    public static let unknownLayer = Self(rawValue: "unknownLayer")
    /// A value is invalid, and was interpreted or ignored.
    public static let oddValue = Self(rawValue: "oddValue")
    /// The document may not refer to the URL of a layer.
    public static let refusedAddress = Self(rawValue: "refusedAddress")
    /// The URL of a layer contains user names, passwords or keys, which are not written.
    public static let credentials = Self(rawValue: "credentials")
    /// The format of the written document does not support a property.
    public static let notWritten = Self(rawValue: "notWritten")
    /// A layer, or the selected feature, no longer exists.
    public static let notRestored = Self(rawValue: "notRestored")
}
