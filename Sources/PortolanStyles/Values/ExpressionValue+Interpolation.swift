extension ExpressionValue {
    /// Returns the value at a fraction of the interval to another, or `nil` if they cannot be interpolated.
    func interpolated(to other: ExpressionValue, at part: Double, in space: ColorSpace) -> ExpressionValue? {
        func between(_ from: Double, _ to: Double) -> Double { from + part * (to - from) }
        func between(_ from: [Double], _ to: [Double]) -> [Double]? {
            from.count == to.count ? zip(from, to).map(between) : nil
        }
        switch (self, other) {
        case (.number(let from), .number(let to)): return .number(between(from, to))
        case (.color(let from), .color(let to)): return .color(from.interpolated(to: to, at: part, in: space))
        case (.padding(let from), .padding(let to)): return between(from, to).map(ExpressionValue.padding)
        case (.numberArray(let from), .numberArray(let to)): return between(from, to).map(ExpressionValue.numberArray)
        case (.colorArray(let from), .colorArray(let to)):
            guard from.count == to.count else { return nil }
            return .colorArray(zip(from, to).map { $0.interpolated(to: $1, at: part, in: space) })
        case (.anchorOffsets(let from), .anchorOffsets(let to)):
            guard from.map(\.anchor) == to.map(\.anchor) else { return nil }
            return .anchorOffsets(
                zip(from, to).map {
                    ExpressionValue.AnchorOffset(anchor: $0.anchor, x: between($0.x, $1.x), y: between($0.y, $1.y))
                })
        case (.string(let from), .string(let to)): return .projection(from: from, to: to, transition: part)
        case (.array, .array):
            guard let from = numbers, let to = other.numbers else { return nil }
            return between(from, to).map { .array($0.map(ExpressionValue.number)) }
        default: return nil
        }
    }
}

/// A Bézier curve from (0, 0) to (1, 1) as in CSS Easing 1 section 2.2, with monotonic x.
struct CubicBezier: Hashable, Sendable {
    let x1: Double
    let y1: Double
    let x2: Double
    let y2: Double

    private static func value(_ t: Double, _ first: Double, _ second: Double) -> Double {
        let rest = 1 - t
        return 3 * rest * rest * t * first + 3 * rest * t * t * second + t * t * t
    }

    /// Returns y at an x from 0 to 1, by bisection.
    func y(at x: Double) -> Double {
        var low = 0.0, high = 1.0
        for _ in 0..<52 {
            let middle = (low + high) / 2
            if Self.value(middle, x1, x2) < x { low = middle } else { high = middle }
        }
        return Self.value((low + high) / 2, y1, y2)
    }
}
