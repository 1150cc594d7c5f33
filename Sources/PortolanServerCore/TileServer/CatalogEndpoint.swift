import PortolanFeatures

/// The lists of a server at the paths of tileserver-gl: `/styles.json`, `/data.json`, `/fonts.json`, and
/// `[/256|/512]/index.json` and `rendered.json`.
package struct CatalogEndpoint: Endpoint {
    package let root: String
    /// The size of tiles in the path, or `nil` for none.
    private let side: String?

    /// One for each first component of the paths.
    static let all: [any Endpoint] =
        ["styles.json", "data.json", "fonts.json", "index.json", "rendered.json"].map {
            CatalogEndpoint(root: $0, side: nil)
        } + StylesEndpoint.sides.map { CatalogEndpoint(root: $0, side: $0) }

    private init(root: String, side: String?) {
        self.root = root
        self.side = side
    }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        let words = side == nil ? [root] + path : Array(path)
        guard words.count == 1, let list = list(words[0], in: context) else {
            let names = side == nil ? "/\(root)" : "/\(root)/index.json and /\(root)/rendered.json"
            throw Problem(.notFound, "the path of the list is \(names)")
        }
        return context.answer(ServerResponse(json: .array(list)), document: request)
    }

    private func list(_ name: String, in context: ServingContext) -> [PropertyValue]? {
        let maps = context.book.maps, base = context.base
        var drawn: [PropertyValue] {
            maps.map { .object(StylesEndpoint.tileJSON(of: $0, at: base, side: side)) }
        }
        var stored: [PropertyValue] {
            maps.flatMap { map in
                zip(map.archiveNames, map.archives).map { .object($1.document($0, of: map, at: base)) }
                    + [map.servedFeatures].compactMap { $0.map { .object($0.document(at: base)) } }
            } + context.book.providers.map { .object($0.document(at: base)) }
        }
        switch (name, side) {
        case ("rendered.json", _): return drawn
        case ("index.json", _): return drawn + stored
        case ("data.json", nil): return stored
        case ("fonts.json", nil): return GlyphRanges.names(of: context.book).map(PropertyValue.string)
        case ("styles.json", nil):
            return maps.map { map in
                [
                    "version": 8, "name": .string(map.title), "id": .string(map.name),
                    "url": .string("\(base)/styles/\(map.name)/style.json"),
                ]
            }
        default: return nil
        }
    }
}
