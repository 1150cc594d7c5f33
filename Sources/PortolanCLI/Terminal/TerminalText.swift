import PortolanFetch
import PortolanWeb
import Synchronization

/// Text of files and servers, safe for a terminal.
package enum PlainText {
    /// The longest line in characters; text of files and servers may be far longer.
    package static let longest = 1000

    /// A text as one line, without secrets, line ends and control characters; the middle of long texts is cut out.
    package static func oneLine(_ text: String) -> String { RunSecrets.removed(from: text).inOneLine(limit: longest) }
}

/// Formats rows of text as a table.
package enum TextTable {
    /// The widest column; longer texts are cut.
    private static let widest = 48

    /// The text of a cell as one line; leading spaces are its indentation.
    private static func cell(_ text: String) -> String {
        let depth = text.prefix { $0 == " " }
        return depth + PlainText.oneLine(String(text[depth.endIndex...]))
    }

    /// The table of the rows, the first one as heading, without empty columns.
    ///
    /// - Parameter hasWholeEnd: whether the last column is never cut, for example URLs.
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

/// Wraps text of files and servers for a terminal.
package enum Wrapping {
    /// The line width.
    package static let width = 100

    /// The text as lines, wrapped between words.
    ///
    /// A word longer than a line is not split.
    ///
    /// - Parameters:
    ///   - first: the prefix of the first line.
    ///   - rest: the prefix of the other lines.
    package static func lines(_ text: String, first: String = "", rest: String = "") -> String {
        var result = "", line = first, isEmpty = true
        for word in PlainText.oneLine(text).split(separator: " ") {
            if !isEmpty, line.count + 1 + word.count > width {
                result += line + "\n"
                line = rest
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return result + line + "\n"
    }
}

/// Byte counts as text.
package enum ByteText {
    /// A byte count in units of 1024, with at most three digits.
    package static func text(_ bytes: Int) -> String {
        var number = Double(bytes)
        for unit in ["bytes", "KiB", "MiB", "GiB"] {
            if number < 1000 {
                let tenths = Int((number * 10).rounded())
                return number < 10 && unit != "bytes"
                    ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(number.rounded())) \(unit)"
            }
            number /= 1024
        }
        return "\(Int(number.rounded())) TiB"
    }
}

/// The secrets given to this run, which are removed from all text and JSON output.
///
/// They are registered before anything is read or requested, so that messages about invalid options do not show them.
enum RunSecrets {
    private static let known = Mutex(Secrets())

    /// Registers the URL of a layer or document.
    static func learn(url: String) { known.withLock { $0.add(url: url) } }

    /// Registers configured secrets, such as proxies of the environment.
    static func learn(_ secrets: Secrets) { known.withLock { $0.formUnion(secrets) } }

    /// A text without the secrets.
    static func removed(from text: String) -> String { known.withLock { $0 }.removed(from: text) }
}
