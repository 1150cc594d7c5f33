import PortolanRaster

/// What a text should look like: the families to try, the weight and the slope.
///
/// The answer is always some font: a family that is not there is passed over, and a weight or slope that the chosen
/// family lacks is not imitated.
public struct FontRequest: Hashable, Sendable {
    /// How heavy the strokes are.
    public enum Weight: Hashable, Sendable {
        /// The weight of running text.
        case regular
        /// The weight of emphasised text.
        case bold
    }

    /// Family names, preferred first, compared without regard to ASCII case; `serif`, `sans-serif` and `monospace`
    /// stand for the system's own choice.
    public var families: [String]
    /// How heavy the strokes are.
    public var weight: Weight
    /// Whether a slanted face is preferred.
    public var isItalic: Bool

    /// Makes a request; without arguments it asks for the system's plain sans-serif font.
    public init(families: [String] = ["sans-serif"], weight: Weight = .regular, isItalic: Bool = false) {
        self.families = families
        self.weight = weight
        self.isItalic = isItalic
    }
}

extension ShapedText.Font {
    /// The font of a request that was met with the families `needed`, some of them several times.
    init(_ request: FontRequest, size: Double, needed: [String]) {
        let families = (needed + request.families).reduce(into: [String]()) { names, name in
            if !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        self.init(
            families: families, size: size, isBold: request.weight == .bold, isItalic: request.isItalic)
    }
}
