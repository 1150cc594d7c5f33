import PortolanGeo
import PortolanWeb

/// A part of a tile URL template: text, or a placeholder.
enum TemplatePart: Hashable {
    case text(String)
    /// The name of the level, or a number computed as `sign` times the level plus `first`.
    case level(LevelCount?)
    case column
    case row(RowCount)
    case subdomain
    case oneOf([String])
    case retina
    case quadkey
    case prefix
    /// The bounding box, in a CRS or that of the grid.
    case box(CRS?)
    case side(Side, inDegrees: Bool)
    case width, height, crsName, crsCode

    struct LevelCount: Hashable {
        let sign: Int
        let first: Int
    }

    enum RowCount: Hashable { case fromTop, fromBottom, yahoo }

    enum Side: String, Hashable {
        case west, south, east, north

        func value(of extent: Extent) -> Double {
            switch self {
            case .west: extent.minX
            case .south: extent.minY
            case .east: extent.maxX
            case .north: extent.maxY
            }
        }
    }

    var isLevel: Bool { if case .level = self { true } else { false } }
    var isRow: Bool { if case .row = self { true } else { false } }

    /// Whether the placeholder alone identifies a tile.
    var tellsTilesApart: Bool {
        switch self {
        case .quadkey, .box: true
        case .side(.west, _): true
        default: false
        }
    }

    /// The maximum number of values in a list.
    private static let listLimit = 1000
    /// The default values of placeholders, by lowercase name.
    private static let usualValues = ["culture": "en-US"]

    /// Returns the parts of a template.
    static func parts(
        of template: String, values: [String: String], countsFromBottom: Bool
    ) throws(XYZTemplate.ParseError) -> [TemplatePart] {
        let values = usualValues.merging(values.map { ($0.key.lowercased(), $0.value) }) { $1 }
        var parts: [TemplatePart] = []
        var text = "", scanner = TemplateScanner(template)
        while let piece = scanner.next() {
            switch piece {
            case .text(let part): text += part
            case .unclosed(let offset): throw .unclosedBrace(offset: offset)
            case .name(let name, let written):
                if let value = values[name.lowercased()] {
                    text += value
                } else if let part = Self.part(named: name, countsFromBottom: countsFromBottom) {
                    if !text.isEmpty { parts.append(.text(PercentEncoding.repaired(text, isStart: parts.isEmpty))) }
                    text = ""
                    parts.append(part)
                } else if written == .braces {
                    throw .unknownPlaceholder(name)
                } else {
                    // Unknown codes and brackets are part of the URL.
                    text += written == .codes ? "%7B\(name)%7D" : "%25(\(name))s"
                }
            }
        }
        if !text.isEmpty { parts.append(.text(PercentEncoding.repaired(text, isStart: parts.isEmpty))) }
        return parts
    }

    /// Returns the lowercase names of placeholders.
    static func names(in text: String) -> Set<String> {
        var names: Set<String> = [], scanner = TemplateScanner(text)
        while let piece = scanner.next() { if case .name(let name, _) = piece { names.insert(name.lowercased()) } }
        return names
    }

    /// Returns whether a text has a placeholder for the level, column, row or position of a tile.
    static func tellsTiles(in text: String) -> Bool {
        var scanner = TemplateScanner(text)
        while let piece = scanner.next() {
            guard case .name(let name, let written) = piece, written != .brackets,
                let part = part(named: name, countsFromBottom: false)
            else { continue }
            if part.isLevel || part.isRow || part == .column || part.tellsTilesApart { return true }
        }
        return false
    }

    private static func part(named name: String, countsFromBottom: Bool) -> TemplatePart? {
        let word = name.lowercased()
        switch word {
        case "x", "col", "column", "tilecol", "tilecolumn": return .column
        case "y", "row", "tilerow": return .row(countsFromBottom ? .fromBottom : .fromTop)
        case "-y", "ty", "reversey": return .row(.fromBottom)
        case "!y": return .row(.yahoo)
        case "level", "tilematrix": return .level(nil)
        case "s", "subdomain", "subdomains": return .subdomain
        case "r", "ratio", "@2x", "retina": return .retina
        case "q", "quadkey", "u": return .quadkey
        case "prefix": return .prefix
        case "bbox": return .box(nil)
        case "width": return .width
        case "height": return .height
        case "proj", "crs", "srs": return .crsName
        case "wkid", "epsg": return .crsCode
        default: return level(word) ?? box(word) ?? side(word) ?? list(name)
        }
    }

