package import Portolan
import PortolanWeb

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
