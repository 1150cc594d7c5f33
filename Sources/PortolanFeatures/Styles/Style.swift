/// How one feature looks: what is `nil` is not drawn.
///
/// Lines and the borders of polygons use `stroke`, polygons `fill`, points `marker`, and all of them `label`.
public struct Style: Hashable, Sendable {
    /// The line, or `nil` when lines are not drawn.
    public var stroke: LineSymbol?
    /// The inside of polygons, or `nil` when it is left open.
    public var fill: FillSymbol?
    /// The mark at points, or `nil` when points have none.
    public var marker: MarkerSymbol?
    /// The text, or `nil` when there is none.
    public var label: LabelSymbol?
    /// Whether the feature is not drawn at all.
    public var isHidden: Bool

    /// Makes a style.
    public init(
        stroke: LineSymbol? = nil, fill: FillSymbol? = nil, marker: MarkerSymbol? = nil, label: LabelSymbol? = nil,
        isHidden: Bool = false
    ) {
        self.stroke = stroke
        self.fill = fill
        self.marker = marker
        self.label = label
        self.isHidden = isHidden
    }

    /// The look of a feature about which nothing is said: orange lines one pixel wide with round ends, orange areas at
    /// four tenths of full opacity, circles of six pixels' radius.
    public static let standard = StyleDeclaration().style
}
