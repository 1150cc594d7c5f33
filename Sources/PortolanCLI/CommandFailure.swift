/// Why the command ends without success: an exit code and one line for a person.
package struct CommandFailure: Error {
    package let status: ExitStatus
    package let message: String
    /// The HTTP status of the answer that is at fault, where there was one.
    let httpStatus: Int?

    /// Whether the contract promises what was asked for, and it is not built yet.
    package private(set) var isNotSupportedYet = false

    init(_ status: ExitStatus, _ message: String, httpStatus: Int? = nil) {
        self.status = status
        self.message = message
        self.httpStatus = httpStatus
    }

    /// What a person is told: the message, and where a server wants to know who asks, the options that say so.
    var words: String {
        guard httpStatus == 401 || httpStatus == 403 else { return message }
        return message + "; say who asks with --user 'HOST|NAME:PASSWORD', or with --header 'HOST|Authorization: …'"
    }

    /// The same of a document: what would be usage on the command line is bad data there, if it will ever be good.
    func inDocument(_ message: String) -> CommandFailure {
        var failure = CommandFailure(
            status == .usage && !isNotSupportedYet ? .badData : status, message, httpStatus: httpStatus)
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
