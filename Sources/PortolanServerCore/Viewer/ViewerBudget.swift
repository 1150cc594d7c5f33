import PortolanRaster

/// What all viewers of a server together may take of it.
package struct ViewerBudget: Hashable, Sendable {
    /// The number of viewers that may be open.
    package var count = 64
    /// The number of processors that may be busy with drawing for viewers.
    package var concurrency: Int
    /// The bytes that their pictures, and the files that people add, may take.
    package var byteCount = 1 << 30
    /// How long a page may be silent before its viewer is closed.
    package var patience = Duration.seconds(60)
    /// How long a page may be silent before its viewer stops drawing; a page asks for pictures all the time.
    package var rest = Duration.seconds(3)

    /// Makes the usual budget for a number of processors: half of them.
    package init(processors: Int) { concurrency = max(processors / 2, 1) }
}

/// What viewers share: the threads that draw for them, and their memory.
final class ViewerShare: Sendable {
    /// The times that the pixels of a viewer are in memory: its last two pictures, what lies around them and beneath their labels, and
    /// the one that is being drawn.
    static let copyCount = 10

    /// The threads that draw for viewers alone, so that tiles and static maps have the others.
    let threads: RenderThreads
    /// The budget that pictures and files are charged to.
    let memory: MemoryBudget

    init(_ budget: ViewerBudget) {
        threads = RenderThreads(count: budget.concurrency, name: "map-viewer")
        memory = MemoryBudget(byteLimit: budget.byteCount)
    }

    /// The memory of a viewer whose picture has a number of pixels.
    ///
    /// - Throws: ``Problem`` of kind `overloaded` if it is not there.
    func charge(pixelCount: Int) throws(Problem) -> MemoryCharge {
        do throws(MemoryError) { return try memory.charge(Self.bytes(pixelCount)) } catch { throw Self.problem(error) }
    }

    /// Charges more pixels, if the number is above zero.
    ///
    /// - Throws: ``Problem`` of kind `overloaded` if there is no memory for them.
    static func grow(_ charge: MemoryCharge, byPixels count: Int) throws(Problem) {
        do throws(MemoryError) { try charge.grow(by: bytes(count)) } catch { throw problem(error) }
    }

    /// Gives pixels back, if the number is above zero.
    static func shrink(_ charge: MemoryCharge, byPixels count: Int) { charge.shrink(by: bytes(count)) }

    private static func bytes(_ pixelCount: Int) -> Int { pixelCount * 4 * copyCount }

    private static func problem(_ error: MemoryError) -> Problem {
        Problem(.overloaded, "the viewers of this server have no memory left: \(error)", retryAfter: 30)
    }
}
