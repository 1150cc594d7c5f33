/// The exit codes, which are stable; those from 64 on are the ones of `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
    /// Success.
    case drawn = 0
    /// An incomplete picture, or a service that deviates from its standard.
    case incomplete = 3
    /// The command line, or a map document, is invalid.
    case usage = 64
    /// Invalid input data.
    case badData = 65
    /// An input file does not exist.
    case noInput = 66
    /// A service cannot be used and nothing was drawn.
    case unavailable = 69
    /// The output cannot be written.
    case cannotCreate = 73
    /// Interrupted by the user.
    case interrupted = 130
}

/// The failure of a command: an exit code and a one-line message.
package struct CommandFailure: Error {
    package private(set) var status: ExitStatus
    package private(set) var message: String

    /// Whether the time limit of the command has passed.
    private(set) var isOfDeadline = false

    /// The HTTP status of the failed response, if any.
    let httpStatus: Int?

    init(_ status: ExitStatus, _ message: String, httpStatus: Int? = nil) {
        self.status = status
        self.message = message
        self.httpStatus = httpStatus
    }

    /// The message, with the credential options if a server requires them.
    var advice: String {
        guard httpStatus == 401 || httpStatus == 403 else { return message }
        // Some servers, such as those of OpenStreetMap, require a referer (RFC 9110, 10.1.3).
        let page =
            "; if the server requires a referer, add --header 'HOST|Referer: https://…'"
        return message + "; add credentials with --user 'HOST|NAME:PASSWORD' or --header 'HOST|Authorization: …'"
            + (httpStatus == 403 ? page : "")
    }

    /// The same failure with another message.
    func saying(_ message: String) -> CommandFailure {
        var failure = self
        failure.message = message
        return failure
    }

    /// The same failure of a document: a usage error becomes bad data.
    func inDocument(_ message: String) -> CommandFailure {
        var failure = saying(message)
        if status == .usage { failure.status = .badData }
        return failure
    }

    /// An input that exceeds the memory limit.
    static func tooLarge(_ what: String) -> CommandFailure {
        CommandFailure(.badData, "\(what); raise --memory-limit")
    }

    /// A timeout of the command.
    ///
    /// - Parameter consequence: the consequence for the user, or `nil`.
    static func timedOut(after time: String, _ consequence: String?) -> CommandFailure {
        let middle = consequence.map { "; " + $0 } ?? ""
        var failure = CommandFailure(.unavailable, "timed out after \(time)\(middle); try a longer --deadline")
        failure.isOfDeadline = true
        return failure
    }
}
