package import PortolanFeatures
package import PortolanRaster
import Synchronization

/// The marks of things that move, painted beforehand and kept from picture to picture, within a budget of bytes; what was
/// used longest ago goes first.
///
/// All shapes of a source that has one are drawn from here, however many there are: what a picture looks like does not
/// depend on the pictures before it.
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

    /// Makes an empty store.
    package init(byteBudget: Int = 48 << 20) { self.byteBudget = byteBudget }

    /// How many bytes are kept.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    /// The mark of a marker, prepared.
    ///
    /// - Parameter make: makes the mark where it is not kept.
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
