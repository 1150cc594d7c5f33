public import PortolanFeatures
public import PortolanWeb

/// The legend of a picture.
public struct Legend: Equatable, Sendable {
    /// The legend of one layer: a title and its content.
    public struct Entry: Equatable, Sendable {
        /// The content of an entry.
        public enum Content: Equatable, Sendable {
            /// The title only.
            case titleOnly
            /// An image from the layer's service.
            case image(url: NamedURL)
            /// Samples of the feature styles, and the number of further styles.
            case symbols([Legend.Symbol], moreCount: Int)
        }

        /// The name of the map layer.
        public let layer: String
        /// The title.
        public let title: String
        /// The opacity of the layer, 0 to 1.
        public let opacity: Double
        /// The content.
        public let content: Content

        /// Creates an entry.
        public init(layer: String, title: String, opacity: Double = 1, content: Content) {
            self.layer = layer
            self.title = title
            self.opacity = opacity
            self.content = content
        }

        /// The address of the service's image, or `nil`.
        public var imageURL: NamedURL? { if case .image(let url) = content { url } else { nil } }

        /// The resource of the service's image, or `nil`.
        public var imageID: Resource.ID? { imageURL.map { Resource.ID(layer: layer, .legend(address: $0)) } }
    }

    /// The entries, with that of the topmost layer first.
    public let entries: [Entry]

    /// Creates a legend.
    public init(entries: [Entry]) {
        self.entries = entries
    }
}

extension Legend {
    /// A sample of a feature style.
    public struct Symbol: Hashable, Sendable {
        /// The kinds of samples.
        public enum Kind: Hashable, Sendable, CaseIterable {
            /// Marks at points.
            case mark
            /// Lines.
            case line
            /// Areas with their borders.
            case area
            /// The density of points, from none to the maximum.
            case heat
            /// A ramp of colours with ticks.
            case ramp
            /// Discs of different sizes, one in another.
            case discs
        }

        /// The kind of sample.
        public let kind: Kind
        /// The style; only properties that apply to the kind are set.
        public let style: Style
        /// The address of the icon, or `nil`.
        public let iconURL: NamedURL?
        /// The description of the features; empty if the layer title is sufficient.
        public var text: String

        /// Lines that are drawn below that of the style, such as its casing, the lowest first.
        public let linesBeneath: [LineSymbol]

        /// The colours of density, or `nil` for other kinds.
        public let heat: HeatmapSymbol?

        /// The steps of a ramp or of discs, the ends of the colours of density, or `nil` for other kinds.
        public let scale: Legend.Scale?

        /// Creates a sample.
        public init(
            kind: Kind, style: Style, iconURL: NamedURL? = nil, text: String = "", linesBeneath: [LineSymbol] = [],
            heat: HeatmapSymbol? = nil, scale: Legend.Scale? = nil
        ) {
            self.scale = scale ?? (heat == nil ? nil : .density)
            self.heat = heat
            self.kind = kind
            self.style = style
            self.iconURL = iconURL
            self.text = text
            self.linesBeneath = linesBeneath
        }

        /// The description, or the numbers of the scale if there is none.
        package var summary: String {
            let ticks = scale?.ticks.map(\.text).joined(separator: ", ") ?? ""
            return text.isEmpty || ticks.isEmpty ? text + ticks : "\(text): \(ticks)"
        }
    }
}
