import Foundation
import Portolan
import PortolanText
import PortolanWeb

extension MapDocument.FontChoice {
    /// The font sources, after a check that all can be used.
    ///
    /// - Throws: ``CommandFailure`` for the first that cannot be used.
    static func sources(_ choices: [MapDocument.FontChoice]) throws(CommandFailure) -> [FontSource] {
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
                "font '\(text)': no such file or installed family; "
                    + (near.map { "did you mean '\($0)'?" } ?? "fc-list : family lists the families"))
        default: return CommandFailure(.badData, "font '\(text)': \(error)")
        }
    }
}
