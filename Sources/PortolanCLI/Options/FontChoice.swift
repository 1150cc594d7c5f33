import Foundation
package import Portolan
import PortolanText
import PortolanWeb

/// A font as the command line or a map document names it: a file or an installed family.
package struct FontChoice: Hashable {
    /// What was written.
    let text: String
    /// What it stands for.
    package let source: FontSource

    private static let extensions = ["ttf", "otf", "ttc", "otc", "woff", "woff2", "pfb", "dfont"]

    /// Reads the name of a font.
    ///
    /// What looks like a path or has the extension of a font is a file, and so is what there is a file of.
    ///
    /// - Parameter folder: what relative paths are relative to; the current folder when `nil`.
    init(_ text: String, relativeTo folder: URL? = nil) {
        self.text = text
        let url = URL(fileURLWithPath: text, relativeTo: folder)
        let isFile =
            text.contains("/") || Self.extensions.contains(url.pathExtension.lowercased())
            || FileManager.default.fileExists(atPath: url.path)
        source = isFile ? .file(url.path) : .family(text)
    }

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
