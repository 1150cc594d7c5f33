package import PortolanGeo
import PortolanRaster
import Synchronization

/// The ordinates of shapes in another CRS, in the order of their columns.
///
/// A class, because a layer's painter takes it for each part of a shape.
package final class ProjectedShapes: Sendable {
    /// The shapes as given, or cut at the limits of the other CRS.
    package let columns: ShapeColumns
    /// The number of ordinates in the columns that result from cutting.
    private let cutCount: Int
    /// The eastings; NaN for positions outside the CRS.
    package let x: [Double]
    /// The northings; NaN for positions outside the CRS.
    package let y: [Double]
    /// For each part, the maximum distance of a segment's midpoint from the straight line between its ends, in units of
    /// the CRS.
    ///
    /// It is infinite if a position is missing, and 0 in the shapes' own CRS, where nothing bends.
    package let bends: [Float]
    /// The simplified shapes for some map scales, if they are kept.
    package let thinned: SimplifiedShapes?

    /// Projects all coordinates of columns.
    ///
    /// - Complexity: O(coordinates).
    package convenience init(_ columns: ShapeColumns, by transform: CoordinateTransform) {
        self.init(columns, by: transform, within: nil)
    }

    /// Projects all coordinates of columns, and keeps simplified shapes for some map scales within an allowance.
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
            // Rounded up, so that it remains an upper bound.
            bends.append(Float(greatest.squareRoot()).nextUp)
        }
        self.x = x
        self.y = y
        self.bends = bends
    }

    /// The size of the ordinates in memory, in bytes.
    var byteCount: Int { (x.count + cutCount) * 16 + bends.count * 4 }
}

/// A cache of projected shapes between pictures, with a size limit in bytes and least-recently-used eviction.
///
/// Shapes are identified by the numbers of their columns, so that copies of a source share their entries.
package final class ProjectedShapeCache: TrimmableCache {
    private struct Entry {
        var shapes: ProjectedShapes
        var lastUse: UInt64
    }

    /// The entries for one pair of CRSs.
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
    /// The allowance for simplified shapes at some map scales.
    private let allowance: ByteAllowance
    private let state = Mutex(State())

    /// Creates an empty cache.
    ///
    /// A quarter of the budget is allowed in addition for simplified shapes.
    package init(byteBudget: Int = 64 << 20) {
        self.byteBudget = byteBudget
        allowance = ByteAllowance(limit: byteBudget / 4)
    }

    /// The size of all entries in bytes, including simplified shapes.
    package var byteCount: Int { state.withLock { $0.byteCount } + allowance.takenCount }

    /// Evicts the least recently used entries until the size is at most `byteCount`.
    package func trim(to byteCount: Int) {
        // Simplified shapes are evicted together with their shapes.
        state.withLock { Self.evict(&$0) { [allowance] in $0 + allowance.takenCount <= byteCount } }
    }

    /// Returns the shapes of columns in the target CRS of a transformation.
    ///
    /// - Complexity: O(coordinates that are not cached).
    package func shapes(of columns: [ShapeColumns], by transform: CoordinateTransform) -> [ProjectedShapes] {
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
            // Eviction frees a quarter of the budget.
            if state.byteCount > byteBudget { Self.evict(&state) { [byteBudget] in $0 <= byteBudget / 4 * 3 } }
        }
    }

    /// Evicts the least recently used entries until the size is small enough.
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
