import PortolanRaster

/// The resources for all viewers of a server together.
package struct ViewerBudget: Hashable, Sendable {
    /// The maximum number of open viewers.
    package var count = 64
    /// The number of threads that draw for viewers.
    package var concurrency: Int
    /// The memory for pictures and uploaded files, in bytes.
    package var byteCount = 1 << 30
    /// The silence of a page after which its viewer is closed.
    package var patience = Duration.seconds(60)
    /// The silence of a page after which its viewer stops drawing.
    ///
    /// A visible page polls continuously.
    package var rest = Duration.seconds(3)

    /// Creates the default budget for a number of processors, half of which draw for viewers.
    package init(processors: Int) { concurrency = max(processors / 2, 1) }
}

/// The resources that viewers share: drawing threads and memory.
final class ViewerShare: Sendable {
    /// The number of pixel buffers per viewer: its last two pictures with their margins and label layers, and the one
    /// being drawn.
    static let copyCount = 10

    /// The drawing threads of viewers, separate from those for tiles and static maps.
    let threads: RenderThreads
    /// The memory budget for pictures and files.
    let memory: MemoryBudget

    init(_ budget: ViewerBudget) {
        threads = RenderThreads(count: budget.concurrency, name: "map-viewer")
        memory = MemoryBudget(byteLimit: budget.byteCount)
    }

    /// Reserves the memory of a viewer with a number of pixels.
    ///
    /// - Throws: ``Problem`` of kind `overloaded` if there is not enough memory.
    func charge(pixelCount: Int) throws(Problem) -> MemoryCharge {
        do throws(MemoryBudget.ExceededError) { return try memory.charge(Self.bytes(pixelCount)) } catch {
            throw Self.problem(error)
        }
    }

    /// Reserves memory for more pixels if the number is positive.
    ///
    /// - Throws: ``Problem`` of kind `overloaded` if there is not enough memory.
    static func grow(_ charge: MemoryCharge, byPixels count: Int) throws(Problem) {
        do throws(MemoryBudget.ExceededError) { try charge.grow(by: bytes(count)) } catch { throw problem(error) }
    }

    /// Releases memory of pixels if the number is positive.
    static func shrink(_ charge: MemoryCharge, byPixels count: Int) { charge.shrink(by: bytes(count)) }

    private static func bytes(_ pixelCount: Int) -> Int { pixelCount * 4 * copyCount }

    private static func problem(_ error: MemoryBudget.ExceededError) -> Problem {
        Problem(.overloaded, "no memory left for the viewers of this server: \(error)", retryAfter: 30)
    }
}
