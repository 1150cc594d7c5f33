import PortolanRaster

/// Lines that meet end to end, joined into fewer and longer ones: a street often consists of many lines that are too
/// short for its name.
struct JoinedLines {
    /// The cosine of the largest turn between two joined lines, 60°: labels do not follow sharper turns.
    private static let leastCosine = 0.5

    private let lines: [[Point]]
    /// The lines that begin or end at a point.
    private let ends: [Point: [Int]]

    init(_ lines: [[Point]]) {
        self.lines = lines
        var ends: [Point: [Int]] = [:]
        for (number, line) in self.lines.enumerated() where line.count > 1 {
            ends[line[0], default: []].append(number)
            if line[line.count - 1] != line[0] { ends[line[line.count - 1], default: []].append(number) }
        }
        self.ends = ends
    }

    /// The joined lines, and the index of the first part of each.
    ///
    /// At a junction, the straightest continuation is chosen, the first one of equals.
    ///
    /// - Complexity: O(points + the square of the number of lines that meet at a point).
    var joined: [(first: Int, points: [Point])] {
        var isUsed = [Bool](repeating: false, count: lines.count), all: [(first: Int, points: [Point])] = []
        for number in lines.indices where !isUsed[number] && lines[number].count > 1 {
            isUsed[number] = true
            var line = lines[number]
            extend(&line, &isUsed)
            line.reverse()
            extend(&line, &isUsed)
            // It has the direction of its first part.
            line.reverse()
            all.append((number, line))
        }
        return all
    }

    /// Extends a line at its end as long as there is a continuation.
    private func extend(_ line: inout [Point], _ isUsed: inout [Bool]) {
        while let end = line.last, line.first != end, let here = Self.heading(line.suffix(2)) {
            var best: (cosine: Double, number: Int, isReversed: Bool)?
            for number in ends[end] ?? [] where !isUsed[number] {
                let other = lines[number], isReversed = other[0] != end
                let start = isReversed ? [end, other[other.count - 2]] : [end, other[1]]
                guard let there = Self.heading(start[...]) else { continue }
                let cosine = here.x * there.x + here.y * there.y
                if cosine >= Self.leastCosine, best.map({ cosine > $0.cosine }) ?? true {
                    best = (cosine, number, isReversed)
                }
            }
            guard let best else { return }
            isUsed[best.number] = true
            let next = lines[best.number]
            line += best.isReversed ? next.reversed().dropFirst() : next.dropFirst()
        }
    }

    /// The direction from the first of two points to the last.
    private static func heading(_ points: ArraySlice<Point>) -> Point? {
        guard let first = points.first, let last = points.last else { return nil }
        return MeasuredLine.direction(from: first, to: last)
    }
}
