import Foundation
import Portolan
import PortolanPaint

extension PDFOptions {
    /// The options of commands: the time of creation is that in `SOURCE_DATE_EPOCH`, the convention of reproducible
    /// builds, if there is one.
    static func ofEnvironment() throws(CommandFailure) -> PDFOptions {
        guard let text = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"], !text.isEmpty else {
            return PDFOptions()
        }
        guard let time = Int(text), (0..<253_402_300_800).contains(time) else {
            throw CommandFailure(
                .usage, "the environment variable SOURCE_DATE_EPOCH must be whole seconds since 1970, as 1764230400")
        }
        return PDFOptions(creationTime: time)
    }
}
