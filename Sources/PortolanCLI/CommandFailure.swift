/// Why the command ends without success: an exit code and one line for a person.
package struct CommandFailure: Error {
    package let status: ExitStatus
    package let message: String

    /// Whether the contract promises what was asked for, and it is not built yet.
    package private(set) var isNotSupportedYet = false

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// What a person is told: the message, and where a server wants to know who asks, the options that say so.
    var words: String {
        let isLockedOut = ["HTTP status 401", "HTTP status 403"].contains { message.contains($0) }
        guard isLockedOut, !message.contains("--user") else { return message }
        return message + "; say who asks with --user 'HOST|NAME:PASSWORD', or with --header 'HOST|Authorization: …'"
    }

    /// The same of a document: what would be usage on the command line is bad data there, if it will ever be good.
    func inDocument(_ message: String) -> CommandFailure {
        var failure = CommandFailure(status == .usage && !isNotSupportedYet ? .badData : status, message)
        failure.isNotSupportedYet = isNotSupportedYet
        return failure
    }

    /// An option or key that the contract promises and that is not built yet.
    static func notSupportedYet(_ what: String, instead: String? = nil) -> CommandFailure {
        var failure = CommandFailure(.usage, "\(what) is not supported yet" + (instead.map { "; \($0)" } ?? ""))
        failure.isNotSupportedYet = true
        return failure
    }
}
