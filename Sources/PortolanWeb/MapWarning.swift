/// Something that a person should know about a picture, a file, a style or a service: a code to decide on, what it is about,
/// where it stands, and a sentence.
///
/// All readers, services and the renderer warn with this type, so that what was found while reading reaches the report of a
/// picture as it is.
public struct MapWarning: Hashable, Sendable, CustomStringConvertible {
    /// The topic of a warning; its raw value is the `code` of reports.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Makes a code of a layer source's own.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The consequence for what is drawn.
    public enum Effect: String, Hashable, Sendable, CaseIterable, Comparable, Codable {
        /// Nothing is lost: something is odd, or was understood without doubt.
        case note
        /// Input that a standard does not allow was read as its author most likely meant it.
        case repaired
        /// A property, key or option has no effect; its subject is drawn without it.
        case ignored
        /// A feature, label, layer or another part is not drawn or not read.
        case omitted

        /// Whether the second effect weighs more: a document of which something was repaired or omitted is refused by `--strict`,
        /// one with properties that have no effect is not.
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

    /// What a warning is about, from the whole to the part.
    public struct Subject: Hashable, Sendable {
        /// The name of the map layer, or `nil` if the warning concerns the whole map or no map at all.
        public var layer: String?
        /// The layer or rule of a style.
        public var styleLayer: String?
        /// The feature: its identifier, its name or its number in the file.
        public var feature: String?
        /// The property, key, element or member.
        public var member: String?

        /// Makes a subject.
        public init(
            layer: String? = nil, styleLayer: String? = nil, feature: String? = nil, member: String? = nil
        ) {
            self.layer = layer
            self.styleLayer = styleLayer
            self.feature = feature
            self.member = member
        }
    }

    /// Where the cause stands.
    public struct Place: Hashable, Sendable {
        /// The file or URL, without secrets.
        public var source: String?
        /// The line, from 1.
        public var line: Int?
        /// The offset in bytes from the start of the file.
        public var byteOffset: Int?

        /// Makes a place.
        public init(source: String? = nil, line: Int? = nil, byteOffset: Int? = nil) {
            self.source = source
            self.line = line
            self.byteOffset = byteOffset
        }
    }

    /// The topic.
    public let code: Code
    /// The consequence; `--strict` refuses documents of which something was repaired or omitted.
    public let effect: Effect
    /// What the warning is about.
    public var subject: Subject
    /// Where the cause stands, or `nil` if that is not known.
    public var place: Place?
    /// The cause and what was done about it, in one sentence.
    public let message: String
    /// The values that the member accepts, if its value is not one of them.
    package let expected: String?

    /// Makes a warning.
    public init(
        _ code: Code, _ subject: Subject, at place: Place? = nil, effect: Effect = .note, message: String
    ) {
        self.init(code, subject, at: place, effect: effect, expected: nil, message: message)
    }

    /// Makes a warning about a map layer, or about the whole map.
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

    /// The subject, the place and the message, in one line.
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

    /// The line, if it is known, and the message.
    package var placedMessage: String { place?.line.map { "line \($0): \(message)" } ?? message }

    /// The same warning about a map layer.
    package func about(layer: String) -> MapWarning {
        var warning = self
        warning.subject.layer = layer
        return warning
    }

    /// The same warning about a feature.
    package func about(feature: String) -> MapWarning {
        var warning = self
        warning.subject.feature = feature
        return warning
    }

    /// Whether something is missing on the picture, which then is not complete; what is drawn in another look, or comes out of
    /// date, is there.
    public var isLoss: Bool {
        switch code {
        case .notDrawn, .limited, .missingCharacter: true
        // What could not be read of a document or a service is not there either.
        case .data, .service, .unknownLayer, .refusedAddress: effect == .omitted
        default: false
        }
    }

    /// Whether the document is not read as it stands, so that `--strict` refuses it.
    package var changesDocument: Bool { effect == .repaired || effect == .omitted }

    /// The same warning with another message, as after secrets were removed.
    package func with(message: String) -> MapWarning {
        MapWarning(code, subject, at: place, effect: effect, expected: expected, message: message)
    }

    /// The same warning about what stands on a line.
    package func at(line: Int) -> MapWarning {
        var warning = self
        warning.place = Place(source: place?.source, line: line, byteOffset: place?.byteOffset)
        return warning
    }

    /// The same warning about a document, given by its path or URL.
    package func from(_ source: String) -> MapWarning {
        var warning = self
        warning.place = Place(source: source, line: place?.line, byteOffset: place?.byteOffset)
        return warning
    }
}

extension MapWarning.Code {
    // MARK: The view

    /// The view lies wholly outside what the layer covers.
    public static let outsideView = Self(rawValue: "outsideView")
    /// The layer cannot be drawn for this view at all.
    public static let notDrawn = Self(rawValue: "notDrawn")
    /// A part of the layer is not drawn at the scale of the view.
    public static let outOfScale = Self(rawValue: "outOfScale")
    /// Something is left out since there is too much of it.
    public static let limited = Self(rawValue: "limited")
    /// Something is drawn more simply since there is too much of it.
    public static let simplified = Self(rawValue: "simplified")
    /// Something is left out that needs a trait of the package, without which this program was built.
    ///
    /// It is no loss: every picture of this program lacks it, so that none would ever be complete.
    public static let notBuiltIn = Self(rawValue: "notBuiltIn")
    /// No font has a character.
    public static let missingCharacter = Self(rawValue: "missingCharacter")
    /// The legend, or a part of it, has no room.
    public static let legend = Self(rawValue: "legend")

    // MARK: Services and caches

    /// The service draws smaller images than the view needs.
    public static let sizeLimited = Self(rawValue: "sizeLimited")
    /// The service drew nothing, without saying why.
    public static let blank = Self(rawValue: "blank")
    /// Images are shown that are out of date.
    public static let stale = Self(rawValue: "stale")
    /// Images have another size than requested, and are stretched or shrunk.
    public static let imageSize = Self(rawValue: "imageSize")
    /// The cache cannot be used as wanted.
    public static let cache = Self(rawValue: "cache")
    /// A service was asked in another way than wanted, or its documents contradict themselves or a standard.
    public static let service = Self(rawValue: "service")

    // MARK: Data and styles

    /// The markup of a document breaks a rule of XML.
    public static let markup = Self(rawValue: "markup")
    /// Something in a file of features is odd, was repaired or left out.
    public static let data = Self(rawValue: "data")
    /// A style has something that is not drawn as it says.
    public static let style = Self(rawValue: "style")
    /// A key of a layer has no effect, or names a property that no feature has.
    public static let layerKey = Self(rawValue: "layerKey")

    // MARK: Documents

    /// The document is of a newer version; members that are not known are ignored.
    public static let newerVersion = Self(rawValue: "newerVersion")
    /// The document has a key that is not known.
    public static let unknownKey = Self(rawValue: "unknownKey")
    /// A layer is of an unknown kind, or none of its offerings can be drawn.
    public static let unknownLayer = Self(rawValue: "unknownLayer")
    /// A value is invalid, and was interpreted or ignored.
    public static let oddValue = Self(rawValue: "oddValue")
    /// The address of a layer leads where its document may not lead.
    public static let refusedAddress = Self(rawValue: "refusedAddress")
    /// The address of a layer has user names, passwords or keys, which are not written.
    public static let credentials = Self(rawValue: "credentials")
    /// The document that is written has no place for something.
    public static let notWritten = Self(rawValue: "notWritten")
    /// A layer, or the selected feature, no longer exists.
    public static let notRestored = Self(rawValue: "notRestored")
}
