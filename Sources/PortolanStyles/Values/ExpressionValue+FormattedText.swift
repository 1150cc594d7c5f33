extension ExpressionValue {
    /// A text in sections, some with their own format (MapLibre Style Specification, `format`).
    public struct FormattedText: Hashable, Sendable {
        /// A part of the text, or an image in it.
        public struct Section: Hashable, Sendable {
            /// The text; empty for an image.
            public var text: String
            /// The image in the text, or `nil`.
            public var image: ExpressionValue.ResolvedImage?
            /// The scale relative to the size of the label, or `nil` for 1.
            public var scale: Double?
            /// The font names, separated by commas, or `nil` for those of the label.
            public var fontStack: String?
            /// The colour, or `nil` for that of the label.
            public var color: StyleColor?
            /// `top`, `center` or `bottom`, or `nil` for the baseline.
            public var verticalAlign: String?
        }

        /// The sections in order.
        public var sections: [Section]

        /// Creates a text from sections.
        public init(sections: [Section]) { self.sections = sections }

        /// Creates a text with a single unformatted section.
        public init(_ text: String) { sections = [Section(text: text)] }

        /// The text of all sections.
        public var text: String { sections.map(\.text).joined() }
    }
}

extension ExpressionValue {
    /// The name of an image, and whether it is available.
    public struct ResolvedImage: Hashable, Sendable {
        /// The name in the sprite.
        public var name: String
        /// Whether the sprite contains it.
        public var isAvailable: Bool
    }
}

extension ExpressionValue {
    /// An anchor and the offset of a text from it, in ems, x right and y down.
    public struct AnchorOffset: Hashable, Sendable {
        /// One of the nine keywords of `text-anchor`.
        public var anchor: String
        /// To the right, in ems.
        public var x: Double
        /// Down, in ems.
        public var y: Double

        static let anchors: Set<String> = [
            "center", "left", "right", "top", "bottom", "top-left", "top-right", "bottom-left", "bottom-right",
        ]
    }
}

extension ExpressionValue {
    /// A text comparison (MapLibre Style Specification, `collator`).
    public struct Collator: Hashable, Sendable {
        /// Whether `a` and `A` differ.
        public var isCaseSensitive: Bool
        /// Whether `a` and `ä` differ.
        public var isDiacriticSensitive: Bool
        /// The language tag of the requested order, or `nil`.
        public var locale: String?
    }
}
