import PortolanFeatures

/// The page of all maps, for browsers: pictures, addresses to copy, and how clients use them.
struct OverviewPage {
    private let context: ServingContext
    /// The number of maps whose addresses are on the page; the others are in their own lists.
    private static let most = 500

    init(_ context: ServingContext) { self.context = context }

    /// Returns the page.
    ///
    /// - Parameter problem: the reason why a requested map is not shown, or `nil`.
    func response(to request: ServerRequest, _ problem: Problem? = nil) -> ServerResponse {
        var page = MarkupWriter("<!DOCTYPE html>\n")
        page.element("html", ["lang": "en"]) { html in
            html.element("head") { head in
                head.element("meta", ["charset": "utf-8"])
                head.element("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
                head.element("meta", ["name": "color-scheme", "content": "light dark"])
                head.element("title", [:], "Maps")
                head.element("link", ["rel": "icon", "href": "data:,"])
                head.element(
                    "link", ["rel": "stylesheet", "href": context.reference("overview/overview.css", from: request)])
                head.element(
                    "script", ["type": "module", "src": context.reference("overview/overview.js", from: request)]
                ) { _ in }
            }
            html.element("body") { body in
                body.element("header") { $0.element("h1", [:], "Maps") }
                body.element("main") { main in write(problem, request, to: &main) }
                body.element("footer") { footer in
                    footer.element("p") { words in
                        link("For programs: ", "openapi.json", "the API of this server", request, &words)
                        link(", ", "ogc", "OGC API", request, &words)
                        link(", ", "index.json", "TileJSON of all maps", request, &words)
                    }
                }
            }
        }
        let response = ServerResponse(
            status: problem?.kind.status ?? 200, page: page.bytes, type: "text/html", forms: true)
        var answer = problem == nil ? context.answer(response, document: request) : response
        answer.set("Cache-Control", problem == nil ? "no-cache" : "no-store")
        answer.set("Vary", "Accept")
        return answer
    }

    private func link(
        _ before: String, _ path: String, _ label: String, _ request: ServerRequest, _ words: inout MarkupWriter
    ) {
        words.element("span", [:], before)
        words.element("a", ["href": context.reference(path, from: request)], label)
    }

    private func write(_ problem: Problem?, _ request: ServerRequest, to main: inout MarkupWriter) {
        if let problem { main.element("p", ["class": "notice", "role": "alert"], problem.detail) }
        if !context.book.refusals.isEmpty {
            main.element("form", ["method": "get", "class": "key"]) { form in
                form.element("label", ["for": "key"], "Key for further maps")
                form.element(
                    "input", ["id": "key", "name": "key", "type": "password", "autocomplete": "off", "required": ""])
                form.element("button", [:], "Open")
            }
        }
        let maps = context.book.maps
        if maps.count > 8 {
            main.element("div", ["class": "search"]) { box in
                box.element("label", ["for": "search"], "Search the \(maps.count) maps")
                box.element("input", ["id": "search", "type": "search", "autocomplete": "off"])
            }
        }
        if maps.isEmpty { main.element("p", [:], "There is no map to see here.") }
        main.element("ul", ["id": "maps"]) { list in
            for map in maps.prefix(Self.most) { list.element("li") { write(map, request, to: &$0) } }
        }
        if maps.count > Self.most {
            main.element("p", [:], "\(maps.count - Self.most) more maps are in the lists for programs.")
        }
    }

    private func write(_ map: PublishedMap, _ request: ServerRequest, to item: inout MarkupWriter) {
        let viewer = context.reference("viewer/\(map.name)", from: request)
        let picture = context.reference("overview/\(map.name)", from: request)
        item.element("a", ["class": "picture", "href": viewer, "tabindex": "-1", "aria-hidden": "true"]) { link in
            link.element(
                "img",
                [
                    "src": picture + ".png", "srcset": "\(picture).png 1x, \(picture)@2x.png 2x", "alt": "",
                    "width": "\(OverviewEndpoint.size.width)", "height": "\(OverviewEndpoint.size.height)",
                    "loading": "lazy",
                ])
        }
        item.element("h2") { $0.element("a", ["href": viewer], map.title) }
        if map.title != map.name { item.element("p", ["class": "name"], map.name) }
        if let attribution = map.attribution { item.element("p", ["class": "attribution"], attribution) }
        item.element("details") { details in
            details.element("summary", [:], "Use this map")
            for (number, address) in context.addresses(of: map).enumerated() {
                let id = "\(map.name)-\(number)"
                details.element("div", ["class": "address"]) { row in
                    row.element("label", ["for": id], address.label)
                    row.element("input", ["id": id, "readonly": "", "value": address.url])
                    row.element(
                        "button", ["type": "button", "data-copies": id, "aria-label": "Copy: \(address.label)"], "Copy")
                }
            }
            for (number, snippet) in ClientSnippet.all(for: map, context).enumerated() {
                let id = "\(map.name)-code-\(number)"
                details.element("details") { code in
                    code.element("summary", [:], snippet.client)
                    code.element(
                        "button", ["type": "button", "data-copies": id, "aria-label": "Copy: \(snippet.client)"], "Copy"
                    )
                    code.element("pre") { $0.element("code", ["id": id], snippet.text) }
                }
            }
        }
    }
}
