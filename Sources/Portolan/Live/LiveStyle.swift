public import PortolanFeatures
public import PortolanRaster

/// How objects that move are drawn: an upright badge for their kind, a beak where they head to, and a label.
///
/// Kinds differ by a letter or a picture, and not by colour alone.
public struct LiveStyle: Hashable, Sendable {
    /// The badge of a kind.
    public struct Badge: Hashable, Sendable {
        /// A disc, or a square with sharp or round corners; other shapes have neither symbol nor beak.
        public var shape: MarkerShape
        /// The colour of the badge.
        public var color: Color
        /// The letter or the picture in it; `nil` for the first letter of the kind.
        public var symbol: PinSymbol?
        /// Half the size, in view pixels.
        public var radius: Double

        /// Makes a badge.
        public init(color: Color, symbol: PinSymbol? = nil, shape: MarkerShape = .circle, radius: Double = 10) {
            self.color = color
            self.symbol = symbol
            self.shape = shape
            self.radius = radius
        }
    }

    /// In which directions a beak may point.
    public enum Headings: Hashable, Sendable, CaseIterable {
        /// There is no beak.
        case none
        /// The nearest of north, north-east and so on, as seen on the picture.
        case eight
        /// Any, to five degrees.
        case free
    }

    /// The badges of kinds.
    public var badges: [String: Badge]
    /// The badge of all other kinds.
    public var badge: Badge
    /// Whether letters and pictures stand in badges; where they do not, a label may.
    public var showsSymbols = true
    /// In which directions beaks point.
    public var headings = Headings.eight
    /// How far a beak reaches beyond its badge, in view pixels.
    public var beakLength = 8.0
    /// The border of badges.
    public var rim = LineSymbol(color: .white, width: 2)
    /// The label, with `${label}`, `${kind}` and the names of the objects' own properties, or `nil` for none.
    ///
    /// That of the selected object stands where there is room.
    public var label: LabelSymbol?
    /// Whether labels are white, or dark, in a box of their badge's colour.
    public var labelsWearColor = true
    /// What the label of the selected object says; besides, `${age}` is how old its fix is, such as `12 s`.
    public var selectedLabel = "${label} · ${age}"
    /// The colour of the ring around the selected object and of what leads to its true place.
    public var selectionColor = Color(red: 0x1F, green: 0x29, blue: 0x37)
    /// How much larger the selected object is.
    public var selectedScale = 1.3
    /// The opacity of objects not heard of for ``LiveLayer/Settings/staleAge``.
    public var staleOpacity = 0.4

    /// Makes a style: letters of kinds in grey discs, and labels beside them.
    public init(
        badges: [String: Badge] = [:],
        badge: Badge = Badge(color: Color(red: 0x4B, green: 0x55, blue: 0x63)),
        label: LabelSymbol? = .live
    ) {
        self.badges = badges
        self.badge = badge
        self.label = label
    }
}

extension LabelSymbol {
    /// The usual label of an object that moves: bold, in a box to the right of its badge and its beak.
    public static let live = LabelSymbol(
        template: "${label}", color: .white, size: 11, weight: 700, horizontalAlignment: .left, offsetX: 24,
        background: LabelSymbol.Background(
            color: Color(red: 0x4B, green: 0x55, blue: 0x63), padding: 3, cornerRadius: 4))
}

extension LiveStyle {
    /// What decides on the look of an object.
    struct Look: Hashable {
        let kind: String?
        /// Where the beak points on the picture, in degrees clockwise from up, or `nil` when there is none.
        let direction: Int?
        var isStale = false
        var isSelected = false
    }

    /// The nearest direction that a beak may have.
    func direction(_ degrees: Double?) -> Int? {
        guard let degrees, degrees.isFinite, beakLength > 0 else { return nil }
        let step: Double
        switch headings {
        case .none: return nil
        case .eight: step = 45
        case .free: step = 5
        }
        let direction = Int((degrees.truncatingRemainder(dividingBy: 360) / step).rounded() * step) % 360
        return direction < 0 ? direction + 360 : direction
    }

    /// The badge of a kind, with its symbol.
    func badge(of kind: String?) -> Badge {
        var badge = kind.flatMap { badges[$0] } ?? badge
        guard showsSymbols else {
            badge.symbol = nil
            return badge
        }
        if badge.symbol == nil { badge.symbol = kind?.unicodeScalars.first.flatMap { PinSymbol(String($0)) } }
        return badge
    }

    /// The style of a look.
    func style(of look: Look) -> Style {
        let badge = badge(of: look.kind), scale = look.isSelected ? selectedScale : 1
        let beak = look.direction.map {
            ShapeMarker.Beak(direction: Double($0), length: beakLength * scale)
        }
        let marker = ShapeMarker(
            shape: badge.shape, radius: badge.radius * scale, fill: FillSymbol(color: badge.color), stroke: rim,
            symbol: badge.symbol, beak: beak)
        return Style(marker: .shape(marker), label: label(of: look, badge))
    }

    /// The ring around the selected object.
    func selectionRing(_ badge: Badge) -> Style {
        let radius = badge.radius * selectedScale + rim.width / 2 + 3
        return Style(
            marker: .shape(
                ShapeMarker(
                    shape: badge.shape, radius: radius, fill: FillSymbol(color: rim.color.withOpacity(0.85)),
                    stroke: LineSymbol(color: selectionColor, width: 2))))
    }

    /// The mark of the selected object's true place.
    var trueMark: Style {
        Style(
            marker: .shape(
                ShapeMarker(
                    radius: 4, fill: FillSymbol(color: .white), stroke: LineSymbol(color: selectionColor, width: 2))))
    }

    private func label(of look: Look, _ badge: Badge) -> LabelSymbol? {
        guard var label else { return nil }
        if labelsWearColor || look.isSelected {
            let color = badge.color.withOpacity(look.isStale ? staleOpacity : 1)
            var background = label.background ?? LabelSymbol.Background(color: color, padding: 3, cornerRadius: 4)
            background.color = color
            label.background = background
            label.color = badge.color.isLight ? selectionColor : .white
        }
        if look.isStale { label.color = label.color.withOpacity(max(staleOpacity, 0.6)) }
        if look.isSelected {
            label.template = selectedLabel
            label.size *= 1.1
            // On whichever side there is room.
            label.placement = .free
        }
        return label
    }

    /// How long something is ago, as `12 s`, `3 min` or `2 h`.
    static func text(ofAge seconds: Double) -> String {
        let seconds = min(max(seconds.isFinite ? seconds : 0, 0), 1e9)
        return seconds < 120
            ? "\(Int(seconds)) s" : seconds < 7200 ? "\(Int(seconds / 60)) min" : "\(Int(seconds / 3600)) h"
    }
}
