/// An opacity in 255ths.
struct Opacity: Sendable {
    let factor: UInt32

    /// Rounds an opacity, clamped to 0 through 1.
    init(_ opacity: Double) { factor = opacity >= 0 ? UInt32(min(opacity, 1) * 255 + 0.5) : 0 }

    /// The opacity, 0 through 1, which gives the same when it is rounded again.
    var share: Double { Double(factor) / 255 }

    /// Whether nothing can be seen.
    var isClear: Bool { factor == 0 }
}
