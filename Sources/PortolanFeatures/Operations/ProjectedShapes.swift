package import PortolanGeo
import PortolanRaster
import Synchronization

/// The ordinates of shapes in another system, in the order of their columns.
package struct ProjectedShapes: Sendable {
    /// The shapes as they were given, or cut where the other system ends.
    package let columns: ShapeColumns
    /// How many ordinates of the columns are not those that were given.
    private let cutCount: Int
    /// The eastings; no number where the system has no place.
    package let x: [Double]
    /// The northings; no number where the system has no place.
    package let y: [Double]
    /// For each part the farthest that the middle of a segment lies from the straight line between its ends, in units of
    /// the system: infinite where a place is missing, 0 in the shapes' own system, where nothing bends.
    package let bends: [Float]
    /// What is left of the shapes in maps of some scales, where that is kept.
    package let thinned: SimplifiedShapes?

    /// Projects all coordinates of some columns.
    ///
    /// - Complexity: O(coordinates).
    package init(_ columns: ShapeColumns, by transform: CoordinateTransform) {
        self.init(columns, by: transform, within: nil)
    }

    /// The same, with what is left of them in maps of some scales to be kept within an allowance.
    init(_ columns: ShapeColumns, by transform: CoordinateTransform, within allowance: ByteAllowance?) {
        thinned = transform.isIdentity ? nil : allowance.map { SimplifiedShapes(within: $0) }
        let cut = columns.cut(for: transform), columns = cut ?? columns
        self.columns = columns
        cutCount = cut?.x.count ?? 0
        guard !transform.isIdentity else {
            x = columns.x
            y = columns.y
            bends = (0..<columns.partEnds.count).map { part in
                columns.range(ofPart: part).allSatisfy { columns.x[$0].isFinite && columns.y[$0].isFinite }
                    ? 0 : .infinity
            }
            return
        }
        let count = columns.x.count
        var x: [Double] = [], y: [Double] = [], bends: [Float] = []
        x.reserveCapacity(count)
        y.reserveCapacity(count)
        bends.reserveCapacity(columns.partEnds.count)
        for part in columns.partEnds.indices {
            let range = columns.range(ofPart: part)
            var greatest = 0.0
            for index in range {
                guard let place = transform(columns.coordinate(index)), place.isFinite else {
                    x.append(.nan)
                    y.append(.nan)
                    greatest = .infinity
                    continue
                }
                if index > range.lowerBound, greatest < .infinity {
                    let middle = Coordinate(
                        x: (columns.x[index - 1] + columns.x[index]) / 2,
                        y: (columns.y[index - 1] + columns.y[index]) / 2)
                    if let bent = transform(middle) {
                        let dx = (x[index - 1] + place.x) / 2 - bent.x, dy = (y[index - 1] + place.y) / 2 - bent.y
                        greatest = max(greatest, dx * dx + dy * dy)
                    } else {
                        greatest = .infinity
                    }
                }
                x.append(place.x)
                y.append(place.y)
            }
            // Rounded up, so that it stays a bound.
            bends.append(Float(greatest.squareRoot()).nextUp)
        }
        self.x = x
        self.y = y
        self.bends = bends
    }

    /// What the ordinates take of memory, in bytes.
    var byteCount: Int { (x.count + cutCount) * 16 + bends.count * 4 }
}

/// Keeps projected shapes between pictures, within a budget of bytes; what was used longest ago goes first.
///
/// Contents are known by the numbers of their columns, so that copies of a source may share one cache.
package final class ProjectedShapeCache: TrimmableCache {
    private struct Entry {
        var shapes: ProjectedShapes
        var lastUse: UInt64
    }

    /// What is kept in one system.
    private struct Room {
        let source: CRS
        let target: CRS
        var entries: [UInt64: Entry] = [:]
    }

    private struct State {
        var rooms: [Room] = []
        var byteCount = 0
        var clock: UInt64 = 0
    }

    private let byteBudget: Int
    /// For what is left of shapes in maps of some scales.
    private let allowance: ByteAllowance
    private let state = Mutex(State())

    /// Makes an empty cache; a quarter of the budget may be taken once more for what is left of shapes in maps of some scales.
    package init(byteBudget: Int = 64 << 20) {
        self.byteBudget = byteBudget
        allowance = ByteAllowance(limit: byteBudget / 4)
    }

    /// How many bytes are kept, what is left of shapes in maps of some scales among them.
    package var byteCount: Int { state.withLock { $0.byteCount } + allowance.takenCount }

    /// Forgets what was used longest ago until at most so many bytes are kept.
    package func trim(to byteCount: Int) {
        // What is left of shapes goes with them.
        state.withLock { Self.evict(&$0) { [allowance] in $0 + allowance.takenCount <= byteCount } }
    }

    /// The shapes of some columns in the system that a transform leads to.
    ///
    /// - Complexity: O(coordinates that are not kept).
    package func shapes(of columns: [ShapeColumns], by transform: CoordinateTransform) -> [ProjectedShapes] {
        if transform.isIdentity { return columns.map { ProjectedShapes($0, by: transform) } }
        var known = state.withLock { state in
            state.clock += 1
            let room = state.rooms.firstIndex { $0.target == transform.target && $0.source == transform.source }
            return columns.map { columns in
                guard let room else { return ProjectedShapes?.none }
                state.rooms[room].entries[columns.id]?.lastUse = state.clock
                return state.rooms[room].entries[columns.id]?.shapes
            }
        }
        var made: [(id: UInt64, shapes: ProjectedShapes)] = []
        for index in columns.indices where known[index] == nil {
            let shapes = ProjectedShapes(columns[index], by: transform, within: allowance)
            known[index] = shapes
            made.append((columns[index].id, shapes))
        }
        if !made.isEmpty { keep(made, transform) }
        return known.compactMap { $0 }
    }

    private func keep(_ made: [(id: UInt64, shapes: ProjectedShapes)], _ transform: CoordinateTransform) {
        state.withLock { state in
            var room = state.rooms.firstIndex { $0.target == transform.target && $0.source == transform.source }
            if room == nil {
                room = state.rooms.count
                state.rooms.append(Room(source: transform.source, target: transform.target))
            }
            guard let room else { return }
            for (id, shapes) in made where shapes.byteCount <= byteBudget {
                let old = state.rooms[room].entries.updateValue(Entry(shapes: shapes, lastUse: state.clock), forKey: id)
                state.byteCount += shapes.byteCount - (old?.shapes.byteCount ?? 0)
            }
            // A quarter is then free again.
            if state.byteCount > byteBudget { Self.evict(&state) { [byteBudget] in $0 <= byteBudget / 4 * 3 } }
        }
    }

    /// Forgets what was used longest ago until so few bytes are kept as are wanted.
    private static func evict(_ state: inout State, until isEnough: (_ byteCount: Int) -> Bool) {
        let all = state.rooms.indices.flatMap { room in
            state.rooms[room].entries.map { (use: $0.value.lastUse, room: room, id: $0.key) }
        }
        for (_, room, id) in all.sorted(by: { ($0.use, $0.id) < ($1.use, $1.id) }) {
            guard !isEnough(state.byteCount) else { break }
            if let gone = state.rooms[room].entries.removeValue(forKey: id) { state.byteCount -= gone.shapes.byteCount }
        }
        state.rooms.removeAll { $0.entries.isEmpty }
    }
}
