import Foundation
import Portolan
import PortolanText
import PortolanWeb

extension FontChoice {
    /// The sources of fonts that can all be used.
    ///
    /// - Throws: ``CommandFailure`` that names the first which cannot.
    static func sources(_ choices: [FontChoice]) throws(CommandFailure) -> [FontSource] {
        for choice in choices {
            do { try FontBook(fonts: [choice.source], usesSystemFonts: false).load() } catch {
                throw choice.failure(error)
            }
        }
        return choices.map(\.source)
    }

    private func failure(_ error: TextError) -> CommandFailure {
        switch error {
        case .unreadableFont(let file, let detail):
            return CommandFailure(
                FileManager.default.fileExists(atPath: file) ? .badData : .noInput, "font '\(text)': \(detail)")
        case .unknownFamily:
            let near = NearName.nearest(to: text, in: FontBook.installedFamilies())
            return CommandFailure(
                .usage,
                "font '\(text)': there is neither a file nor an installed family of this name; "
                    + (near.map { "did you mean '\($0)'?" } ?? "fc-list : family lists the families"))
        default: return CommandFailure(.badData, "font '\(text)': \(error)")
        }
    }
}
