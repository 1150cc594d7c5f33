import Foundation
import PortolanRaster

/// The drawing operations of a scene file, with their paths.
struct Scene {
    enum Operation {
        case fill(Path, Path.FillRule, MapColor)
        case stroke(Path, StrokeStyle, MapColor)
        case tile(x: Double, y: Double, scale: Double, opacity: Double)
        case icon(x: Double, y: Double)
    }

    struct Malformed: Error, CustomStringConvertible {
        var file: String
        var line: Int
        var description: String { "\(file), line \(line): not an operation of a scene" }
    }

    static let width = 1024
    static let height = 1024

    let name: String
    let operations: [Operation]

    /// The number of straight segments in all paths.
    var segmentCount: Int {
        operations.reduce(0) { sum, operation in
            switch operation {
            case .fill(let path, _, _): sum + path.elements.count - 1
            case .stroke(let path, _, _): sum + path.elements.count - 1
            case .tile, .icon: sum
            }
        }
    }

    init(file: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        name = URL(filePath: file).deletingPathExtension().lastPathComponent
        var operations: [Operation] = []
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            var words = Words(line)
            guard let operation = Self.operation(&words) else { throw Malformed(file: file, line: number + 1) }
            operations.append(operation)
        }
        self.operations = operations
    }

    private static func operation(_ words: inout Words) -> Operation? {
        switch words.word() {
        case "fill":
            guard let color = color(&words), let rule = words.word(), let points = points(&words) else { return nil }
            return .fill(.polyline(points, closed: true), rule == "evenodd" ? .evenOdd : .nonZero, color)
        case "stroke":
            guard let color = color(&words), let width = words.number(), let cap = words.word(),
                let join = words.word(), let count = words.number()
            else { return nil }
            let dashes = (0..<Int(count)).compactMap { _ in words.number() }
            guard let points = points(&words) else { return nil }
            let style = StrokeStyle(
                width: width, cap: cap == "round" ? .round : .butt, join: join == "round" ? .round : .miter,
                miterLimit: 10, dashes: dashes)
            return .stroke(.polyline(points), style, color)
        case "tile":
            guard let x = words.number(), let y = words.number(), let scale = words.number(),
                let opacity = words.number()
            else { return nil }
            return .tile(x: x, y: y, scale: scale, opacity: opacity)
        case "icon":
            guard let x = words.number(), let y = words.number() else { return nil }
            return .icon(x: x, y: y)
        default: return nil
        }
    }

    private static func color(_ words: inout Words) -> MapColor? {
        guard let red = words.byte(), let green = words.byte(), let blue = words.byte(), let alpha = words.byte()
        else { return nil }
        return MapColor(red: red, green: green, blue: blue, alpha: alpha)
    }

    private static func points(_ words: inout Words) -> [Point]? {
        guard let count = words.number() else { return nil }
        var points: [Point] = []
        points.reserveCapacity(Int(count))
        for _ in 0..<Int(count) {
            guard let x = words.number(), let y = words.number() else { return nil }
            points.append(Point(x: x, y: y))
        }
        return points
    }

    /// Reads the words of a line in order.
    private struct Words {
        private var iterator: IndexingIterator<[Substring]>

        init(_ line: Substring) { iterator = line.split(separator: " ").makeIterator() }

        mutating func word() -> Substring? { iterator.next() }
        mutating func number() -> Double? { iterator.next().flatMap { Double($0) } }
        mutating func byte() -> UInt8? { iterator.next().flatMap { UInt8($0) } }
    }
}
