/// A media type as headers and documents write it (RFC 9110, section 8.3.1).
package struct MediaType: Hashable, Sendable {
    /// Type and subtype in lower case and without parameters, such as `image/png`.
    package let essence: String
    /// The parameter `charset` in lower case and without quotes.
    package let charset: String?

    /// Reads a media type; any text is taken.
    package init(_ text: String) {
        let parts = text.lowercased().split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
        essence = String(parts.first ?? "")
        charset =
            parts.dropFirst().lazy.compactMap { parameter -> String? in
                let sides = parameter.split(separator: "=", maxSplits: 1).map(\.trimmed)
                return sides.count == 2 && sides[0] == "charset" ? sides[1].filter { $0 != "\"" } : nil
            }.first
    }

    /// ``essence`` in its registered spelling: `image/jpg` is `image/jpeg`.
    package var registered: String { essence == "image/jpg" ? "image/jpeg" : essence }

    /// Whether it is the type of an image.
    package var isImage: Bool { essence.hasPrefix("image/") }

    /// The media type of images with a short name such as `png` or `jpg`; a whole media type is returned as it is.
    package static func text(ofImages name: String) -> String {
        name.contains("/") ? name : MediaType("image/\(name)").registered
    }
}
