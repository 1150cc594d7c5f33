/// A request of a page for changes of the view and the picture.
struct ViewerFrameRequest: Hashable, Sendable {
    /// The change number of the page's last response.
    let seen: Int
    /// The number of the page's picture, or 0 without one.
    let known: Int
    /// Whether the page decodes WebP.
    let acceptsWebP: Bool
    /// The quality of lossy pictures, 1 to 100.
    let quality: Int

    /// Parses `after`, `picture` and `quality`, and the header field `Accept`.
    ///
    /// - Throws: ``Problem`` with the key.
    init(_ request: ServerRequest) throws(Problem) {
        seen = try RequestText.whole(request.query["after"] ?? "0", "after")
        known = try RequestText.whole(request.query["picture"] ?? "0", "picture")
        quality = try RequestText.whole(request.query["quality"] ?? "80", "quality")
        guard (1...100).contains(quality) else {
            throw Problem(.badRequest, "the quality must be 1 to 100", key: "quality")
        }
        acceptsWebP =
            request[header: "Accept"]?.split(separator: ",").contains {
                ServedFormat(mediaType: $0) == .webp
            } ?? false
    }
}
