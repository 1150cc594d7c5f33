import Foundation
import Testing

/// The Swift examples of the articles are also contained in tests, which run them.
///
/// `PageExampleTests` compiles each page as it stands.
@Suite struct ArticleExampleTests {
    private static let folder = HouseTests.root.appending(path: "Sources/Portolan/Portolan.docc")

    /// The lines of a text without their indentation, those that are empty left out.
    private static func lines(_ text: some StringProtocol) -> String {
        "\n"
            + text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    /// The examples of an article, but for those that begin with imports or hold constants alone: a test has its own.
    private static func examples(in article: String) -> [String] {
        article.matches(of: /(?s)```swift\n(.*?)```/).map { String($0.1) }
            .filter { example in
                let isConstants = example.split(separator: "\n").allSatisfy {
                    $0.wholeMatch(of: /let \w+ = (?:"[^"]*"|(?:try MapFacade|Coordinate|Date)\(.*)/) != nil
                }
                return !example.hasPrefix("import ") && !example.hasPrefix("// ") && !isConstants
            }
            .map { lines($0) }
    }

    @Test func `each example of an article is part of a test or an example program`() throws {
        let code = (HouseTests.sources(in: "Tests") + HouseTests.sources(in: "Examples")).map { Self.lines($0.text) }
        let articles = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            $0.hasSuffix(".md")
        }
        var count = 0
        for name in articles.sorted() {
            let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
            for example in Self.examples(in: text) {
                count += 1
                #expect(code.contains { $0.contains(example) }, "\(name):\(example)")
            }
        }
        #expect(count > 20)
    }

    @Test func `an article example is found in any indentation, but not if a line differs`() {
        let setup = "```swift\nimport Portolan\nlet b = 1\n```\n```swift\nlet file = \"map.png\"\n```\n"
        let article = "Text\n" + setup + "```swift\nlet a = 1\n\n    let b = 2\n```\n"
        #expect(Self.examples(in: article) == ["\nlet a = 1\nlet b = 2\n"])
        #expect(Self.lines("func f() {\n    let a = 1\n    let b = 2\n}").contains(Self.examples(in: article)[0]))
        #expect(!Self.lines("let a = 1\nlet b = 3").contains(Self.examples(in: article)[0]))
    }
}
