import PortolanRaster

/// Lines that meet end to end, as fewer and longer ones: a street is often cut into many, each too short for its name.
struct JoinedLines {
    /// The cosine of the largest turn at which one line goes on in another, 60°: no name follows a sharper one.
    private static let leastCosine = 0.5

    private let lines: [[Point]]
    /// The lines that begin or end at a place.
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

    /// The lines, each part of one, and the number of the first part of each; where several could go on the straightest does,
    /// and of equals the first.
    ///
    /// - Complexity: O(points + the square of how many lines meet at a place).
    var joined: [(first: Int, points: [Point])] {
        var isUsed = [Bool](repeating: false, count: lines.count), all: [(first: Int, points: [Point])] = []
        for number in lines.indices where !isUsed[number] && lines[number].count > 1 {
            isUsed[number] = true
            var line = lines[number]
            extend(&line, &isUsed)
            line.reverse()
            extend(&line, &isUsed)
            // It runs as its first part does.
            line.reverse()
            all.append((number, line))
        }
        return all
    }

    /// Adds to a line's end what goes on there, as long as something does.
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
