/// The exit codes that scripts may rely on; those from 64 on are the ones of `sysexits.h`.
package enum ExitStatus: Int32, Sendable {
    /// All was done.
    case drawn = 0
    /// A picture was drawn with something missing, or a service was examined that deviates from its standard.
    case incomplete = 3
    /// The command line, or a map document, is invalid.
    case usage = 64
    /// The data of an input are bad.
    case badData = 65
    /// An input file does not exist.
    case noInput = 66
    /// A service cannot be used and nothing was drawn.
    case unavailable = 69
    /// The output cannot be made.
    case cannotCreate = 73
    /// The user interrupted.
    case interrupted = 130
}

/// Why the command ends without success: an exit code and one line for a person.
package struct CommandFailure: Error {
    package private(set) var status: ExitStatus
    package private(set) var message: String

    /// Whether the contract promises what was asked for, and it is not built yet.
    package private(set) var isNotSupportedYet = false

    /// Whether the command's time has passed.
    private(set) var isOfDeadline = false

    /// The HTTP status of the answer that is at fault, where there was one.
    let httpStatus: Int?

    init(_ status: ExitStatus, _ message: String, httpStatus: Int? = nil) {
        self.status = status
        self.message = message
        self.httpStatus = httpStatus
    }

    /// The message, and where a server asks for credentials, the options that give them.
    var advice: String {
        guard httpStatus == 401 || httpStatus == 403 else { return message }
        // OpenStreetMap's servers among others want to know who asks (RFC 9110, 10.1.3).
        let page =
            ", or name the page that shows the map, if the server wants one, with --header 'HOST|Referer: https://…'"
        return message + "; give credentials with --user 'HOST|NAME:PASSWORD', or with --header 'HOST|Authorization: …'"
            + (httpStatus == 403 ? page : "")
    }

    /// The same failure in other words.
    func saying(_ message: String) -> CommandFailure {
        var failure = self
        failure.message = message
        return failure
    }

    /// The same failure of a document: what is invalid usage on the command line is bad data there, unless it will be
    /// valid one day.
    func inDocument(_ message: String) -> CommandFailure {
        var failure = saying(message)
        if status == .usage, !isNotSupportedYet { failure.status = .badData }
        return failure
    }

    /// An input for which there is no room in the budget of memory.
    static func tooLarge(_ what: String) -> CommandFailure {
        CommandFailure(.badData, "\(what); --memory-limit raises it")
    }

    /// That the command's time has passed.
    ///
    /// - Parameter consequence: what that means for the user, or `nil` if there is no more to say.
    static func timedOut(after time: String, _ consequence: String?) -> CommandFailure {
        let middle = consequence.map { "; " + $0 } ?? ""
        var failure = CommandFailure(.unavailable, "timed out after \(time)\(middle); --deadline gives it more time")
        failure.isOfDeadline = true
        return failure
    }

    /// An option or key that the contract promises and that is not built yet; `what` is a sentence that says so.
    static func notSupportedYet(_ what: String, instead: String? = nil) -> CommandFailure {
        var failure = CommandFailure(.usage, what + (instead.map { "; \($0)" } ?? ""))
        failure.isNotSupportedYet = true
        return failure
    }
}
