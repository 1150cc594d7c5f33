import PortolanWeb

/// Text of files and servers as a terminal may show it.
package enum PlainText {
    /// The most characters of a line; what a file or a server says may be far longer.
    package static let longest = 1000

    /// A text as one line, without line ends and control characters, its middle cut out when it is too long.
    package static func oneLine(_ text: String) -> String { text.inOneLine(limit: longest) }
}
