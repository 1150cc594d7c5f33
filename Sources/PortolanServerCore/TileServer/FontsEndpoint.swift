/// Glyphs in local files that the styles of maps name: `/fonts/{fontstack}/{start}-{end}.pbf`.
///
/// The first of the fonts that has the range is sent; fonts are not merged.
package struct FontsEndpoint: Endpoint {
    package let root = "fonts"

    package init() {}

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard path.count == 2, let stack = path.first, let file = path.last, file.hasSuffix(".pbf") else {
            throw Problem(.notFound, "the path of glyphs is /fonts/{fontstack}/{start}-{end}.pbf")
        }
        let ends = file.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first >= 0,
            first.isMultiple(of: 256), first < 1 << 21, last == first + 255
        else { throw Problem(.badRequest, "'\(file)': expected 256 characters, such as 0-255.pbf", key: "range") }
        for map in context.book.maps {
            guard let bytes = ServedStyle(map)?.glyphs(of: stack, "\(first)-\(last)") else { continue }
            return context.answer(ServerResponse(type: "application/x-protobuf", body: bytes), document: request)
        }
        throw Problem(
            .notFound, "no style names a file of this server with these glyphs; glyphs are not made from fonts",
            key: "fontstack")
    }
}
