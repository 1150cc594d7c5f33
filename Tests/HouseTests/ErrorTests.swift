import Foundation
import Testing

/// One design of errors: the doors throw `MapError`, and all errors are named so.
@Suite struct ErrorTests {
    /// Functions that protocols of inner modules, and of the standard library, ask for, and one that takes a function that throws.
    private static let requirements = [
        "func plan(for view: LayerView", "func tile(_ entry: TileArchive.Entry)", "init(from decoder",
        "func encode(to encoder", "open: @escaping @Sendable (_ path: String) throws",
    ]

    @Test(arguments: ["Portolan", "PortolanRouteBook", "PortolanCity"])
    func `public functions throw MapError and nothing else`(module: String) {
        let declaration =
            /(?m)^[ \t]*(?:@\w+\s+)*public (?:(?:static|mutating|convenience|override) )*(?:func|init|var|subscript)\b[^{}]*?\bthrows(?:\((\w+)\))?[^{}]*\{/
        var count = 0
        for source in HouseTests.sources(in: "Sources/\(module)") {
            for match in source.text.matches(of: declaration) {
                let text = String(match.output.0)
                // Of closures that are parameters only the thrown type of the function counts, which comes last.
                let thrown = text.matches(of: /\bthrows(?:\((\w+)\))?(?=\s*(?:->|\{))/).last?.output.1
                guard !Self.requirements.contains(where: { text.contains($0) }),
                    text.contains(/\)\s*(?:async\s+)?throws(?:\(\w+\))?\s*(?:->[^{]*)?\{$|get throws/)
                else { continue }
                count += 1
                #expect(thrown == "MapError" || text.contains("rethrows"), "\(source.path): \(text.prefix(200))")
            }
        }
        #expect(count > 2)
    }

    @Test func `public error types have names that end in Error`() {
        let declaration =
            /(?m)^[ \t]*public (?:indirect )?(?:struct|enum|final class|class) (\w+)(?:<[^>]*>)?: ([^{]*)\{/
        var count = 0
        for source in HouseTests.sources(in: "Sources") {
            for match in source.text.matches(of: declaration)
            where match.output.2.split(separator: ",").contains(where: {
                $0.trimmingCharacters(in: .whitespaces) == "Error"
            }) {
                count += 1
                // Or a part of a type that is named so.
                let isNamedSo = match.output.1.hasSuffix("Error") || source.name.contains("Error+")
                #expect(isNamedSo, "\(source.path): \(match.output.1)")
            }
        }
        #expect(count > 20)
    }
}
