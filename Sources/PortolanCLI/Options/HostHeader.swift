package import Portolan
import PortolanWeb

/// The form in which header fields are given: `Name: value`, or `HOST|Name: value` for one host.
package enum HeaderField {
    /// Reads one field.
    package static func read(_ text: String) throws(CommandFailure) -> RendererConfiguration.HostHeader {
        var rest = text[...]
        var host: String?
        if let bar = rest.firstIndex(of: "|") {
            let prefix = rest[..<bar]
            let parts = prefix.split(separator: ":", omittingEmptySubsequences: false)
            if parts.count == 2, let port = parts.last, !port.isEmpty, port.allSatisfy(\.isWholeNumber) {
                throw CommandFailure(
                    .usage, "--header '\(text)': name the host without its port, as in '\(parts[0])|Name: value'")
            }
            // A bar may stand in a value too, but then a colon comes before it.
            if parts.count == 1 || prefix.hasPrefix("[") && prefix.hasSuffix("]") {
                host = String(prefix)
                rest = rest[rest.index(after: bar)...]
            }
        }
        guard host != "", let colon = rest.firstIndex(of: ":"), colon > rest.startIndex else {
            throw CommandFailure(.usage, "--header '\(text)' is not of the form 'Name: value' or 'HOST|Name: value'")
        }
        var value = rest[rest.index(after: colon)...]
        while value.first == " " || value.first == "\t" { value.removeFirst() }
        while value.last == " " || value.last == "\t" { value.removeLast() }
        let header = HTTPHeader(name: String(rest[..<colon]), value: String(value))
        if let fault = header.syntaxFault { throw CommandFailure(.usage, "--header '\(text)': \(fault)") }
        return .init(host: host, header: header)
    }
}

/// The form in which a name and a password are given: `HOST|NAME:PASSWORD`.
package enum HostCredential {
    /// Reads one; what is said about a wrong one does not show it.
    package static func read(_ text: String) throws(CommandFailure) -> (host: String, credential: Credential) {
        guard let bar = text.firstIndex(of: "|") else {
            throw CommandFailure(.usage, "--user is not of the form 'HOST|NAME:PASSWORD': it names no host")
        }
        let host = text[..<bar].lowercased()
        guard URLParts("http://\(host)/")?.host == host, !host.isEmpty else {
            throw CommandFailure(.usage, "--user '\(host)|…': name the host alone, without scheme and port")
        }
        let rest = text[text.index(after: bar)...]
        guard let colon = rest.firstIndex(of: ":"), colon > rest.startIndex else {
            throw CommandFailure(.usage, "--user '\(host)|…' is not of the form 'HOST|NAME:PASSWORD'")
        }
        return (host, .basic(name: String(rest[..<colon]), password: String(rest[rest.index(after: colon)...])))
    }
}
