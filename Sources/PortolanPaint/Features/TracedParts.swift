import PortolanFeatures
import PortolanRaster
import Synchronization

/// Traced lines and rings that are completely inside a picture, kept for later layers of it: a street is drawn twice,
/// and an area has a border.
///
/// Parts beyond the limit are traced again.
struct TracedParts: Sendable {
    private struct Part {
        let bounds: Rectangle
        let start: Int32
        let end: Int32
    }

    /// The largest number of points that are kept, four megabytes.
    private static let pointLimit = 1 << 18
    /// The largest number of shape blocks of a layer whose parts are kept, since each needs memory for all of its
    /// parts.
    static let blockLimit = 256

    /// The eastward offset of the traced copy of the world.
    private var shift = 0.0
    /// The remaining points of all parts.
    private(set) var points: [Point] = []
    private var all: [Part] = []
    /// The index of each part, or -1, of the blocks other than the current one.
    private var numbers: [UInt64: [Int32]] = [:]
    private var block: UInt64?
    private var current: [Int32] = []

    /// Selects a copy of the world.
    mutating func enter(shift: Double) { if shift != self.shift { self = TracedParts(shift: shift) } }

    init(shift: Double = 0) { self.shift = shift }

    /// Selects a block of shapes.
    mutating func enter(_ columns: ShapeColumns) {
        guard block != columns.id else { return }
        if let block { numbers[block] = current }
        block = columns.id
        current = numbers.removeValue(forKey: columns.id) ?? [Int32](repeating: -1, count: columns.partEnds.count)
    }

    /// Returns the remaining points of a part, if it is known and inside a box.
    func range(ofPart part: Int, in box: Rectangle) -> Range<Int>? {
        guard part < current.count, current[part] >= 0 else { return nil }
        let known = all[Int(current[part])]
        return box.encloses(known.bounds) ? Int(known.start)..<Int(known.end) : nil
    }

    /// Keeps the remaining points of a part of the block.
    mutating func keep(_ left: [Point], ofPart part: Int, within bounds: Rectangle) {
        guard part < current.count, points.count + left.count <= Self.pointLimit else { return }
        current[part] = Int32(all.count)
        all.append(Part(bounds: bounds, start: Int32(points.count), end: Int32(points.count + left.count)))
        points.append(contentsOf: left)
    }
}

/// The traced shapes of one picture, lent to one thread at a time.
///
/// Other threads begin with an empty set.
final class TracedPicture: Sendable {
    private let parts = Mutex<TracedParts?>(TracedParts())

    /// Takes the traced shapes.
    func take() -> TracedParts { parts.withLock { $0.take() } ?? TracedParts() }

    /// Returns the traced shapes.
    func giveBack(_ traced: TracedParts?) { if let traced { parts.withLock { $0 = traced } } }
}
