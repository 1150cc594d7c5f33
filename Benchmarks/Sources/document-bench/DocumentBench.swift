import Foundation
import PortolanServices

/// Measures the parsing of capabilities of realistic size, and prints a JSON line for each document.
@main
struct DocumentBench {
    private static let usage = """
        usage: document-bench [--layers N] [--write FOLDER] CAPABILITIES.xml …

        Reads capabilities made of real ones by repeating their layers, under other names, and prints a JSON line
        for each. One document a process gives the truest figure of memory.

          --layers N       the layers of a document (default: 10,000)
          --write FOLDER   where to leave the documents
        """

    /// The number of rounds per document, including the first.
    private static let rounds = 5

    struct Row: Encodable {
        var document: String
        var bytes: Int
        var layers: Int
        var warnings: Int
        var medianMilliseconds: Double
        var firstMilliseconds: Double
        /// The resident memory before the first parse, including the document.
        var bytesBefore: Int
        /// The peak resident memory up to the end of the first parse.
        var peakBytes: Int
    }

    static func main() throws {
        var paths: [String] = []
        var count = 10_000
        var folder: URL?
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--help", "-h": return print(usage)
            case "--layers": count = arguments.popFirst().flatMap { Int($0) } ?? count
            case "--write": folder = arguments.popFirst().map { URL(filePath: $0) }
            default: paths.append(argument)
            }
        }
        guard !paths.isEmpty else { return print(usage) }
        for path in paths {
            let url = URL(filePath: path)
            let document = try RepeatedLayers.document(from: [UInt8](Data(contentsOf: url)), count: count)
            try folder.map { try Data(document).write(to: $0.appending(path: url.lastPathComponent)) }
            let before = resident("VmRSS")
            var times: [Double] = []
            var peak = 0
            var layers = 0, warnings = 0
            for round in 0..<rounds {
                let duration = try ContinuousClock().measure { (layers, warnings) = try read(document) }
                times.append(duration / .milliseconds(1))
                if round == 0 { peak = resident("VmHWM") }
            }
            let row = Row(
                document: url.lastPathComponent, bytes: document.count, layers: layers, warnings: warnings,
                medianMilliseconds: times.sorted()[rounds / 2], firstMilliseconds: times[0], bytesBefore: before,
                peakBytes: peak)
            print(String(decoding: try JSONEncoder().encode(row), as: UTF8.self))
        }
    }

    private static func read(_ document: [UInt8]) throws -> (layers: Int, warnings: Int) {
        if document.prefix(2000).firstRange(of: Array("opengis.net/wmts".utf8)) != nil {
            let capabilities = try WMTSCapabilitiesReader.read(document)
            return (capabilities.layers.count, capabilities.warnings.count)
        }
        let capabilities = try WMSCapabilitiesReader.read(document)
        return (capabilities.allLayers.count, capabilities.warnings.count)
    }

    /// Returns a value of this process from `/proc/self/status` in bytes; 0 on other systems than Linux.
    private static func resident(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0)
            * 1024
    }
}
