/// Sets rows of texts in columns.
package enum TextTable {
    /// The widest a column may be; longer texts are cut.
    private static let widest = 48

    /// A cell's text as one line; the spaces before it are its depth.
    private static func cell(_ text: String) -> String {
        let depth = text.prefix { $0 == " " }
        return depth + PlainText.oneLine(String(text[depth.endIndex...]))
    }

    /// The rows, the first one the heading; empty columns are left out.
    ///
    /// - Parameter hasWholeEnd: whether the last column is never cut, as one of addresses must not be.
    package static func text(_ rows: [[String]], hasWholeEnd: Bool = false) -> String {
        let rows = rows.map { row in row.map(cell) }
        guard let heading = rows.first else { return "" }
        let columns = heading.indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
        let widths = columns.map { column in
            let longest = rows.map { $0[column].count }.max() ?? 0
            return hasWholeEnd && column == heading.count - 1 ? longest : min(longest, widest)
        }
        return rows.map { row in
            let cells = zip(columns, widths).map { column, width in
                let cell = row[column].count > width ? row[column].prefix(width - 1) + "…" : row[column][...]
                return cell + String(repeating: " ", count: width - cell.count)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
