import Foundation
import PortolanFeatures

/// Reads every sample in a folder and prints a JSON line for each.
@main
struct Corpus {
    private static let usage = """
        usage: corpus FOLDER

        Reads every file below the folder that is of one of these kinds, and prints a JSON line for each:

          test.json      a fixture of MapLibre's expressions: {"fixture", "level": "must|should|outside", "passed"}
          *.kml, *.gml … a file of features: {"file", "format", "features", "warnings", "error"}
          *.json         a style, which has "version" and "layers": {"style", "layers", "notDrawn"}
        """

    /// The readers by kind of sample; the first that recognises a file prints its line.
    ///
    /// To add a kind, add an entry here and a file for it.
    private static let kinds: [@Sendable (Sample) -> Line?] = [
        ExpressionFixture.line, FeatureSample.line, StyleSample.line,
    ]

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let path = arguments.first, arguments.count == 1, !path.hasPrefix("-") else {
            FileHandle.standardError.write(Data((usage + "\n").utf8))
            exit(arguments.first == "--help" ? 0 : 2)
        }
        let root = URL(filePath: path, directoryHint: .isDirectory).standardizedFileURL
        guard let files = FileManager.default.enumerator(atPath: root.path(percentEncoded: false)) else {
            FileHandle.standardError.write(Data("corpus: \(path) cannot be read\n".utf8))
            exit(1)
        }
        for name in files.compactMap({ $0 as? String }).sorted() {
            guard let sample = Sample(name: name, in: root) else { continue }
            for kind in kinds {
                guard let line = kind(sample) else { continue }
                print(line.text)
                break
            }
        }
    }
}

/// A file of the folder.
struct Sample: Sendable {
    /// The path relative to the folder.
    let name: String
    let path: String
    let bytes: [UInt8]

    /// Reads a file; returns `nil` for folders and unreadable files.
    init?(name: String, in root: URL) {
        let url = root.appending(path: name)
        guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
            let data = try? Data(contentsOf: url)
        else { return nil }
        self.name = name
        path = url.path(percentEncoded: false)
        bytes = [UInt8](data)
    }

    /// The file name without folders.
    var fileName: String { name.split(separator: "/").last.map(String.init) ?? name }
}

/// The printed result of a sample: a JSON object in one line.
struct Line {
    let members: Properties
    var text: String { Self.json(.object(members)) }

    static func json(_ value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .number(let number): number.isFinite ? "\(number)" : "null"
        case .string(let text):
            (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
        case .array(let items): "[" + items.map(json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { json(.string($0.name)) + ":" + json($0.value) }.joined(separator: ",") + "}"
        }
    }
}
