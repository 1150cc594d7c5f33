import PortolanFeatures
import PortolanRaster
import Synchronization

/// Lines and rings that lie in a picture as a whole, as they were traced for an earlier layer of it: a street is drawn twice, and
/// an area has a border.
///
/// What has no room is traced again.
struct TracedParts: Sendable {
    private struct Part {
        let bounds: Rectangle
        let start: Int32
        let end: Int32
    }

    /// How many points are kept at most, four megabytes.
    private static let pointLimit = 1 << 18
    /// How many blocks of shapes a layer may have whose parts are kept: each takes memory for all of its parts.
    static let blockLimit = 256

    /// How far east the copy of the world lies that is traced.
    private var shift = 0.0
    /// The points that are left of all parts.
    private(set) var points: [Point] = []
    private var all: [Part] = []
    /// The number of each part, or -1, of the blocks other than the one entered.
    private var numbers: [UInt64: [Int32]] = [:]
    private var block: UInt64?
    private var current: [Int32] = []

    /// Goes over to a copy of the world.
    mutating func enter(shift: Double) { if shift != self.shift { self = TracedParts(shift: shift) } }

    init(shift: Double = 0) { self.shift = shift }

    /// Goes over to a block of shapes.
    mutating func enter(_ columns: ShapeColumns) {
        guard block != columns.id else { return }
        if let block { numbers[block] = current }
        block = columns.id
        current = numbers.removeValue(forKey: columns.id) ?? [Int32](repeating: -1, count: columns.partEnds.count)
    }

    /// Which of the points are left of a part, where it is known and lies in a box.
    func range(ofPart part: Int, in box: Rectangle) -> Range<Int>? {
        guard part < current.count, current[part] >= 0 else { return nil }
        let known = all[Int(current[part])]
        return box.encloses(known.bounds) ? Int(known.start)..<Int(known.end) : nil
    }

    /// Keeps what is left of a part of the block.
    mutating func keep(_ left: [Point], ofPart part: Int, within bounds: Rectangle) {
        guard part < current.count, points.count + left.count <= Self.pointLimit else { return }
        current[part] = Int32(all.count)
        all.append(Part(bounds: bounds, start: Int32(points.count), end: Int32(points.count + left.count)))
        points.append(contentsOf: left)
    }
}

/// What has been traced of one picture, lent to one thread at a time; another begins with nothing.
final class TracedPicture: Sendable {
    private let parts = Mutex<TracedParts?>(TracedParts())

    /// Takes what has been traced.
    func take() -> TracedParts { parts.withLock { $0.take() } ?? TracedParts() }

    /// Gives it back.
    func giveBack(_ traced: TracedParts?) { if let traced { parts.withLock { $0 = traced } } }
}
