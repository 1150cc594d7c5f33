import Foundation

/// Why the command ends without success: an exit code and one line for a person.
struct CommandFailure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// An option or key that the contract promises and that is not built yet.
    static func notSupportedYet(_ what: String) -> CommandFailure {
        CommandFailure(.usage, "\(what) is not supported yet")
    }
}

/// Standard error, where all that is said to a person goes.
enum StandardError {
    static func write(_ failure: CommandFailure) { line("portolan: error: \(failure.message)") }

    static func warn(_ message: String) { line("portolan: warning: \(message)") }

    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    static var isTerminal: Bool { isatty(2) == 1 }

    /// One message is one line, whatever a server or a file has put into it.
    private static func line(_ text: String) {
        let folded = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        write(folded + "\n")
    }
}
