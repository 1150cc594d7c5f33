import Foundation

/// Standard error, where all that is said to a person goes.
enum StandardError {
    static func write(_ failure: CommandFailure) { line("portolan: error: \(failure.words)") }

    static func warn(_ message: String) { line("portolan: warning: \(message)") }

    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    static var isTerminal: Bool { isatty(2) == 1 }

    private static func line(_ text: String) { write(PlainText.oneLine(text) + "\n") }
}
