import Foundation
import Portolan
import PortolanWeb

/// An input of `portolan tile`, and the name of its layer.
struct TileInput: Equatable {
    let name: String
    let source: String

    /// The longest name of a layer in bytes.
    private static let longestName = 255

    /// Reads an input: a source, or `NAME=SOURCE`.
    init(_ text: String) throws(CommandFailure) {
        if let equals = text.firstIndex(of: "="), !FileManager.default.fileExists(atPath: text) {
            let name = text[..<equals]
            // Sources with a query or with keys have other characters before the first equals sign.
            if !name.isEmpty, !name.contains(where: { ":/;?&.".contains($0) }) {
                self.name = String(name)
                source = String(text[text.index(after: equals)...])
                guard !source.isEmpty else { throw CommandFailure(.usage, "'\(text)': missing file after NAME=") }
                return
            }
        }
        source = text
        name = try Self.name(of: text)
    }

    private static func name(of source: String) throws(CommandFailure) -> String {
        if source == "-" { return "features" }
        var path = source
        if let parts = try LayerSpecification.Parts.argument(source) {
            if let name = parts.values["name"] ?? parts.values["layers"] { return name }
            path = parts.source
        }
        let stem = OutputFile(path: String(path.prefix { $0 != "?" && $0 != "#" })).stem
        return stem.isEmpty ? "features" : stem
    }

    /// Reads all inputs.
    ///
    /// - Throws: ``CommandFailure`` if there are none, or two layers have the same name.
    static func all(_ texts: [String]) throws(CommandFailure) -> [TileInput] {
        guard !texts.isEmpty else {
            throw CommandFailure(.usage, "missing input; add a file with features (see portolan tile --help)")
        }
        var inputs: [TileInput] = []
        for text in texts {
            let input = try TileInput(text)
            guard input.name.utf8.count <= longestName else {
                throw CommandFailure(.usage, "the name of a layer has more than \(longestName) bytes")
            }
            guard !inputs.contains(where: { $0.name == input.name }) else {
                throw CommandFailure(
                    .usage, "two layers have the name '\(input.name)'; name one of them, as in other=\(input.source)")
            }
            inputs.append(input)
        }
        return inputs
    }
}
