import PortolanRaster

/// Edges that fade out, as shapes of one colour that lie over one another, each a little smaller than the one before.
///
/// Any target can paint it, and where a line crosses itself each place is still painted once by each shape.
struct Fading {
    /// One of the shapes, the largest first.
    struct Step: Hashable {
        /// How far inside the edge it ends, in pixels.
        let inset: Double
        /// Its colour, which together with those beneath gives the opacity there.
        let color: MapColor
    }

    private static let stepLimit = 32

    let steps: [Step]

    /// Makes the steps of an edge.
    ///
    /// - Parameters:
    ///   - blur: over how many picture pixels the colour fades.
    ///   - depth: how far the middle lies inside the edge; what would reach its full colour deeper never does.
    ///   - profile: how opaque it is at a share of the way, 0 through 1.
    init(of color: MapColor, blur: Double, depth: Double, _ profile: (Double) -> Double = { $0 }) {
        guard blur > 0, depth > 0 else {
            steps = [Step(inset: 0, color: color)]
            return
        }
        let reached = min(depth / blur, 1), count = Int(min((reached * blur * 2).rounded(.up), Double(Self.stepLimit)))
        let own = Double(color.alpha) / 255
        var below = 0.0, steps: [Step] = []
        for number in 0...count {
            // Between two edges the colour is that of the middle; inside the last it is the deepest.
            let share = number < count ? reached * (Double(number) + 0.5) / Double(count) : reached
            let inset = reached * blur * Double(number) / Double(count), wanted = own * profile(share)
            guard inset < depth else { break }
            // What shows through the shapes beneath is covered by this one.
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

    /// The fading of a line of a width in picture pixels, as wide strokes.
    static func line(_ color: MapColor, width: Double, blur: Double) -> [(width: Double, color: MapColor)] {
        Fading(of: color, blur: blur, depth: width / 2).steps.map { (width - 2 * $0.inset, $0.color) }
    }

    /// The fading of a disc, which is softer at both ends (`smoothstep`).
    static func disc(_ color: MapColor, radius: Double, blur: Double) -> [(radius: Double, color: MapColor)] {
        Fading(of: color, blur: blur, depth: radius) { $0 * $0 * (3 - 2 * $0) }.steps.map {
            (radius - $0.inset, $0.color)
        }
    }
}
