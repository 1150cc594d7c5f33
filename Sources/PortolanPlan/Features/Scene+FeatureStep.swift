public import PortolanFeatures
public import PortolanGeo
package import PortolanRaster
import PortolanStyles
public import PortolanWeb

extension Scene {
    /// Features to draw, each with its style.
    ///
    /// The features stay in their source: a step says which of them are shown, and in which state.
    public struct FeatureStep: Sendable {
        /// How far outside the view a feature may lie and still reach into it with its symbol, in view pixels.
        package static let symbolReach = 256.0

        /// One of the features that the view may show.
        package struct Shown: Sendable {
            /// Its place in the source.
            package let place: Int32
            /// The number of its look.
            package let look: Int32
            /// The number of its icon's address, or -1 when it has none.
            package let icon: Int32
            /// Whether it is shown as selected.
            package let isSelected: Bool
        }

        /// Where the features are and how they look, shared by the copies of a step: as values both are large.
        package final class Content: Sendable {
            /// Where the features are.
            package let source: FeatureSource
            /// How they look.
            package let looks: StyleTable

            init(_ source: FeatureSource, _ looks: StyleTable) {
                self.source = source
                self.looks = looks
            }
        }

        /// Where the features are and how they look, to be reached without a copy of either.
        package let content: Content

        /// Where the features are.
        package var source: FeatureSource { content.source }

        /// How they look.
        package var looks: StyleTable { content.looks }

        /// A number that no step has whose features look otherwise; the selection is no part of it.
        package let contentID: UInt64

        /// The features that the view may show, in drawing order.
        package let shown: [Shown]

        /// The addresses of icons, each once.
        package let icons: [NamedURL]

        /// The size in view pixels in which each icon is drawn at the largest, or `nil` where its own decides.
        let iconSizes: [ImageSize?]

        /// How far eastward copies of the features are drawn, in units of the map's CRS, where the view shows the world more
        /// than once.
        public let worldShifts: [Double]

        /// How far to the right and down all is drawn of its place, in view pixels.
        package private(set) var translation = Point(x: 0, y: 0)

        /// How large the mark above a selected point is, in view pixels; 0 for none.
        public let selectionMarkSize: Double

        /// The colour of that mark.
        package var selectionMarkColor: MapColor { content.source.selectionMarkColor }

        /// Makes a step of features of a source.
        init(
            _ source: FeatureSource, looks: StyleTable? = nil, contentID: UInt64? = nil, shown: [Shown] = [],
            icons: [NamedURL] = [], iconSizes: [ImageSize?] = [], worldShifts: [Double] = [0]
        ) {
            content = Content(source, looks ?? source.looks)
            self.contentID = contentID ?? source.contentID
            self.shown = shown
            self.icons = icons
            self.iconSizes = iconSizes
            self.worldShifts = worldShifts
            selectionMarkSize = source.selectionMarkSize
        }

        /// Whether it is the ground under all, where nothing is to be found.
        package private(set) var isGround = false

        /// The step as the ground under all.
        var asGround: Scene.FeatureStep {
            var step = self
            step.isGround = true
            return step
        }

        /// The colour that covers all of the picture where the step is the ground and leaves nothing else to be seen, or `nil`.
        package var groundColor: MapColor? {
            guard isGround, shown.count == 1, let look = shown.first?.look,
                let fill = content.looks.styles[Int(look)].default.fill, fill.pattern == nil, fill.color.alpha == 255
            else { return nil }
            return fill.color
        }

        /// The rule of a style that the step comes of, or `nil` where there is none.
        private(set) var rule: StyleRule?

        /// The step as what a rule of a style draws.
        func ruled(by rule: StyleRule) -> Scene.FeatureStep {
            var step = self
            step.rule = rule
            return step
        }

        /// The step drawn beside its place.
        func moved(by translation: Point) -> Scene.FeatureStep {
            var step = self
            step.translation = translation
            return step
        }

        /// Makes a step of points in longitude and latitude, all shown, in drawing order.
        ///
        /// - Parameters:
        ///   - styles: the looks, and the number of that of each point.
        ///   - marks: where the marks are kept for the next picture.
        ///   - viewport: what decides in how many copies of the world they are seen.
        /// - Complexity: O(points).
        package init(
            points: [Feature], styles: [StyleSet], numbers: [Int32], marks: PreparedMarks, in viewport: Viewport
        ) {
            let source = FeatureSource(
                points: points, looks: StyleTable(styles: styles, numbers: numbers), marks: marks)
            content = Content(source, source.looks)
            contentID = source.contentID
            shown = points.indices.map { Shown(place: Int32($0), look: numbers[$0], icon: -1, isSelected: false) }
            icons = []
            iconSizes = []
            worldShifts = PortolanPlan.worldShifts(of: viewport.crs, in: viewport.extent(margin: Self.symbolReach))
            selectionMarkSize = 0
        }

