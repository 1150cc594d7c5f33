/// The place of a request in the line for its host, and who is told that it has it.
package struct FetchTurn: Sendable {
    /// How soon it is wanted.
    package var priority: FetchPriority
    /// Called when the request has its place in the line, or shares that of another.
    package var onAdmission: @Sendable () -> Void

    package init(priority: FetchPriority = FetchPriority(), onAdmission: @escaping @Sendable () -> Void = {}) {
        self.priority = priority
        self.onAdmission = onAdmission
    }
}
