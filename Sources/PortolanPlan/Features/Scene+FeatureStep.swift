public import PortolanFeatures
public import PortolanGeo
package import PortolanRaster
import PortolanStyles
package import PortolanText
public import PortolanWeb

extension Scene {
    /// Features to draw, each with its style.
    ///
    /// The features stay in their source. A step states which of them are drawn, and in which state.
    public struct FeatureStep: Sendable {
        /// The distance outside the view within which the symbol of a feature can reach into it, in view pixels.
        package static let symbolReach = 256.0

        /// The usual distance outside the view within which the coordinates of a visible line or area without a label can
        /// be, in view pixels.
        static let lineReach = 32.0

        /// A feature that may be visible.
        package struct Shown: Sendable {
            /// Its index in the source.
            package let place: Int32
            /// Its style index.
            package let look: Int32
            /// Its icon index, or -1 if it has no icon.
            package let icon: Int32
            /// Whether it is drawn as selected.
            package let isSelected: Bool
        }

        /// The features and their styles, shared by the copies of a step because both are large values.
        package final class Content: Sendable {
            /// The source of the features.
            package let source: FeatureSource
            /// The styles.
            package let looks: StyleTable

            init(_ source: FeatureSource, _ looks: StyleTable) {
                self.source = source
                self.looks = looks
            }
        }

        /// The features and their styles, accessible without copying.
        package let content: Content

        /// A number shared only by steps with the same features and styles.
        ///
        /// The selection is not part of it.
        package let contentID: UInt64

        /// The features that may be visible, in drawing order.
        package private(set) var shown: [Shown]

        /// The distinct icon addresses.
        package let icons: [NamedURL]

        /// The largest size at which each icon is drawn in view pixels, or `nil` if its own size decides.
        let iconSizes: [ImageSize?]

        /// The eastward offsets of the drawn copies of the features, in units of the map's CRS, if the view shows the
        /// world more than once.
        public let worldShifts: [Double]

        /// The offset of the drawing to the right and down, in view pixels.
        package private(set) var translation = Point(x: 0, y: 0)

        /// The size of the mark above a selected point, in view pixels; 0 for none.
        public let selectionMarkSize: Double

        /// The colour of the selection mark.
        package var selectionMarkColor: MapColor { content.source.selectionMarkColor }

        /// Creates a step from features of a source.
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

        /// Whether it is the map background, which hit tests ignore.
        package private(set) var isGround = false

        /// The step as the map background.
        var asGround: Scene.FeatureStep {
            var step = self
            step.isGround = true
            return step
        }

        /// The colour that covers the whole picture if the step is a plain background, or `nil`.
        package var groundColor: MapColor? {
            guard isGround, shown.count == 1, let look = shown.first?.look,
                let fill = content.looks.styles[Int(look)].default.fill, fill.pattern == nil, fill.color.alpha == 255
            else { return nil }
            return fill.color
        }

        /// The glyph ranges for characters of labels that no font has, or `nil`.
        package private(set) var glyphs: GlyphRanges?

        /// Returns the step with glyph ranges for its labels.
        func with(_ glyphs: GlyphRanges) -> Scene.FeatureStep {
            var step = self
            step.glyphs = glyphs
            return step
        }

        /// The style rule from which the step originates, or `nil`.
        var rule: StyleRule? { keptRule?.value }

        private var keptRule: Kept<StyleRule>?

        /// Returns the step as the drawing of a style rule.
        func ruled(by rule: StyleRule) -> Scene.FeatureStep {
            var step = self
            step.keptRule = Kept(rule)
            return step
        }

        /// Returns the step with some of its features.
        ///
        /// - Parameter isKept: whether the feature at an index of ``shown`` stays.
        package func filtered(_ isKept: (Int) -> Bool) -> Scene.FeatureStep {
            var step = self
            step.shown = shown.indices.filter(isKept).map { shown[$0] }
            return step
        }

        /// Returns the step with a drawing offset.
        func moved(by translation: Point) -> Scene.FeatureStep {
            var step = self
            step.translation = translation
            return step
        }

        /// Creates a step of points in longitude and latitude, all visible, in drawing order.
        ///
        /// - Parameters:
        ///   - styles: the styles, and the style index of each point.
        ///   - marks: the cache of marks for the next picture.
        ///   - viewport: the view, which determines the visible copies of the world.
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

        /// Creates a step.
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

        /// The CRS of the feature coordinates.
        public var crs: CRS { content.source.crs }

        /// Whether it draws no feature.
        package var isEmpty: Bool { shown.isEmpty }

        /// Whether any style draws more than a label.
        package var hasShapes: Bool {
            content.looks.traits.contains(where: \.hasShape) || content.looks.selectedTraits.contains(where: \.hasShape)
        }

        /// The features that may be visible, in drawing order, each with a copy of its style.
        ///
        /// - Complexity: O(features in view) for each access.
        public var features: [Scene.StyledFeature] { shown.map(styled) }

        /// Returns a feature with a copy of its style.
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
    /// Returns whether two steps draw the same.
    ///
    /// - Complexity: O(coordinates in view).
    public static func == (left: Scene.FeatureStep, right: Scene.FeatureStep) -> Bool {
        left.crs == right.crs && left.worldShifts == right.worldShifts
            && left.selectionMarkSize == right.selectionMarkSize
            && left.selectionMarkColor == right.selectionMarkColor && left.translation == right.translation
            && left.glyphs === right.glyphs && left.features == right.features
    }
}

extension Scene {
    /// A feature to draw.
    public struct StyledFeature: Equatable, Sendable {
        /// The feature.
        public let feature: Feature
        /// Its style.
        public let style: Style
        /// The address of its icon, or `nil`.
        public let iconURL: NamedURL?
        /// Whether it is drawn as selected.
        public let isSelected: Bool

        /// Creates a feature to draw.
        public init(feature: Feature, style: Style, iconURL: NamedURL?, isSelected: Bool) {
            self.feature = feature
            self.style = style
            self.iconURL = iconURL
            self.isSelected = isSelected
        }
    }
}

/// A style rule, as explained by a legend.
struct StyleRule: Sendable {
    /// The kinds of drawing.
    enum Kind: Sendable { case mark, line, area }

    /// The index of the style's layer.
    let number: Int
    /// The title.
    let title: String
    /// The kind of drawing.
    let kind: Kind
    /// The opacity of all it draws, 0 to 1.
    let opacity: Double
    /// The layer, and the zoom and style state at which it is drawn.
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
