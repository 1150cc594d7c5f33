import PortolanFetch
import PortolanWeb
import Synchronization

/// Text of files and servers as a terminal may show it.
package enum PlainText {
    /// The most characters of a line; what a file or a server says may be far longer.
    package static let longest = 1000

    /// A text as one line, without secrets, line ends and control characters, its middle cut out when it is too long.
    package static func oneLine(_ text: String) -> String { RunSecrets.removed(from: text).inOneLine(limit: longest) }
}

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

/// Breaks text of files and servers into lines for a terminal.
package enum Wrapping {
    /// How wide a line may be.
    package static let width = 100

    /// The text as lines that end in line ends, broken between words; a word longer than a line stays whole.
    ///
    /// - Parameters:
    ///   - first: what the first line begins with.
    ///   - rest: what the other lines begin with.
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

/// Numbers of bytes for people.
package enum ByteText {
    /// A number of bytes with a unit of 1024 each and three digits at the most.
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

/// The secrets that this run was given, which no text and no JSON shows that leaves it.
///
/// Known before anything is read or asked: also what is said of a wrong option does not show them.
enum RunSecrets {
    private static let known = Mutex(Secrets())

    /// Learns the address of a layer or a document.
    static func learn(url: String) { known.withLock { $0.add(url: url) } }

    /// Learns what is configured, as the proxies of the environment.
    static func learn(_ secrets: Secrets) { known.withLock { $0.formUnion(secrets) } }

    /// A text without them.
    static func removed(from text: String) -> String { known.withLock { $0 }.removed(from: text) }
}
