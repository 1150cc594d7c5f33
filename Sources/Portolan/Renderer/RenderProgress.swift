/// How far a picture has come: resources that have arrived, or failed, of all that it needs.
public struct RenderProgress: Hashable, Sendable {
    /// Resources that are there or have failed.
    public let done: Int
    /// Resources in all.
    public let total: Int

    /// Makes a progress.
    package init(done: Int, total: Int) {
        self.done = done
        self.total = total
    }
}
