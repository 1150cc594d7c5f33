import PortolanRaster

/// Blurred edges, approximated by shapes of one colour drawn over one another, each a little smaller than the previous
/// one.
///
/// Every target supports this, and self-intersecting lines are painted once by each shape.
struct Fading {
    /// One of the shapes, the largest first.
    struct Step: Hashable {
        /// The distance from the edge inwards, in pixels.
        let inset: Double
        /// The colour, which together with the shapes below results in the opacity there.
        let color: MapColor
    }

    private static let stepLimit = 32

    let steps: [Step]

    /// Creates the steps of an edge.
    ///
    /// - Parameters:
    ///   - blur: the width of the blur in picture pixels.
    ///   - depth: the distance of the middle from the edge. Steps deeper than this are omitted.
    ///   - profile: the opacity at a fraction of the blur, 0 through 1.
    init(of color: MapColor, blur: Double, depth: Double, _ profile: (Double) -> Double = { $0 }) {
        guard blur > 0, depth > 0 else {
            steps = [Step(inset: 0, color: color)]
            return
        }
        let reached = min(depth / blur, 1), count = Int(min((reached * blur * 2).rounded(.up), Double(Self.stepLimit)))
        let own = Double(color.alpha) / 255
        var below = 0.0, steps: [Step] = []
        for number in 0...count {
            // Between two edges, the colour is that of the middle; inside the last edge, it is the deepest.
            let share = number < count ? reached * (Double(number) + 0.5) / Double(count) : reached
            let inset = reached * blur * Double(number) / Double(count), wanted = own * profile(share)
            guard inset < depth else { break }
            // The opacity to add to that of the shapes below.
            let alpha = below < 1 ? ((1 - (1 - wanted) / (1 - below)) * 255).rounded() : 0
            guard alpha > 0 else { continue }
            below = 1 - (1 - below) * (1 - alpha / 255)
            steps.append(
                Step(
                    inset: inset,
                    color: MapColor(red: color.red, green: color.green, blue: color.blue, alpha: UInt8(alpha))))
        }
        self.steps = steps
    }

    /// The blur of a line with a width in picture pixels, as wide strokes.
    static func line(_ color: MapColor, width: Double, blur: Double) -> [(width: Double, color: MapColor)] {
        Fading(of: color, blur: blur, depth: width / 2).steps.map { (width - 2 * $0.inset, $0.color) }
    }

    /// The blur of a disc, which is smooth at both ends (`smoothstep`).
    static func disc(_ color: MapColor, radius: Double, blur: Double) -> [(radius: Double, color: MapColor)] {
        Fading(of: color, blur: blur, depth: radius) { $0 * $0 * (3 - 2 * $0) }.steps.map {
            (radius - $0.inset, $0.color)
        }
    }
}
