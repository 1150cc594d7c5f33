extension ExpressionValue {
    /// A text in sections, some with looks of their own (MapLibre Style Specification, `format`).
    public struct FormattedText: Hashable, Sendable {
        /// A part of the text, or a picture in it.
        public struct Section: Hashable, Sendable {
            /// The words, nothing beside a picture.
            public var text: String
            /// The picture that stands in the text, or `nil` for words.
            public var image: ExpressionValue.ResolvedImage?
            /// How many times as large as the label's size, or `nil` for as large.
            public var scale: Double?
            /// The names of the fonts with commas, or `nil` for those of the label.
            public var fontStack: String?
            /// The colour, or `nil` for that of the label.
            public var color: StyleColor?
            /// `top`, `center` or `bottom`, or `nil` for on the line.
            public var verticalAlign: String?
        }

        /// The sections in their order.
        public var sections: [Section]

        /// Makes a text of sections.
        public init(sections: [Section]) { self.sections = sections }

        /// Makes a text of one section that looks as its label.
        public init(_ text: String) { sections = [Section(text: text)] }

        /// The words of all sections.
        public var text: String { sections.map(\.text).joined() }
    }
}

extension ExpressionValue {
    /// The name of a picture, and whether it is there.
    public struct ResolvedImage: Hashable, Sendable {
        /// The name in the sprite.
        public var name: String
        /// Whether the sprite has it.
        public var isAvailable: Bool
    }
}

extension ExpressionValue {
    /// An anchor and the offset of a text from it, in ems, x right and y down.
    public struct AnchorOffset: Hashable, Sendable {
        /// One of the nine words of `text-anchor`.
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
    /// How texts are compared (MapLibre Style Specification, `collator`).
    public struct Collator: Hashable, Sendable {
        /// Whether `a` and `A` differ.
        public var isCaseSensitive: Bool
        /// Whether `a` and `ä` differ.
        public var isDiacriticSensitive: Bool
        /// The language tag whose order was asked for, or `nil` for none.
        public var locale: String?
    }
}
