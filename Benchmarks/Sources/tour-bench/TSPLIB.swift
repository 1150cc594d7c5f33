import Foundation

/// A problem of the library TSPLIB 95: distances between points, symmetric (`.tsp`) or not (`.atsp`).
struct TSPLIB {
    var name: String
    var distances: [[Int]]

    /// The reason why a file cannot be read.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Reads a file; the distances are integers as defined by TSPLIB.
    init(file: String) throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        name = URL(filePath: file).deletingPathExtension().lastPathComponent
        var entries: [String: String] = [:]
        var numbers: [String: [Double]] = [:]
        var section: String?
        for line in text.split(whereSeparator: \.isNewline).map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if let colon = line.firstIndex(of: ":"), line.first?.isLetter == true {
                let value = line[line.index(after: colon)...]
                entries[line[..<colon].trimmingCharacters(in: .whitespaces)] =
                    value.trimmingCharacters(in: .whitespaces)
            } else if line.first?.isLetter == true {
                section = line
                if line == "EOF" { break }
            } else if let section {
                let words = line.split { $0 == " " || $0 == "\t" }
                numbers[section, default: []] += words.compactMap { Double($0) }
            }
        }
        guard let count = entries["DIMENSION"].flatMap({ Int($0) }), count > 0, count <= 5000 else {
            throw Failure(description: "\(file): no DIMENSION from 1 to 5000")
        }
        switch entries["EDGE_WEIGHT_TYPE"] {
        case "EXPLICIT":
            distances = try Self.matrix(
                numbers["EDGE_WEIGHT_SECTION"] ?? [], count: count, format: entries["EDGE_WEIGHT_FORMAT"] ?? "",
                file: file)
        case let type?:
            guard let distance = Self.measures[type] else {
                throw Failure(description: "\(file): distances of the type \(type) are not known")
            }
            let values = numbers["NODE_COORD_SECTION"] ?? []
            guard values.count >= count * 3 else { throw Failure(description: "\(file): too few coordinates") }
            let places: [(Double, Double)] = (0..<count).map { (values[$0 * 3 + 1], values[$0 * 3 + 2]) }
            distances = places.map { a in places.map { b in distance(a, b) } }
        case nil:
            throw Failure(description: "\(file): no EDGE_WEIGHT_TYPE")
        }
    }

    private static func matrix(_ numbers: [Double], count: Int, format: String, file: String) throws -> [[Int]] {
        var cells: [(row: Int, column: Int)] = []
        for row in 0..<count {
            let columns: Range<Int>
            switch format {
            case "FULL_MATRIX": columns = 0..<count
            case "UPPER_ROW", "LOWER_COL": columns = row + 1..<max(count, row + 1)
            case "LOWER_ROW", "UPPER_COL": columns = 0..<row
            case "UPPER_DIAG_ROW", "LOWER_DIAG_COL": columns = row..<count
            case "LOWER_DIAG_ROW", "UPPER_DIAG_COL": columns = 0..<row + 1
            default: throw Failure(description: "\(file): matrices of the format \(format) are not known")
            }
            for column in columns { cells.append((row, column)) }
        }
        guard numbers.count >= cells.count else { throw Failure(description: "\(file): too few distances") }
        var matrix = [[Int]](repeating: [Int](repeating: 0, count: count), count: count)
        for (cell, number) in zip(cells, numbers) {
            matrix[cell.row][cell.column] = Int(number)
            if format != "FULL_MATRIX" { matrix[cell.column][cell.row] = Int(number) }
        }
        return matrix
    }

    private typealias Measure = @Sendable ((Double, Double), (Double, Double)) -> Int

    /// The distance functions by type, as defined by TSPLIB 95, chapter 2.
    private static let measures: [String: Measure] = [
        "EUC_2D": { Int((length($0, $1) + 0.5).rounded(.down)) },
        "CEIL_2D": { Int(length($0, $1).rounded(.up)) },
        "MAN_2D": { Int((abs($0.0 - $1.0) + abs($0.1 - $1.1) + 0.5).rounded(.down)) },
        "MAX_2D": { Int((max(abs($0.0 - $1.0), abs($0.1 - $1.1)) + 0.5).rounded(.down)) },
        "ATT": { a, b in
            let (x, y) = (a.0 - b.0, a.1 - b.1)
            let exact = ((x * x + y * y) / 10).squareRoot()
            let rounded = (exact + 0.5).rounded(.down)
            return Int(rounded < exact ? rounded + 1 : rounded)
        },
        "GEO": { a, b in
            if a == b { return 0 }
            func radians(_ value: Double) -> Double {
                // Degrees and minutes, with the library's value of π.
                let degrees = value.rounded(.towardZero)
                let minutes = value - degrees
                return 3.141592 * (degrees + 5 * minutes / 3) / 180
            }
            let q1 = cos(radians(a.1) - radians(b.1))
            let q2 = cos(radians(a.0) - radians(b.0))
            let q3 = cos(radians(a.0) + radians(b.0))
            let angle: Double = acos(0.5 * ((1 + q1) * q2 - (1 - q1) * q3))
            return Int(6378.388 * angle + 1)
        },
    ]

    private static func length(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
        let (x, y) = (a.0 - b.0, a.1 - b.1)
        return (x * x + y * y).squareRoot()
    }
}
