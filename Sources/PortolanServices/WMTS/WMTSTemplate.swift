import PortolanWeb

/// A pattern of tile addresses, its names already filled in but for those of the tile.
package struct WMTSTemplate: Hashable, Sendable {
    private enum Part: Hashable {
        case text(String)
        case matrix, column, row
        /// The pixel of the tile that a question is about.
        case pixelColumn, pixelRow
    }

    private var parts: [Part] = []
    /// The names that stood for dimensions, as the template writes them.
    package private(set) var dimensions: [String] = []

    /// Reads a pattern; names are matched whatever their case, and `values` are the values by names in small letters.
    ///
    /// A name without a value is that of a dimension which the layer does not have: it becomes `default`.
    ///
    /// - Parameter isQuestion: whether it is one of questions about a pixel of a tile (OGC 07-057r7 table 34).
    /// - Returns: `nil` when a brace is not closed, or tiles or pixels cannot be told apart by it.
    package init?(_ template: String, values: [String: String], isQuestion: Bool = false) {
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
            case "i" where isQuestion: add(.pixelColumn, to: &parts)
            case "j" where isQuestion: add(.pixelRow, to: &parts)
            default:
                if !["layer", "style", "tilematrixset", "format", "infoformat"].contains(key) {
                    dimensions.append(name)
                }
                let value = values[key] ?? ""
                text += PercentEncoding.pathPart(value.isEmpty ? "default" : value)
            }
        }
        text += PercentEncoding.repaired(String(rest), isStart: text.isEmpty && parts.isEmpty)
        if !text.isEmpty { parts.append(.text(text)) }
        guard parts.contains(.matrix), parts.contains(.column), parts.contains(.row) else { return nil }
        guard !isQuestion || (parts.contains(.pixelColumn) && parts.contains(.pixelRow)) else { return nil }
        // Where requests go must not depend on the tile.
        guard case .text(let head)? = parts.first, let start = head.firstRange(of: "://")?.upperBound,
            head[start...].contains("/"), ServiceURL(head).isOnWeb
        else { return nil }
    }

    func url(matrix: String, column: Int, row: Int, pixel: (column: Int, row: Int) = (0, 0)) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .matrix: PercentEncoding.pathPart(matrix)
            case .column: String(column)
            case .row: String(row)
            case .pixelColumn: String(pixel.column)
            case .pixelRow: String(pixel.row)
            }
        }.joined()
    }
}
