import PortolanProtobuf

/// Writes the geometry of a feature as commands (vector-tile-spec 2.1, section 4.3).
///
/// Vertices are in tile coordinates: x to the right, y downwards. Repeated vertices, and vertices on the straight line
/// between their neighbours, are omitted. The winding of rings is corrected.
package struct MVTGeometryWriter: Sendable {
    /// A vertex in tile coordinates.
    package struct Vertex: Hashable, Sendable {
        package var x: Int32
        package var y: Int32

        /// Creates a vertex.
        @inlinable package init(x: Int32, y: Int32) {
            self.x = x
            self.y = y
        }
    }

    /// The commands written so far.
    package private(set) var bytes: [UInt8] = []
    private var cursor = Vertex(x: 0, y: 0)
    /// The vertices that are kept of a part.
    private var kept: [Vertex] = []

    /// Creates a writer.
    package init() {}

    /// Begins the geometry of another feature; the commands written before stay.
    package mutating func begin() { cursor = Vertex(x: 0, y: 0) }

    /// Writes all points of a feature.
    package mutating func addPoints(_ points: [Vertex]) {
        guard !points.isEmpty else { return }
        command(1, count: points.count)
        for point in points { move(to: point) }
    }

    /// Writes a line.
    ///
    /// - Returns: whether it has a length; otherwise nothing is written.
    package mutating func addLine(_ vertices: [Vertex]) -> Bool {
        kept.removeAll(keepingCapacity: true)
        for vertex in vertices {
            guard let last = kept.last else {
                kept.append(vertex)
                continue
            }
            guard vertex != last else { continue }
            if kept.count > 1 {
                let before = kept[kept.count - 2]
                // A line that turns back keeps its vertex.
                if Self.cross(before, last, vertex) == 0, Self.dot(before, last, vertex) > 0 { kept.removeLast() }
            }
            kept.append(vertex)
        }
        guard kept.count > 1 else { return false }
        command(1, count: 1)
        move(to: kept[0])
        command(2, count: kept.count - 1)
        for index in 1..<kept.count { move(to: kept[index]) }
        return true
    }

    /// Writes a ring, open or closed: clockwise on a screen if it is an outer one, else counterclockwise (section 4.3.4.4).
    ///
    /// - Returns: whether it has an area; otherwise nothing is written.
    package mutating func addRing(_ vertices: [Vertex], isHole: Bool) -> Bool {
        kept.removeAll(keepingCapacity: true)
        for vertex in vertices {
            var isKept = true
            // Each removed vertex may put others on a line.
            while let last = kept.last {
                if vertex == last {
                    isKept = false
                    break
                }
                guard kept.count > 1, Self.cross(kept[kept.count - 2], last, vertex) == 0 else { break }
                kept.removeLast()
            }
            if isKept { kept.append(vertex) }
        }
        closeRing()
        guard kept.count > 2 else { return false }
        var area = 0.0, last = kept[kept.count - 1]
        for next in kept {
            area += Double(last.x) * Double(next.y) - Double(next.x) * Double(last.y)
            last = next
        }
        guard area != 0 else { return false }
        if (area < 0) != isHole { kept.reverse() }
        command(1, count: 1)
        move(to: kept[0])
        command(2, count: kept.count - 1)
        for index in 1..<kept.count { move(to: kept[index]) }
        command(7, count: 1)
        return true
    }

    /// Removes the vertices at the ends that are redundant in a closed ring.
    private mutating func closeRing() {
        var start = 0
        while kept.count - start > 2 {
            let last = kept[kept.count - 1], first = kept[start]
            if last == first || Self.cross(kept[kept.count - 2], last, first) == 0 {
                kept.removeLast()
            } else if Self.cross(last, first, kept[start + 1]) == 0 {
                start += 1
            } else {
                break
            }
        }
        kept.removeFirst(start)
    }

    private mutating func command(_ id: UInt64, count: Int) { bytes.appendVarint(UInt64(count) << 3 | id) }

    private mutating func move(to vertex: Vertex) {
        parameter(vertex.x &- cursor.x)
        parameter(vertex.y &- cursor.y)
        cursor = vertex
    }

    @inline(__always)
    private mutating func parameter(_ value: Int32) {
        bytes.appendVarint(UInt64(UInt32(bitPattern: value << 1 ^ value >> 31)))
    }

    /// Twice the area of a triangle: 0 if its corners are on a line.
    @inline(__always)
    private static func cross(_ a: Vertex, _ b: Vertex, _ c: Vertex) -> Int {
        (Int(b.x) - Int(a.x)) &* (Int(c.y) - Int(b.y)) &- (Int(b.y) - Int(a.y)) &* (Int(c.x) - Int(b.x))
    }

    @inline(__always)
    private static func dot(_ a: Vertex, _ b: Vertex, _ c: Vertex) -> Int {
        (Int(b.x) - Int(a.x)) &* (Int(c.x) - Int(b.x)) &+ (Int(b.y) - Int(a.y)) &* (Int(c.y) - Int(b.y))
    }
}
