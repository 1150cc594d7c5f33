/// The count of requests on standard error, where that is a terminal.
struct RequestCounter: Sendable {
    private let isShown: Bool

    init(isQuiet: Bool) { isShown = !isQuiet && StandardError.isTerminal }

    /// Shows how many requests have been answered.
    func show(_ count: Int) {
        if isShown { StandardError.write("\r\(count) requests") }
    }

    /// Takes the count away.
    func finish() {
        if isShown { StandardError.write("\r\u{1B}[K") }
    }
}
