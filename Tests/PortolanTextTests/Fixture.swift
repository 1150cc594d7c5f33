import PortolanRaster
import PortolanText
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The committed fonts and the lines that another HarfBuzz shaped and drew with them.
enum Fixture {
    static let folder: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return parts.joined(separator: "/") + "/Fixtures/"
    }()
    /// The fonts of the whole project.
    static let fonts: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return parts.joined(separator: "/") + "/Fixtures/fonts/"
    }()
    static let sans = fonts + "DejaVuSans.ttf"
    static let sansBold = fonts + "DejaVuSans-Bold.ttf"
    static let devanagari = fonts + "PortolanTestDevanagari.ttf"
    static let boxes = folder + "PortolanTestBoxes.otf"

    /// A book of fixture fonts only.
    static func book(_ files: String..., limits: FontBook.Limits = FontBook.Limits()) -> FontBook {
        FontBook(files: files, usesSystemFonts: false, limits: limits)
    }

    static func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    /// Runs `body` with the path of a temporary file that holds `bytes`.
    static func withFile<R>(_ bytes: [UInt8], _ body: (String) throws -> R) throws -> R {
        let name = "portolan-text-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let url = FileManager.default.temporaryDirectory.appending(path: name)
        try Data(bytes).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path())
    }
}

/// One line of `ShapedLines.tsv`, in font units with y up.
struct ShapedLine: Sendable, CustomTestStringConvertible {
    let font: String
    let text: String
    let advance: Double
    let outline: Path

    var testDescription: String { "\(text) in \(font)" }

    static let all: [ShapedLine] = {
        guard let data = try? Data(contentsOf: URL(filePath: Fixture.folder + "ShapedLines.tsv")) else { return [] }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { ShapedLine(row: $0) }
    }()

    private init?(row: Substring) {
        let fields = row.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 5, let advance = Double(fields[2]) else { return nil }
        font = String(fields[0])
        text = String(fields[1])
        self.advance = advance
        var path = Path()
        var words = fields[4].split(separator: " ")[...]
        func point() -> Point {
            let pair = words.prefix(2).compactMap { Double($0) }
            words = words.dropFirst(2)
            return pair.count == 2 ? Point(x: pair[0], y: pair[1]) : Point(x: .nan, y: .nan)
        }
        while let word = words.popFirst() {
            switch word {
            case "M": path.move(to: point())
            case "L": path.line(to: point())
            case "Q":
                let control = point()
                path.quad(control: control, to: point())
            case "C":
                let control1 = point(), control2 = point()
                path.cubic(control1: control1, control2: control2, to: point())
            case "Z": path.close()
            default: return nil
            }
        }
        outline = path
    }
}

extension Path.Element {
    /// The element's letter in the notation of SVG.
    var letter: Character {
        switch self {
        case .move: "M"
        case .line: "L"
        case .quad: "Q"
        case .cubic: "C"
        case .close: "Z"
        }
    }

    var points: [Point] {
        switch self {
        case .move(let end), .line(let end): [end]
        case .quad(let control, let end): [control, end]
        case .cubic(let control1, let control2, let end): [control1, control2, end]
        case .close: []
        }
    }
}

extension Path {
    /// The elements without a last line back to a contour's start, which closing the contour draws as well.
    var withoutClosingLines: [Element] {
        var result: [Element] = []
        var start: Point?
        for element in elements {
            if case .move(let point) = element { start = point }
            if case .close = element, case .line(let end)? = result.last, end == start { result.removeLast() }
            result.append(element)
        }
        return result
    }

    /// The smallest and largest coordinates of the control points.
    var controlBounds: (minX: Double, minY: Double, maxX: Double, maxY: Double)? {
        let points = elements.flatMap(\.points)
        guard let first = points.first else { return nil }
        return points.reduce((first.x, first.y, first.x, first.y)) { bounds, point in
            (min(bounds.0, point.x), min(bounds.1, point.y), max(bounds.2, point.x), max(bounds.3, point.y))
        }
    }
}
