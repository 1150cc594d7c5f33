public import PortolanWeb

/// A pattern for the addresses of tiles, as `https://{s}.tile.example.org/{z}/{x}/{y}{r}.png`.
///
/// Placeholders: `{z}` level, `{x}` column, `{y}` row from the top, `{-y}` row from the bottom (TMS), `{s}` one of the
/// subdomains, `{r}` `@2x` where finer pixels are wanted, `{q}` quadkey.
public struct XYZTemplate: Hashable, Sendable, CustomStringConvertible {
    private enum Part: Hashable {
        case text(String)
        case level, column, rowFromTop, rowFromBottom, subdomain, retina, quadkey
    }

    /// The pattern as it was given.
    public let template: String
    /// Who named the pattern.
    public let origin: AddressOrigin
    /// The values of `{s}`, in turn.
    public let subdomains: [String]
    private let parts: [Part]

    /// Reads a pattern.
    ///
    /// - Parameter origin: who named it; say so where it is no person.
    /// - Throws: ``XYZTemplateError`` when it has unknown placeholders, or lacks some without which tiles cannot be told
    ///   apart: it needs `{q}`, or `{z}`, `{x}` and one of `{y}` and `{-y}`.
    public init(
        _ template: String, subdomains: [String] = ["a", "b", "c"], namedBy origin: AddressOrigin = .user
    )
        throws(XYZTemplateError)
    {
        var parts: [Part] = []
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { parts.append(.text(PercentEncoding.repaired(String(rest[..<open])))) }
            guard let close = rest[open...].firstIndex(of: "}") else {
                throw .unclosedBrace(offset: template.distance(from: template.startIndex, to: open))
            }
            let name = rest[rest.index(after: open)..<close]
            switch name {
            case "z": parts.append(.level)
            case "x": parts.append(.column)
            case "y": parts.append(.rowFromTop)
            case "-y": parts.append(.rowFromBottom)
            case "s": parts.append(.subdomain)
            case "r": parts.append(.retina)
            case "q": parts.append(.quadkey)
            default: throw .unknownPlaceholder(String(name))
            }
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(PercentEncoding.repaired(String(rest)))) }
        if !parts.contains(.quadkey) {
            guard parts.contains(.level) else { throw .missingPlaceholder("{z}") }
            guard parts.contains(.column) else { throw .missingPlaceholder("{x}") }
            guard parts.contains(.rowFromTop) || parts.contains(.rowFromBottom) else {
                throw .missingPlaceholder("{y} or {-y}")
            }
        }
        guard !parts.contains(.subdomain) || !subdomains.isEmpty else { throw .noSubdomains }
        self.template = template
        self.origin = origin
        self.subdomains = subdomains
        self.parts = parts
    }

    /// The address of a tile.
    ///
    /// The subdomain depends on column and row alone, so that a tile has the same address each time.
    ///
    /// - Parameters:
    ///   - row: counted from the top.
    ///   - rowCount: how many rows the level has.
    ///   - isRetina: whether tiles with twice the pixels are wanted.
    public func url(level: Int, column: Int, row: Int, rowCount: Int, isRetina: Bool = false) -> String {
        precondition(level >= 0 && column >= 0 && row >= 0 && row < rowCount, "the tile lies outside its level")
        return parts.map { part in
            switch part {
            case .text(let text): text
            case .level: String(level)
            case .column: String(column)
            case .rowFromTop: String(row)
            case .rowFromBottom: String(rowCount - 1 - row)
            case .subdomain: subdomains[(column % subdomains.count + row % subdomains.count) % subdomains.count]
            case .retina: isRetina ? "@2x" : ""
            case .quadkey: Self.quadkey(level: level, column: column, row: row)
            }
        }.joined()
    }

    /// Whether the pattern has a place for finer pixels.
    public var hasRetina: Bool { parts.contains(.retina) }

    /// The pattern as it was given.
    public var description: String { template }

    private static func quadkey(level: Int, column: Int, row: Int) -> String {
        var key = ""
        for bit in (0..<min(level, 62)).reversed() {
            key += String((column >> bit & 1) + 2 * (row >> bit & 1))
        }
        return key
    }
}

/// A reason why a template of tile addresses cannot be used.
public enum XYZTemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A brace is opened and not closed; the number is its place, in characters from 0.
    case unclosedBrace(offset: Int)
    /// The name in braces is none that is understood.
    case unknownPlaceholder(String)
    /// Tiles cannot be told apart without the placeholder named.
    case missingPlaceholder(String)
    /// The template has `{s}` and there are no subdomains.
    case noSubdomains

    /// The problem, in one line.
    public var description: String {
        switch self {
        case .unclosedBrace(let offset): "the brace at character \(offset) is not closed"
        case .unknownPlaceholder(let name):
            "'{\(name)}' is not understood; use {z} {x} {y} {-y} {s} {r} {q}"
        case .missingPlaceholder(let name): "the template needs \(name)"
        case .noSubdomains: "the template has {s}, but there are no subdomains"
        }
    }
}
