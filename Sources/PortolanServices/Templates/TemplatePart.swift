import PortolanGeo
import PortolanWeb

/// A part of a template of tile addresses: text, or what stands for something of the tile.
enum TemplatePart: Hashable {
    case text(String)
    /// The level's name, or a number made of its own: `sign` times that and `first`.
    case level(LevelCount?)
    case column
    case row(RowCount)
    case subdomain
    case oneOf([String])
    case retina
    case quadkey
    case prefix
    /// The sides, in a system or in the grid's own.
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

    /// Whether it alone tells one tile from another.
    var tellsTilesApart: Bool {
        switch self {
        case .quadkey, .box: true
        case .side(.west, _): true
        default: false
        }
    }

    /// The most values of a list in braces.
    private static let listLimit = 1000
    /// What stands for a thing if nothing is said of it, by its name in small letters.
    private static let usualValues = ["culture": "en-US"]

    /// The parts of a template.
    static func parts(
        of template: String, values: [String: String], countsFromBottom: Bool
    ) throws(XYZTemplateError) -> [TemplatePart] {
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
                    // A code or brackets that stand for nothing are part of the address.
                    text += written == .codes ? "%7B\(name)%7D" : "%25(\(name))s"
                }
            }
        }
        if !text.isEmpty { parts.append(.text(PercentEncoding.repaired(text, isStart: parts.isEmpty))) }
        return parts
    }

    /// The names of placeholders, in small letters.
    static func names(in text: String) -> Set<String> {
        var names: Set<String> = [], scanner = TemplateScanner(text)
        while let piece = scanner.next() { if case .name(let name, _) = piece { names.insert(name.lowercased()) } }
        return names
    }

    /// Whether a text has a placeholder of a level, a column, a row or the place of a tile.
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

    /// `z`, `zoom`, `z-1`, `zoom+2`, `17-zoom`.
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

    /// `bbox-epsg-3857`.
    private static func box(_ word: String) -> TemplatePart? {
        guard word.hasPrefix("bbox-") || word.hasPrefix("bbox_") else { return nil }
        let name = word.dropFirst(5).replacing("_", with: "-")
        guard let dash = name.lastIndex(where: { $0 == "-" || $0 == ":" }) else { return nil }
        return (try? CRS("\(name[..<dash].uppercased()):\(name[name.index(after: dash)...].uppercased())")).map {
            .box($0)
        }
    }

    /// `westDegrees`, `southProjected`, in small letters.
    private static func side(_ word: String) -> TemplatePart? {
        for (end, isInDegrees) in [("degrees", true), ("projected", false)] where word.hasSuffix(end) {
            return Side(rawValue: String(word.dropLast(end.count))).map { .side($0, inDegrees: isInDegrees) }
        }
        return nil
    }

    /// `switch:a,b`, `a-c`, `1-4`.
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

/// Cuts a template into text and the names of placeholders.
private struct TemplateScanner {
    enum Form { case braces, codes, brackets }

    enum Piece {
        case text(String)
        case name(String, Form)
        /// A brace that is not closed, by its place in characters.
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
            // What stands between codes or brackets is a word, not half of an address.
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
