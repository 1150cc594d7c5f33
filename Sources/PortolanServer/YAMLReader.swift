#if Server
import Foundation
import PortolanCLI
import PortolanWeb
import Yams

/// Reads YAML values and reports errors with their line.
struct YAMLReader {
    let path: String
    let folder: URL
    /// The value of `${NAME}`.
    private let environment = ProcessInfo.processInfo.environment

    init(path: String, folder: URL) {
        self.path = path
        self.folder = folder
    }

    func failure(_ node: Node, _ words: String) -> ServerFailure {
        ServerFailure(.badData, "\(path)\(node.mark.map { ", line \($0.line)" } ?? ""): \(words)")
    }

    /// The members of an object.
    ///
    /// - Parameter known: the known keys, or `nil` if the keys are names.
    func members(
        _ node: Node, _ object: String, known: [String]?
    ) throws(ServerFailure) -> [(key: String, node: Node)] {
        guard let mapping = node.mapping else { throw failure(node, "\(object) must be an object of keys and values") }
        var members: [(String, Node)] = []
        for (key, value) in mapping {
            guard let name = key.string else { throw failure(key, "a key of \(object) is not a string") }
            if let known, !known.contains(name) {
                let near = NearName.nearest(to: name, in: known).map { "did you mean '\($0)'? " } ?? ""
                throw failure(
                    key, "unknown key '\(name)' in \(object); \(near)available: \(known.joined(separator: ", "))")
            }
            members.append((name, value))
        }
        return members
    }

    /// A string with `${NAME}` and `${NAME:-default}` replaced by environment variables.
    func text(_ node: Node, _ key: String) throws(ServerFailure) -> String {
        guard let written = node.scalar?.string, !written.isEmpty else {
            throw failure(node, "'\(key)' must be a string")
        }
        var text = "", rest = written[...]
        while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
            let sides = rest[start.upperBound..<end].split(
                separator: ":-", maxSplits: 1, omittingEmptySubsequences: false)
            text += rest[..<start.lowerBound]
            let name = String(sides[0])
            guard let value = environment[name] ?? (sides.count > 1 ? String(sides[1]) : nil) else {
                throw failure(node, "no environment variable '\(name)'")
            }
            text += value
            rest = rest[rest.index(after: end)...]
        }
        return text + rest
    }

    func whole(_ node: Node, _ key: String, in range: ClosedRange<Int>) throws(ServerFailure) -> Int {
        guard let number = node.int, range.contains(number) else {
            throw failure(
                node, "'\(key)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the index of a word among several.
    func choice(_ node: Node, _ key: String, _ words: [String]) throws(ServerFailure) -> Int {
        let word = try text(node, key)
        guard let index = words.firstIndex(of: word) else {
            throw failure(node, "'\(key)' must be \(words.joined(separator: " or "))")
        }
        return index
    }

    func number(_ node: Node, _ key: String) throws(ServerFailure) -> Double {
        guard let number = node.float ?? node.int.map(Double.init), number.isFinite else {
            throw failure(node, "'\(key)' must be a number")
        }
        return number
    }

    /// A range of zoom levels, such as `0-18`.
    func levels(_ node: Node) throws(ServerFailure) -> ClosedRange<Int> {
        let ends = try text(node, "zooms").split(separator: "-").map { Int($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], 0 <= first, first <= last, last <= 24
        else { throw failure(node, "'zooms' must be like 0-18, from 0 to 24") }
        return first...last
    }

    /// A path relative to the file.
    func path(_ text: String) -> String { URL(fileURLWithPath: text, relativeTo: folder).path }
}
#endif