        /// Makes a step.
        ///
        /// - Complexity: O(coordinates of the features).
        public init(
            crs: CRS, features: [Scene.StyledFeature], worldShifts: [Double] = [0], selectionMarkSize: Double = 0
        ) {
            var source = FeatureSource(features: [], crs: crs)
            var shown: [Shown] = [], icons: [NamedURL] = [], numbers: [NamedURL: Int32] = [:]
            for (place, styled) in features.enumerated() {
                source.append(styled.feature, style: styled.style)
                var icon: Int32 = -1
                if let url = styled.iconURL {
                    icon = numbers[url] ?? Int32(icons.count)
                    if icon == icons.count {
                        numbers[url] = icon
                        icons.append(url)
                    }
                }
                shown.append(
                    Shown(
                        place: Int32(place), look: source.looks.numbers[place], icon: icon,
                        isSelected: styled.isSelected))
            }
            content = Content(source, source.looks)
            contentID = source.contentID
            self.shown = shown
            self.icons = icons
            iconSizes = icons.map { _ in nil }
            self.worldShifts = worldShifts
            self.selectionMarkSize = selectionMarkSize
        }

        /// The system of the features' coordinates.
        public var crs: CRS { content.source.crs }

        /// Whether nothing is shown.
        package var isEmpty: Bool { shown.isEmpty }

        /// Whether some look draws more than a label.
        package var hasShapes: Bool {
            content.looks.traits.contains(where: \.hasShape) || content.looks.selectedTraits.contains(where: \.hasShape)
        }

        /// The features that the view may show, in drawing order, each with a copy of its style.
        ///
        /// - Complexity: O(features in view), each time.
        public var features: [Scene.StyledFeature] { shown.map(styled) }

        /// A feature with a copy of its style.
        package func styled(_ shown: Shown) -> Scene.StyledFeature {
            let place = Int(shown.place)
            return Scene.StyledFeature(
                feature: content.source.whole(place),
                style: content.looks.styles[Int(shown.look)].style(selected: shown.isSelected),
                iconURL: shown.icon < 0 ? nil : icons[Int(shown.icon)], isSelected: shown.isSelected)
        }
    }
}

extension Scene.FeatureStep: Equatable {
    /// Whether two steps draw the same.
    ///
    /// - Complexity: O(coordinates in view).
    public static func == (left: Scene.FeatureStep, right: Scene.FeatureStep) -> Bool {
        left.crs == right.crs && left.worldShifts == right.worldShifts
            && left.selectionMarkSize == right.selectionMarkSize
            && left.selectionMarkColor == right.selectionMarkColor && left.translation == right.translation
            && left.features == right.features
    }
}

extension Scene {
    /// A feature as it is to be drawn.
    public struct StyledFeature: Equatable, Sendable {
        /// The feature.
        public let feature: Feature
        /// How it looks.
        public let style: Style
        /// The address of its icon, or `nil` when it has none.
        public let iconURL: NamedURL?
        /// Whether it is shown as selected.
        public let isSelected: Bool

        /// Makes a feature to draw.
        public init(feature: Feature, style: Style, iconURL: NamedURL?, isSelected: Bool) {
            self.feature = feature
            self.style = style
            self.iconURL = iconURL
            self.isSelected = isSelected
        }
    }
}

/// A rule of a style, as a legend tells it.
struct StyleRule: Sendable {
    /// What a rule may draw.
    enum Kind: Sendable { case mark, line, area }

    /// The number of the style's layer.
    let number: Int
    /// What it is called.
    let title: String
    /// What it draws.
    let kind: Kind
    /// How opaque all that it draws is, 0 to 1.
    let opacity: Double
    /// The layer, and the zoom and the state of the style at which it is drawn.
    let layer: StyleSheet.Layer
    let zoom: Double
    let globalState: Properties
}

extension StyleRule: Equatable {
    static func == (left: StyleRule, right: StyleRule) -> Bool {
        left.number == right.number && left.title == right.title && left.kind == right.kind
            && left.opacity == right.opacity
    }
}
