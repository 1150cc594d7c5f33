/// A pattern of tile addresses, its names already filled in but for those of the tile.
struct WMTSTemplate: Hashable, Sendable {
    private enum Part: Hashable {
        case text(String)
        case matrix, column, row
    }

    private var parts: [Part] = []
    /// The names that stood for dimensions, as the template writes them.
    private(set) var dimensions: [String] = []

    /// Reads a pattern; names are matched whatever their case, and `values` are the values by names in small letters.
    ///
    /// A name without a value is that of a dimension which the layer does not have: it becomes `default`.
    ///
    /// - Returns: `nil` when a brace is not closed, or tiles cannot be told apart by it.
    init?(_ template: String, values: [String: String]) {
        var text = ""
        var rest = template.replacing("%7B", with: "{").replacing("%7b", with: "{")
            .replacing("%7D", with: "}").replacing("%7d", with: "}")[...]
        func add(_ part: Part, to parts: inout [Part]) {
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
            parts.append(part)
        }
        while let open = rest.firstIndex(of: "{") {
            text += PercentEncoding.repaired(String(rest[..<open]), isStart: text.isEmpty && parts.isEmpty)
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            let name = String(rest[rest.index(after: open)..<close]), key = name.lowercased()
            rest = rest[rest.index(after: close)...]
            switch key {
            case "tilematrix": add(.matrix, to: &parts)
            case "tilecol": add(.column, to: &parts)
            case "tilerow": add(.row, to: &parts)
            default:
                if !["layer", "style", "tilematrixset", "format"].contains(key) { dimensions.append(name) }
                let value = values[key] ?? ""
                text += PercentEncoding.pathPart(value.isEmpty ? "default" : value)
            }
        }
        text += PercentEncoding.repaired(String(rest), isStart: text.isEmpty && parts.isEmpty)
        if !text.isEmpty { parts.append(.text(text)) }
        guard parts.contains(.matrix), parts.contains(.column), parts.contains(.row) else { return nil }
        // Where requests go must not depend on the tile.
        guard case .text(let head)? = parts.first, let start = head.firstRange(of: "://")?.upperBound,
            head[start...].contains("/"), ServiceURL(head).isOnWeb
        else { return nil }
    }

    func url(matrix: String, column: Int, row: Int) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .matrix: PercentEncoding.pathPart(matrix)
            case .column: String(column)
            case .row: String(row)
            }
        }.joined()
    }
}
