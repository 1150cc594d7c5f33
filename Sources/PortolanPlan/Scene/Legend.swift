public import PortolanFeatures
public import PortolanWeb

/// What explains the layers of a picture.
public struct Legend: Equatable, Sendable {
    /// The part of one layer: a title, and what explains it.
    public struct Entry: Equatable, Sendable {
        /// What explains a layer.
        public enum Content: Equatable, Sendable {
            /// Nothing but the title.
            case titleOnly
            /// An image of the layer's service.
            case image(url: NamedURL)
            /// Samples of how features are drawn, and how many more ways there are.
            case symbols([Legend.Symbol], moreCount: Int)
        }

        /// The name of the map's layer.
        public let layer: String
        /// The title.
        public let title: String
        /// How opaque the layer is, 0 to 1.
        public let opacity: Double
        /// What explains the layer.
        public let content: Content

        /// Makes an entry.
        public init(layer: String, title: String, opacity: Double = 1, content: Content) {
            self.layer = layer
            self.title = title
            self.opacity = opacity
            self.content = content
        }

        /// The address of the service's image, or `nil` when there is none.
        public var imageURL: NamedURL? { if case .image(let url) = content { url } else { nil } }

        /// The resource that the service's image is, or `nil` when there is none.
        public var imageID: Resource.ID? { imageURL.map { Resource.ID(layer: layer, .legend(address: $0)) } }
    }

    /// The entries, the topmost layer's first.
    public let entries: [Entry]

    /// Makes a legend.
    public init(entries: [Entry]) {
        self.entries = entries
    }
}

extension Legend {
    /// A sample of how some features of a layer are drawn.
    public struct Symbol: Hashable, Sendable {
        /// What is drawn so.
        public enum Kind: Hashable, Sendable, CaseIterable {
            /// Marks at points.
            case mark
            /// Lines.
            case line
            /// Areas with their borders.
            case area
            /// The density of points, from none to the most.
            case heat
        }

        /// What is drawn so.
        public let kind: Kind
        /// How; only what counts for the kind is set.
        public let style: Style
        /// The address of the icon, or `nil` when there is none.
        public let iconURL: NamedURL?
        /// What the features have in common, in words; empty when the title of the layer says it.
        public var text: String

        /// Lines that are drawn beneath that of the style, such as its casing, the lowest first.
        public let linesBeneath: [LineSymbol]

        /// How density is coloured, or `nil` where something else is drawn.
        public let heat: HeatmapSymbol?

        /// Makes a sample.
        public init(
            kind: Kind, style: Style, iconURL: NamedURL? = nil, text: String = "", linesBeneath: [LineSymbol] = [],
            heat: HeatmapSymbol? = nil
        ) {
            self.heat = heat
            self.kind = kind
            self.style = style
            self.iconURL = iconURL
            self.text = text
            self.linesBeneath = linesBeneath
        }
    }
}
