public import PortolanFeatures
public import PortolanRaster

extension LiveLayer {
    /// The style of moving objects: an upright badge for the kind, a beak for the heading, and a label.
    ///
    /// Kinds differ by a letter or an image, not only by colour.
    public struct Appearance: Hashable, Sendable {
        /// The badge of a kind.
        public struct Badge: Hashable, Sendable {
            /// A circle, or a square with sharp or rounded corners; other shapes have neither symbol nor beak.
            public var shape: ShapeMarker.Shape
            /// The colour of the badge.
            public var color: MapColor
            /// The letter or image in the badge; `nil` for the first letter of the kind.
            public var symbol: PinSymbol?
            /// Half the size in view pixels.
            public var radius: Double

            /// Creates a badge.
            public init(
                color: MapColor, symbol: PinSymbol? = nil, shape: ShapeMarker.Shape = .circle, radius: Double = 10
            ) {
                self.color = color
                self.symbol = symbol
                self.shape = shape
                self.radius = radius
            }
        }

        /// The directions of beaks.
        public enum Headings: Hashable, Sendable, CaseIterable {
            /// No beak.
            case none
            /// The nearest of eight directions on the picture.
            case eight
            /// Any direction, rounded to five degrees.
            case free
        }

        /// The badges by kind.
        public var badges: [String: Badge]
        /// The badge of all other kinds.
        public var badge: Badge
        /// Whether badges contain letters and images.
        ///
        /// Otherwise a label may be in the badge.
        public var showsSymbols = true
        /// The directions of beaks.
        public var headings = Headings.eight
        /// The length of a beak beyond its badge in view pixels.
        public var beakLength = 8.0
        /// The outline of badges.
        public var rim = LineSymbol(color: .white, width: 2)
        /// The label, with `${label}`, `${kind}` and the names of the objects' properties, or `nil` for none.
        ///
        /// The label of the selected object is placed on any side with free space.
        public var label: LabelSymbol?
        /// Whether labels have white or dark text on a background in the colour of their badge.
        public var labelsWearColor = true
        /// The label template of the selected object.
        ///
        /// `${age}` is the age of its fix, such as `12 s`.
        public var selectedLabel = "${label} · ${age}"
        /// The colour of the ring around the selected object, and of the line to its actual position.
        public var selectionColor = MapColor(red: 0x1F, green: 0x29, blue: 0x37)
        /// The scale of the selected object.
        public var selectedScale = 1.3
        /// The opacity of objects without updates for ``LiveLayer/Settings/staleAge``.
        public var staleOpacity = 0.4

        /// Creates a style with letters of kinds in grey circles, and labels next to them.
        public init(
            badges: [String: Badge] = [:],
            badge: Badge = Badge(color: MapColor(red: 0x4B, green: 0x55, blue: 0x63)),
            label: LabelSymbol? = .live
        ) {
            self.badges = badges
            self.badge = badge
            self.label = label
        }
    }
}

extension LabelSymbol {
    /// The default label of a moving object: bold, in a box to the right of badge and beak.
    public static let live = LabelSymbol(
        template: "${label}", color: .white, size: 11, weight: 700, horizontalAlignment: .left, offsetX: 24,
        background: LabelSymbol.Background(
            color: MapColor(red: 0x4B, green: 0x55, blue: 0x63), padding: 3, cornerRadius: 4))
}

extension LiveLayer.Appearance {
    /// The properties that determine the style of an object.
    struct Look: Hashable {
        let kind: String?
        /// The direction of the beak on the picture, in degrees clockwise from up, or `nil` without a beak.
        let direction: Int?
        var isStale = false
        var isSelected = false
    }

    /// Returns the nearest permitted beak direction.
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

    /// Returns the badge of a kind, with its symbol.
    func badge(of kind: String?) -> Badge {
        var badge = kind.flatMap { badges[$0] } ?? badge
        guard showsSymbols else {
            badge.symbol = nil
            return badge
        }
        if badge.symbol == nil { badge.symbol = kind?.unicodeScalars.first.flatMap { PinSymbol(String($0)) } }
        return badge
    }

    /// Returns the style for a look.
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

    /// Returns the ring around the selected object.
    func selectionRing(_ badge: Badge) -> Style {
        let radius = badge.radius * selectedScale + rim.width / 2 + 3
        return Style(
            marker: .shape(
                ShapeMarker(
                    shape: badge.shape, radius: radius, fill: FillSymbol(color: rim.color.withOpacity(0.85)),
                    stroke: LineSymbol(color: selectionColor, width: 2))))
    }

    /// The marker of the selected object's actual position.
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
            // The label is placed on a side with free space.
            label.placement = .free
        }
        return label
    }

    /// Returns an age as text, such as `12 s`, `3 min` or `2 h`.
    static func text(ofAge seconds: Double) -> String {
        let seconds = min(max(seconds.isFinite ? seconds : 0, 0), 1e9)
        return seconds < 120
            ? "\(Int(seconds)) s" : seconds < 7200 ? "\(Int(seconds / 60)) min" : "\(Int(seconds / 3600)) h"
    }
}
