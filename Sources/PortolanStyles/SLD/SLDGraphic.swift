import PortolanFeatures
import PortolanRaster

/// The symbol of a graphic: the first of its marks and pictures that can be drawn (OGC 02-070, clause 11.3.2; OGC
/// 05-077r4, clause 11.3).
struct SLDGraphic {
    /// A mark or picture.
    enum Choice {
        case mark(SLDElement)
        /// A letter of a font.
        case glyph(Glyph)
        /// The address of a picture, as written or made from inline content.
        case picture(address: String)
    }

    /// A letter of a font as a mark, `ttf://FONT#CODE`, as in GeoServer.
    struct Glyph {
        let element: SLDElement
        let family: String
        let letter: String

        /// Parses the name of a mark.
        ///
        /// The code is hexadecimal after `0x`, `U+` or `\u`.
        init?(_ element: SLDElement) {
            let parts = (element.child("WellKnownName")?.text ?? "").split(
                separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let range = parts[0].firstRange(of: "ttf://"),
                range.lowerBound == parts[0].startIndex
            else { return nil }
            let family = SLDElement.trimmed(String(parts[0][range.upperBound...])), code = parts[1]
            let marks = ["0x", "0X", "U+", "\\u"]
            let number = marks.contains(String(code.prefix(2))) ? UInt32(code.dropFirst(2), radix: 16) : UInt32(code)
            guard !family.isEmpty, let scalar = number.flatMap({ Unicode.Scalar($0) }), scalar.value >= 0x20 else {
                return nil
            }
            (self.element, self.family, letter) = (element, family, String(scalar))
        }
    }

    /// The unsupported picture formats.
    private static let unreadable = ["svg", "cgm", "ttf", "wmf", "pdf"]

    private static func isMark(_ element: SLDElement) -> Bool {
        element.children.isEmpty || GraphicMark.Shape(named: element.child("WellKnownName")?.text ?? "square") != nil
    }

    /// Returns the first symbol that can be drawn.
    ///
    /// An empty graphic is a square.
    ///
    /// - Throws: the fault of the first symbol if none can be drawn.
    static func choice(of graphic: SLDElement) throws(SLDFault) -> Choice {
        var fault: SLDFault?
        for element in graphic.children where element.name == "Mark" || element.name == "ExternalGraphic" {
            if element.name == "Mark" {
                if isMark(element) { return .mark(element) }
                if let glyph = Glyph(element) { return .glyph(glyph) }
                let word = element.child("WellKnownName")?.text ?? ""
                fault = fault ?? SLDFault("mark '\(word.prefix(60))'", element)
                continue
            }
            do throws(SLDFault) { return .picture(address: try address(of: element)) } catch { fault = fault ?? error }
        }
        if let fault { throw fault }
        return .mark(graphic)
    }

    private static func address(of element: SLDElement) throws(SLDFault) -> String {
        let format = element.child("Format")?.text.lowercased() ?? ""
        guard !unreadable.contains(where: format.contains) else {
            throw SLDFault("ExternalGraphic of \(format.prefix(40))", element)
        }
        if let inline = element.child("InlineContent") {
            guard inline.attribute("encoding")?.lowercased() == "base64" else {
                throw SLDFault("InlineContent that is not base64", inline)
            }
            let text = inline.text.split(whereSeparator: \.isWhitespace).joined()
            guard !text.isEmpty else { throw SLDFault("InlineContent without content", inline) }
            return "data:\(format.isEmpty ? "image/png" : format);base64," + text
        }
        guard let href = element.child("OnlineResource")?.attribute("href"), !href.isEmpty else {
            throw SLDFault("ExternalGraphic without a URL", element)
        }
        guard !href.contains("${") else { throw SLDFault("ExternalGraphic whose URL depends on features", element) }
        return href
    }
}
