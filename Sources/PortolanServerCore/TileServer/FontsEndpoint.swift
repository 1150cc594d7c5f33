/// Ranges of glyphs for MapLibre: `/fonts/{fontstack}/{start}-{end}.pbf`.
///
/// They come from glyph files that the styles of maps name, and are made from the fonts of the maps and the installed
/// ones. Of each character the first font of the stack that has it is used.
package struct FontsEndpoint: Endpoint {
    package let root = "fonts"
    private let ranges = GlyphRanges()

    package init() {}

    package var gauges: [EndpointGauge] {
        [
            EndpointGauge(
                name: "portolan_glyph_cache_bytes", meaning: "Bytes of cached glyph ranges.", value: ranges.byteCount)
        ]
    }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard path.count == 2, let stack = path.first, let file = path.last, file.hasSuffix(".pbf") else {
            throw Problem(.notFound, "the path of glyphs is /fonts/{fontstack}/{start}-{end}.pbf")
        }
        let ends = file.dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = UInt32(ends[0]), let last = UInt32(ends[1]), first.isMultiple(of: 256),
            first < 0x11_0000, last == first + 255
        else { throw Problem(.badRequest, "'\(file)': expected 256 characters, such as 0-255.pbf", key: "range") }
        let key = GlyphRanges.Key(stack: stack, first: first, of: context.book)
        guard stack.utf8.count <= 1024, key.names.count <= GlyphRanges.fontLimit else {
            throw Problem(.badRequest, "a font stack has at most \(GlyphRanges.fontLimit) fonts", key: "fontstack")
        }
        var made = ranges.known(key, of: context.book)
        if made == nil {
            let (ranges, book) = (ranges, context.book)
            let outcome = try await context.maker.inTurn(of: context.client) {
                () -> Result<GlyphRanges.Made?, Problem> in
                do throws(Problem) { return .success(try ranges.make(key, of: book)) } catch { return .failure(error) }
            }
            made = try outcome.get()
        }
        guard let made else {
            throw Problem(.notFound, "no font of the server has this name; /fonts.json lists them", key: "fontstack")
        }
        var response = context.answer(
            ServerResponse(type: "application/x-protobuf", body: made.bytes), document: request)
        if !made.replaced.isEmpty {
            response.warn(
                "these fonts are not installed, and the server's default replaces them: "
                    + made.replaced.joined(separator: ", "))
        }
        return response
    }
}
