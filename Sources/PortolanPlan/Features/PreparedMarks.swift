package import PortolanFeatures
package import PortolanRaster
import Synchronization

/// A cache of the pre-rendered marks of moving features, within a budget of bytes; the least recently used are removed
/// first.
///
/// A source with this cache draws all its shapes from it, however many there are. A picture does not depend on earlier
/// pictures.
package final class PreparedMarks: Sendable {
    private struct Key: Hashable {
        let marker: ShapeMarker
        let pixelRatio: Double
    }

    private struct State {
        var marks: [Key: (mark: Mark, lastUse: UInt64)] = [:]
        var byteCount = 0
        var clock: UInt64 = 0
    }

    private let byteBudget: Int
    private let state = Mutex(State())

    /// Creates an empty cache.
    package init(byteBudget: Int = 48 << 20) { self.byteBudget = byteBudget }

    /// The number of bytes that are kept.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    /// Returns the prepared mark of a marker.
    ///
    /// - Parameter make: creates the mark on a cache miss.
    package func mark(of marker: ShapeMarker, pixelRatio: Double, _ make: () -> Mark) -> Mark {
        let key = Key(marker: marker, pixelRatio: pixelRatio)
        let known = state.withLock { state in
            state.clock += 1
            state.marks[key]?.lastUse = state.clock
            return state.marks[key]?.mark
        }
        if let known { return known }
        let mark = make().coarselyPrepared()
        state.withLock { state in
            guard state.marks[key] == nil else { return }
            state.marks[key] = (mark, state.clock)
            state.byteCount += mark.byteCount
            while state.byteCount > byteBudget, state.marks.count > 1,
                let oldest = state.marks.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.marks[oldest.key] = nil
                state.byteCount -= oldest.value.mark.byteCount
            }
        }
        return mark
    }
}