    /// Parses `z`, `zoom`, `z-1`, `zoom+2`, `17-zoom`.
    private static func level(_ word: String) -> TemplatePart? {
        var rest = word[...]
        var count: (sign: Int, first: Int)?
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if !digits.isEmpty {
            rest = rest.dropFirst(digits.count)
            guard rest.first == "-", let number = Int(digits), number <= 100 else { return nil }
            rest = rest.dropFirst()
            count = (-1, number)
        }
        guard rest.first == "z" else { return nil }
        rest = rest.hasPrefix("zoom") ? rest.dropFirst(4) : rest.dropFirst()
        guard !rest.isEmpty else { return .level(count.map { LevelCount(sign: $0.sign, first: $0.first) }) }
        guard rest.first == "+" || rest.first == "-", rest.count <= 4, let number = Int(rest) else { return nil }
        return .level(LevelCount(sign: count?.sign ?? 1, first: (count?.first ?? 0) + number))
    }

    /// Parses `bbox-epsg-3857`.
    private static func box(_ word: String) -> TemplatePart? {
        guard word.hasPrefix("bbox-") || word.hasPrefix("bbox_") else { return nil }
        let name = word.dropFirst(5).replacing("_", with: "-")
        guard let dash = name.lastIndex(where: { $0 == "-" || $0 == ":" }) else { return nil }
        return (try? CRS("\(name[..<dash].uppercased()):\(name[name.index(after: dash)...].uppercased())")).map {
            .box($0)
        }
    }

    /// Parses `westDegrees` or `southProjected`, in lowercase.
    private static func side(_ word: String) -> TemplatePart? {
        for (end, isInDegrees) in [("degrees", true), ("projected", false)] where word.hasSuffix(end) {
            return Side(rawValue: String(word.dropLast(end.count))).map { .side($0, inDegrees: isInDegrees) }
        }
        return nil
    }

    /// Parses `switch:a,b`, `a-c`, `1-4`.
    private static func list(_ name: String) -> TemplatePart? {
        if name.lowercased().hasPrefix("switch:") {
            let words = name.dropFirst(7).split(separator: ",").map(String.init)
            return words.isEmpty || words.count > listLimit ? nil : .oneOf(words)
        }
        let ends = name.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if let first = Int(ends[0]), let last = Int(ends[1]), first >= 0, first <= last, last - first < listLimit {
            let isPadded = ends[0].count == ends[1].count
            return .oneOf(
                (first...last).map { number in
                    let digits = String(number)
                    return isPadded
                        ? String(repeating: "0", count: max(ends[0].count - digits.count, 0)) + digits : digits
                })
        }
        guard ends[0].utf8.count == 1, ends[1].utf8.count == 1, let first = ends[0].utf8.first,
            let last = ends[1].utf8.first, first <= last,
            ends.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isLetter } }), first & 0x20 == last & 0x20
        else { return nil }
        return .oneOf((first...last).map { String(decoding: [$0], as: UTF8.self) })
    }
}

/// Divides a template into text and placeholder names.
private struct TemplateScanner {
    enum Form { case braces, codes, brackets }

    enum Piece {
        case text(String)
        case name(String, Form)
        /// An unclosed brace, with its character index.
        case unclosed(Int)
    }

    private let template: String
    private var rest: Substring

    init(_ template: String) {
        self.template = template
        rest = template[...]
    }

    mutating func next() -> Piece? {
        guard !rest.isEmpty else { return nil }
        for (form, open, close) in Self.forms where rest.hasPrefix(open) {
            let inside = rest.dropFirst(open.count)
            guard let end = inside.firstRange(of: close) else {
                guard form == .braces else { break }
                let offset = template.distance(from: template.startIndex, to: rest.startIndex)
                rest = rest[rest.endIndex...]
                return .unclosed(offset + open.count - 1)
            }
            let name = inside[..<end.lowerBound]
            // Between codes or brackets only a word is allowed, not a part of a URL.
            guard form == .braces || name.utf8.count <= 40 && !name.contains(where: { "/&?%".contains($0) }) else {
                break
            }
            rest = rest[end.upperBound...]
            return .name(String(name.first == "$" ? name.dropFirst() : name), form)
        }
        let first = rest.removeFirst()
        let end = rest.firstIndex { "{%$".contains($0) } ?? rest.endIndex
        let text = String(first) + rest[..<end]
        rest = rest[end...]
        return .text(text)
    }

    private static let forms: [(form: Form, open: String, close: String)] = [
        (.braces, "${", "}"), (.braces, "{{", "}}"), (.braces, "{", "}"), (.codes, "%7B", "%7D"),
        (.codes, "%7b", "%7d"),
        (.brackets, "%(", ")s"),
    ]
}
