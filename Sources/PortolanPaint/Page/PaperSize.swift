package import PortolanRaster

/// The size of a sheet of paper.
///
/// ```swift
/// let paper = PaperSize("A3"), poster = PaperSize("700x1000mm")
/// ```
public struct PaperSize: Hashable, Sendable, CustomStringConvertible {
    /// The width in millimetres.
    public let width: Double
    /// The height in millimetres.
    public let height: Double
    /// The name of a standard size, or `nil`.
    private let name: String?

    /// The standard sizes, upright: ISO 216, and those of North America (ANSI Y14.1).
    private static let named: [(name: String, width: Double, height: Double)] = [
        ("A0", 841, 1189), ("A1", 594, 841), ("A2", 420, 594), ("A3", 297, 420), ("A4", 210, 297), ("A5", 148, 210),
        ("A6", 105, 148), ("letter", 215.9, 279.4), ("legal", 215.9, 355.6), ("tabloid", 279.4, 431.8),
    ]

    /// The least and the largest side in millimetres.
    private static let sides = 20.0...5000.0

    /// Parses the name of a standard size, in any case, or a width and height with a unit: `210x297mm`, `8.5x11in`.
    ///
    /// Returns `nil` for other texts, and for sides of less than 20 mm or more than 5 m.
    public init?(_ text: String) {
        if let known = Self.named.first(where: { $0.name.lowercased() == text.lowercased() }) {
            self.init(width: known.width, height: known.height, name: known.name)
            return
        }
        let units: [(suffix: String, millimeters: Double)] = [("mm", 1), ("cm", 10), ("in", 25.4)]
        let text = text.lowercased()
        guard let unit = units.first(where: { text.hasSuffix($0.suffix) }) else { return nil }
        let sides = text.dropLast(unit.suffix.count).split(separator: "x", omittingEmptySubsequences: false)
            .map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self.init(width: width * unit.millimeters, height: height * unit.millimeters)
    }

    /// Creates a size in millimetres, or returns `nil` if a side is less than 20 mm or more than 5 m.
    public init?(width: Double, height: Double) {
        guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
        self.init(width: width, height: height, name: nil)
    }

    private init(width: Double, height: Double, name: String?) {
        // A thousandth of a millimetre, so that inches are the same numbers.
        self.width = (width * 1000).rounded() / 1000
        self.height = (height * 1000).rounded() / 1000
        self.name = name
    }

    /// The size with the longer side horizontal.
    public var landscape: PaperSize {
        width >= height ? self : PaperSize(width: height, height: width, name: nil)
    }

    /// The size in picture pixels, or `nil` if a picture cannot be so large.
    package func pixels(dotsPerInch: Double) -> ImageSize? {
        let width = (width / 25.4 * dotsPerInch).rounded(), height = (height / 25.4 * dotsPerInch).rounded()
        guard width.isFinite, height.isFinite, max(width, height) <= Double(ImageSize.maximumSide) else { return nil }
        return ImageSize(width: Int(width), height: Int(height))
    }

    /// The name of a standard size, or the sides such as `210x297mm`.
    public var description: String {
        func number(_ value: Double) -> String {
            let text = "\((value * 1000).rounded() / 1000)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        return name ?? "\(number(width))x\(number(height))mm"
    }

    /// Whether both have the same sides.
    public static func == (one: PaperSize, other: PaperSize) -> Bool {
        one.width == other.width && one.height == other.height
    }

    /// Hashes the sides.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(width)
        hasher.combine(height)
    }
}
