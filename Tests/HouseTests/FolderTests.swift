import Foundation
import Testing

/// Folders of a target use one another in one direction, as targets do.
@Suite struct FolderTests {
    /// The folder of a file in its target; files outside any folder form a separate one.
    private static func folder(of source: HouseTests.Source) -> (target: String, folder: String) {
        let parts = source.path.split(separator: "/").map(String.init)
        return (parts[1], parts.count > 3 ? parts[2] : "(top)")
    }

    /// The words of a file's code: what could be a name, without comments and the texts of literals.
    private static func words(of source: HouseTests.Source) -> Set<Substring> {
        var words: Set<Substring> = []
        for line in source.lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
            let code = line.replacing(/"(?:[^"\\]|\\[^(])*"/, with: "")
            words.formUnion(code.split { !($0.isLetter || $0.isNumber || $0 == "_") })
        }
        return words
    }

    /// The types that a file declares, nested ones and extensions aside.
    private static func types(in source: HouseTests.Source) -> [Substring] {
        let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "typealias", "actor"]
        return source.lines.compactMap { line in
            guard let first = line.first, first.isLetter || first == "@", !line.hasPrefix("private ") else {
                return nil
            }
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
            return words.firstIndex { kinds.contains($0) }.flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
        }
    }

    /// Which folders of a target use which others.
    private static func uses(in sources: [HouseTests.Source]) -> [String: Set<String>] {
        var home: [Substring: Set<String>] = [:]
        for source in sources {
            for type in types(in: source) { home[type, default: []].insert(folder(of: source).folder) }
        }
        var uses: [String: Set<String>] = [:]
        for source in sources {
            let own = folder(of: source).folder
            for word in words(of: source) {
                guard let folders = home[word], folders.count == 1, let other = folders.first, other != own else {
                    continue
                }
                uses[own, default: []].insert(other)
            }
        }
        return uses
    }

    /// The folders that a folder leads to and that lead back to it.
    private static func circle(through folder: String, in uses: [String: Set<String>]) -> Set<String> {
        func reach(from start: String) -> Set<String> {
            var seen: Set<String> = [], open = [start]
            while let next = open.popLast() {
                for other in uses[next] ?? [] where seen.insert(other).inserted { open.append(other) }
            }
            return seen
        }
        return reach(from: folder).filter { reach(from: $0).contains(folder) }
    }

    private static let circles: [String: Set<String>] = {
        let targets = Dictionary(grouping: HouseTests.sources(in: "Sources")) { folder(of: $0).target }
        return targets.compactMapValues { sources in
            let uses = uses(in: sources)
            return uses.keys.lazy.map { circle(through: $0, in: uses) }.first { !$0.isEmpty }
        }
    }()

    @Test func `folders of a target do not depend on each other in cycles`() {
        for (target, folders) in Self.circles {
            Issue.record("\(target): \(folders.sorted().joined(separator: ", "))")
        }
    }
}
