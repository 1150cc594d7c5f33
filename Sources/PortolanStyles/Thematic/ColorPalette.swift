import PortolanFeatures
package import PortolanRaster

/// A palette of colours for classes: those of ColorBrewer, and the perceptually uniform ones of Matplotlib.
///
/// ```swift
/// let blues = ColorPalette(named: "blues")?.colors(5)
/// ```
package struct ColorPalette: Hashable, Sendable {
    /// The purposes of palettes.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Ordered values, from light to dark.
        case sequential
        /// Ordered values on both sides of a middle.
        case diverging
        /// Categories without an order.
        case qualitative
    }

    /// The name, in lower case.
    package let name: String
    /// The purpose.
    package let kind: Kind
    /// The largest number of colours that colour-blind people can distinguish.
    package let safeCount: Int
    /// The colours of each number of classes, beginning with three, as runs of six hexadecimal digits; a qualitative palette has one
    /// text.
    private let texts: [String]
    /// The colours between which those of a continuous palette lie, or an empty array.
    private let ramp: [MapColor]

    init(_ name: String, _ kind: Kind, safeCount: Int = .max, _ texts: [String]) {
        self.name = name
        self.kind = kind
        self.texts = texts
        self.safeCount = safeCount
        ramp = []
    }

    private init(_ ramp: HeatmapSymbol.Ramp) {
        name = ramp.rawValue
        kind = .sequential
        texts = []
        // A rainbow cannot be read with colour blindness.
        safeCount = ramp == .turbo ? 0 : .max
        self.ramp = ramp.opaqueColors
    }

    /// All palettes, the sequential ones first.
    package static let all: [ColorPalette] = {
        let ramps = HeatmapSymbol.Ramp.allCases.filter { !$0.opaqueColors.isEmpty }.map(ColorPalette.init)
        let all = ramps + colorBrewer
        return Kind.allCases.flatMap { kind in all.filter { $0.kind == kind } }
    }()

    /// Finds a palette by its name, in any case, or returns `nil` for an unknown name.
    package init?(named name: String) {
        let name = name.lowercased()
        guard let palette = Self.all.first(where: { $0.name == name }) else { return nil }
        self = palette
    }

    /// The largest number of classes with colours of their own.
    package var maximumCount: Int {
        guard ramp.isEmpty else { return 256 }
        return (texts.last?.utf8.count ?? 0) / 6
    }

    /// Returns the colours for a number of classes, from low to high, or `nil` if there are not enough.
    package func colors(_ count: Int) -> [MapColor]? {
        guard count > 0, count <= maximumCount else { return nil }
        guard ramp.isEmpty else {
            return (0..<count).map { color(at: count == 1 ? 0.5 : Double($0) / Double(count - 1)) }
        }
        guard kind != .qualitative else { return Array(Self.colors(texts[0]).prefix(count)) }
        let colors = Self.colors(texts[max(count - 3, 0)])
        switch count {
        case 1: return [colors[1]]
        case 2: return [colors[0], colors[2]]
        default: return colors
        }
    }

    /// The colour at a place of the ramp, 0 to 1.
    private func color(at place: Double) -> MapColor {
        let position = place * Double(ramp.count - 1), below = min(Int(position), ramp.count - 2)
        return ramp[below].mixed(with: ramp[below + 1], at: position - Double(below))
    }

    /// Returns the colours of a continuous scale from low to high, or `nil` for categories.
    package var scale: [MapColor]? {
        guard ramp.isEmpty else { return ramp }
        return kind == .qualitative ? nil : colors(maximumCount)
    }

    private static func colors(_ text: String) -> [MapColor] {
        let digits = Array(text.utf8)
        return stride(from: 0, to: digits.count, by: 6).map { start in
            let bits = Int(String(decoding: digits[start..<start + 6], as: UTF8.self), radix: 16) ?? 0
            return MapColor(red: UInt8(bits >> 16 & 0xFF), green: UInt8(bits >> 8 & 0xFF), blue: UInt8(bits & 0xFF))
        }
    }
}

extension MapColor {
    /// Returns the opaque colour between this and another one, at a share from 0 to 1.
    func mixed(with other: MapColor, at share: Double) -> MapColor {
        func mixed(_ channel: KeyPath<MapColor, UInt8>) -> UInt8 {
            let (low, high) = (Double(self[keyPath: channel]), Double(other[keyPath: channel]))
            return UInt8((low * (1 - share) + high * share).rounded())
        }
        return MapColor(red: mixed(\.red), green: mixed(\.green), blue: mixed(\.blue))
    }
}
