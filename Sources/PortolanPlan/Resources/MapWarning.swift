import PortolanGeo
package import PortolanStyles

/// Something that a person should know about a picture: a code to decide on, and a sentence.
public struct MapWarning: Hashable, Sendable, CustomStringConvertible {
    /// What a warning is about; its raw value is the `code` of reports.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Makes a code of a source's own.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The view lies wholly outside what the layer covers.
        public static let outsideView = Code(rawValue: "outsideView")
        /// The layer cannot be drawn for this view at all.
        public static let notDrawn = Code(rawValue: "notDrawn")
        /// A part of the layer is not drawn at the scale of the view.
        public static let outOfScale = Code(rawValue: "outOfScale")
        /// The service draws smaller images than the view needs.
        public static let sizeLimited = Code(rawValue: "sizeLimited")
        /// The service drew nothing, without saying why.
        public static let blank = Code(rawValue: "blank")
        /// Images are shown that are out of date.
        public static let stale = Code(rawValue: "stale")
        /// Something is left out since there is too much of it.
        public static let limited = Code(rawValue: "limited")
        /// Something is drawn more simply since there is too much of it.
        public static let simplified = Code(rawValue: "simplified")
        /// Images have another size than was asked for, and are stretched or shrunk.
        public static let imageSize = Code(rawValue: "imageSize")
        /// A style says what cannot be.
        public static let style = Code(rawValue: "style")
        /// No font has a character.
        public static let missingCharacter = Code(rawValue: "missingCharacter")
        /// The legend, or a part of it, has no room.
        public static let legend = Code(rawValue: "legend")
        /// The cache cannot be used as wanted.
        public static let cache = Code(rawValue: "cache")
        /// A service was asked otherwise than wanted, or says odd things of itself.
        public static let service = Code(rawValue: "service")
    }

    /// What it is about.
    public let code: Code
    /// The name of the layer, or `nil` where it is about the whole picture.
    public let layer: String?
    /// What is wrong, in one sentence.
    public private(set) var message: String
    /// The finding about a style that it comes of, or `nil` for any other.
    package private(set) var style: StyleWarning?

    /// Makes a warning.
    public init(_ code: Code, layer: String? = nil, message: String) {
        self.code = code
        self.layer = layer
        self.message = message
    }

    /// Makes a warning of a finding about a style: a layer that is not drawn, or a look that is another.
    init(_ finding: StyleWarning, layer: String) {
        self.init(finding.isLoss ? .notDrawn : .style, layer: layer, message: finding.description)
        style = finding
    }

    /// The warning in other words.
    package func saying(_ message: String) -> MapWarning {
        var warning = self
        warning.message = message
        return warning
    }

    /// Whether something is missing on the picture for it, which is then not complete; what is drawn in another look, or comes
    /// out of date, is there.
    public var isLoss: Bool {
        switch code {
        case .notDrawn, .limited, .missingCharacter: true
        default: false
        }
    }

    /// The layer and what is wrong.
    public var description: String { layer.map { "layer '\($0)': \(message)" } ?? message }
}

extension MapWarning {
    /// That a view lies wholly outside what the system of a source can show.
    static func nothingToAsk(in crs: CRS) -> String {
        "nothing of the view can be had in \(crs), in which the layer comes"
    }
}
