import PortolanFeatures
import PortolanText
package import PortolanWeb

/// Resolves the addresses of glyph ranges in a style.
package enum GlyphAddress {
    private static let schemes: Set<String> = ["http", "https", "file"]

    /// Returns whether ranges at addresses like `template` can be requested, unlike those of `mapbox:`.
    static func isSupported(_ template: String) -> Bool {
        guard case .url(let text)? = IconMarker.Source(template) else { return true }
        return text.split(separator: ":").first.map { schemes.contains($0.lowercased()) } ?? false
    }

    /// Returns the name of the range that begins with a character.
    package static func name(ofRange start: UInt32) -> String { "\(start)-\(start + GlyphRange.length - 1)" }

    /// Returns the address of a range, or `nil` if it is invalid or the style may not refer to it.
    ///
    /// - Parameters:
    ///   - template: the address with `{fontstack}` and `{range}`, as in the style.
    ///   - font: the name of a font, or of several separated by commas. A name that cannot be that of a folder has no
    ///     address.
    ///   - start: the first character, a multiple of 256.
    ///   - base: the style, or `nil` if the user names the address.
    package static func url(
        _ template: String, font: String, start: UInt32, relativeTo base: BaseURL?
    ) -> NamedURL? {
        guard isSupported(template), !font.isEmpty, font.utf8.count < 256, !font.hasPrefix("."),
            !font.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") })
        else { return nil }
        var isFile = false
        if case .file? = IconMarker.Source(template) { isFile = base.map { LooseURL($0.url).isFile } ?? true }
        // Paths of files are encoded when they are resolved.
        let text = template.replacing("{range}", with: name(ofRange: start))
            .replacing("{fontstack}", with: isFile ? font : PercentEncoding.component(font))
        return IconMarker.Source(text).flatMap { IconAddress.url(of: $0, relativeTo: base) }
    }
}
