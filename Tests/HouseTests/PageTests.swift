import Foundation
import Testing

/// Links and pictures of the pages that people read.
@Suite struct PageTests {
    /// The Markdown files of the package by path, `CHANGELOG.md` aside.
    private static let pages: [String: String] = {
        let folders = ["Sources", "Examples", "Benchmarks", "Tests", "Fixtures"]
        var paths = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
        for folder in folders {
            let files = FileManager.default.enumerator(atPath: HouseTests.root.appending(path: folder).path)
            paths += (files?.compactMap { $0 as? String } ?? []).filter {
                $0.hasSuffix(".md") && !$0.contains(".build")
            }
            .map { "\(folder)/\($0)" }
        }
        let pairs = paths.compactMap { path in
            (try? String(contentsOf: HouseTests.root.appending(path: path), encoding: .utf8)).map { (path, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }()

    /// The targets of a page's links and pictures: relative paths, without anchors.
    private static func targets(in text: String) -> [String] {
        let code = text.replacing(/(?s)```.*?```/, with: "")
        let links = code.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
        let pictures = code.matches(of: /<img src="([^"]+)"/).map { String($0.1) }
        return (links + pictures).filter { !$0.contains(":") && !$0.hasPrefix("#") }
            .map { $0.split(separator: "#").first.map(String.init) ?? $0 }
    }

    @Test func `each relative link leads to a file`() {
        var count = 0
        for (path, text) in Self.pages {
            let folder = HouseTests.root.appending(path: path).deletingLastPathComponent()
            for target in Self.targets(in: text) {
                count += 1
                let isThere = FileManager.default.fileExists(atPath: folder.appending(path: target).path)
                #expect(isThere, "\(path) links to \(target)")
            }
        }
        #expect(count > 50)
    }

    @Test func `links between articles resolve, and README links to each article`() throws {
        let articles = Self.pages.keys.filter { $0.contains(".docc/") }
        let names = Set(articles.compactMap { $0.split(separator: "/").last?.dropLast(3) })
        for path in articles {
            for match in Self.pages[path, default: ""].matches(of: /<doc:([\w-]+)>/) {
                #expect(names.contains(match.1), "\(path) links to \(match.1)")
            }
        }
        let readme = try #require(Self.pages["README.md"])
        for path in articles.filter({ !$0.contains("/Portolan.docc/Portolan") }) {
            #expect(readme.contains(path), "README.md does not link to \(path)")
        }
    }

    /// Pictures that people look at: golden pictures, those of examples and of articles.
    @Test(arguments: ["Examples", "Tests/PortolanPaintTests/Golden", "Sources/Portolan/Portolan.docc"])
    func `a page beside the pictures describes each of them`(folder: String) throws {
        let pictures = try FileManager.default.contentsOfDirectory(atPath: HouseTests.root.appending(path: folder).path)
            .filter { $0.hasSuffix(".png") }
        #expect(!pictures.isEmpty)
        let isCatalog = folder.hasSuffix(".docc")
        let text =
            isCatalog
            ? Self.pages.filter { $0.key.contains(".docc/") }.values.joined()
            : try #require(Self.pages["\(folder)/README.md"])
        for picture in pictures {
            let name = NSRegularExpression.escapedPattern(for: picture)
            let caption = isCatalog ? "!\\[[^\\]]{10,}\\]\\(\(name)\\)" : "\\| `\(name)` \\| \\S.{9,} \\|"
            #expect(text.range(of: caption, options: .regularExpression) != nil, "\(folder): \(picture)")
        }
    }

    @Test func `README contains no URLs of servers that do not exist`() throws {
        let readme = try #require(Self.pages["README.md"])
        #expect(!readme.contains("example.org"))
        #expect(!readme.contains("https://…"))
    }
}
