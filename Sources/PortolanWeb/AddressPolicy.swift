/// The rules that decide which URLs may be requested, depending on the origin of the URL.
///
/// | origin | may refer to |
/// | --- | --- |
/// | the user | any file and host |
/// | a local file | files in its folder and subfolders, and hosts except for link-local and unspecified addresses |
/// | a server's document | `http:`, `https:` and `data:`; public hosts, and other hosts only in the network that the document itself came from |
///
/// A document can never refer to an archive or another scheme. A host is checked twice: as written before any access,
/// including the cache, and by its resolved IP address when the connection is made, so that DNS names cannot bypass the
/// policy. A redirect counts as a document of the server that sends it. If a proxy resolves the host, only the written
/// form can be checked.
public struct AddressPolicy: Hashable, Sendable {
    /// The hosts to which any document may refer, in any network.
    ///
    /// Entries are names in lower case, addresses as they are written, and `*.example.org` for all subdomains of a
    /// name.
    public var allowedHosts: Set<String>

    /// The absolute paths of folders to whose files any local file may refer.
    public var allowedFolders: Set<String>

    /// Whether documents and redirects may refer to the hosts of ``allowedHosts`` alone.
    package var isLimitedToAllowedHosts = false

    /// Creates a policy.
    public init(allowedHosts: Set<String> = [], allowedFolders: Set<String> = []) {
        self.allowedHosts = allowedHosts
        self.allowedFolders = allowedFolders
    }

    /// The policy without exceptions.
    public static let standard = AddressPolicy()

    /// Returns whether any document may refer to a host in a private network.
    public func allowsPrivateAddresses(for host: String) -> Bool {
        if allowedHosts.isEmpty { return false }
        let host = Self.bare(host)
        if allowedHosts.contains(where: { Self.bare($0) == host }) { return true }
        return allowedHosts.contains { pattern in
            pattern.hasPrefix("*.") && host.hasSuffix(pattern.dropFirst().lowercased())
        }
    }

    /// Returns the reason for which the policy forbids a URL as written, or `nil` if it is allowed.
    public func refusal(of address: NamedURL) -> AddressPolicy.Refusal? {
        guard address.origin != .user else { return nil }
        let place = LooseURL(address.text)
        let scheme = place.scheme.map { $0.lowercased() } ?? Self.scheme(of: address.text)
        switch scheme {
        case "http", "https": break
        case "data": return nil
        case "file":
            guard case .file = address.origin, let path = LocalPath(url: address.text) else { break }
            return refusal(ofPath: path.text, namedBy: address.origin)
        default: return AddressPolicy.Refusal(origin: address.origin, reason: .scheme(scheme))
        }
        guard scheme != "file" else { return AddressPolicy.Refusal(origin: address.origin, reason: .scheme(scheme)) }
        guard let host = place.host, !host.isEmpty else {
            return AddressPolicy.Refusal(origin: address.origin, reason: .unreadable)
        }
        if isLimitedToAllowedHosts, !allowsPrivateAddresses(for: host) {
            let network = Self.network(ofHost: host) ?? .global
            return AddressPolicy.Refusal(
                origin: address.origin, reason: .network(network, host: host, address: nil))
        }
        // Whether the document's own host is still in the same network is checked when it is connected.
        if case .document(let document) = address.origin, document.host == host { return nil }
        guard let network = Self.network(ofHost: host) else { return nil }
        return refusal(of: network, host: host, namedBy: address.origin, foundAt: nil)
    }

    /// Returns the reason for which the policy forbids a file by its path, or `nil` if it is allowed.
    package func refusal(ofPath path: String, namedBy origin: NamedURL.Origin) -> AddressPolicy.Refusal? {
        switch origin {
        case .user: return nil
        case .document: return AddressPolicy.Refusal(origin: origin, reason: .scheme("file"))
        case .file(let root):
            if LocalPath(root).holds(path) || allowedFolders.contains(where: { LocalPath($0).holds(path) }) {
                return nil
            }
            return AddressPolicy.Refusal(origin: origin, reason: .folder(root))
        }
    }

    /// Returns the reason for which the policy forbids a connection to the resolved address of a host, or `nil` if it
    /// is allowed.
    package func refusal(of address: IPAddress, host: String, namedBy origin: NamedURL.Origin) -> AddressPolicy.Refusal?
    {
        refusal(of: address.network, host: host, namedBy: origin, foundAt: address)
    }

    /// Returns whether the decision depends on the resolved address of a host.
    package func looksAtConnections(to host: String, namedBy origin: NamedURL.Origin) -> Bool {
        switch origin {
        case .user: false
        case .file: !allowsPrivateAddresses(for: host)
        // The network of the document is unknown, but its host has already been contacted.
        case .document(let document):
            !allowsPrivateAddresses(for: host) && !(document.host == host && document.knownNetwork == nil)
        }
    }

    private func refusal(
        of network: IPAddress.Network, host: String, namedBy origin: NamedURL.Origin, foundAt address: IPAddress?
    ) -> AddressPolicy.Refusal? {
        let isFree: Bool =
            switch origin {
            case .user: true
            case .file: [.global, .loopback, .privateUse, .carrier].contains(network)
            case .document(let document): network == .global || document.mayLead(to: network, host: host)
            }
        if isFree || allowsPrivateAddresses(for: host) { return nil }
        return AddressPolicy.Refusal(origin: origin, reason: .network(network, host: host, address: address))
    }

    /// Returns the network of a host by its name, or `nil` if only a resolver knows it.
    ///
    /// Names without a dot and those under `.local`, `.internal` or `.home.arpa` exist only within a network (RFC 6762,
    /// RFC 8375), and `localhost` is this machine (RFC 6761).
    static func network(ofHost host: String) -> IPAddress.Network? {
        if let address = IPAddress(host: host) { return address.network }
        let name = bare(host)
        // In brackets, but not a valid address.
        if host.hasPrefix("[") { return .reserved }
        if name == "localhost" || name.hasSuffix(".localhost") { return .loopback }
        let isInternal = !name.contains(".") || [".local", ".internal", ".home.arpa"].contains(where: name.hasSuffix)
        return isInternal ? .privateUse : nil
    }

    /// Returns a host in lower case, without the trailing dot of a fully qualified name.
    private static func bare(_ host: String) -> String {
        let small = host.lowercased()
        return small.hasSuffix(".") ? String(small.dropLast()) : small
    }

    private static func scheme(of url: String) -> String {
        url.utf8.firstIndex(of: UInt8(ascii: ":")).map { url[..<$0].lowercased() } ?? ""
    }
}

extension NamedURL.RemoteDocument {
    /// The network of the document's connection, or else that of its host name.
    fileprivate var knownNetwork: IPAddress.Network? { network ?? AddressPolicy.network(ofHost: host) }

    /// Returns whether URLs in the document may refer to a host in a non-public network.
    fileprivate func mayLead(to target: IPAddress.Network, host: String) -> Bool {
        switch (knownNetwork, target) {
        case (.loopback?, .loopback), (.loopback?, .privateUse), (.loopback?, .carrier): true
        case (.privateUse?, .privateUse), (.privateUse?, .carrier), (.carrier?, .privateUse), (.carrier?, .carrier):
            true
        case (let own?, _): own == target
        case (nil, _): self.host == host
        }
    }
}

extension AddressPolicy {
    /// The reason why a URL is refused.
    public struct Refusal: Hashable, Sendable, CustomStringConvertible {
        /// The kinds of reason.
        public enum Reason: Hashable, Sendable {
            /// The scheme is not allowed in documents.
            case scheme(String)
            /// The host is in a network that the origin may not refer to; with the address if it was resolved.
            case network(IPAddress.Network, host: String, address: IPAddress?)
            /// The file is outside the folder that the origin may refer to.
            case folder(String)
            /// The host is missing or invalid.
            case unreadable
        }

        /// The origin of the URL.
        public let origin: NamedURL.Origin
        /// The kind of reason.
        public let reason: Reason

        init(origin: NamedURL.Origin, reason: Reason) {
            self.origin = origin
            self.reason = reason
        }

        /// The message in one line.
        public var description: String {
            let namer =
                switch origin {
                case .user: "the user"
                case .file: "a file"
                case .document(let document): "a document from \(document.host)"
                }
            switch reason {
            case .scheme(let scheme):
                return
                    "\(namer) may not refer to \(scheme.isEmpty ? "a URL without a scheme" : "a " + scheme + ": URL")"
            case .folder(let folder):
                return "\(namer) may not refer to files outside \(folder); to permit this, allow the folder"
            case .unreadable: return "\(namer) refers to a URL with an invalid host"
            case .network(let network, let host, let address):
                let found = address.map { $0.description == host ? "" : " (\($0))" } ?? ""
                return "\(namer) may not refer to \(host)\(found), \(network.words); to permit this, allow the host"
            }
        }
    }
}

extension IPAddress.Network {
    /// The network, for messages.
    fileprivate var words: String {
        switch self {
        case .global: "a public address"
        case .loopback: "this machine"
        case .privateUse: "a private network"
        case .carrier: "a carrier network"
        case .linkLocal: "a link-local address"
        case .unspecified: "an unspecified address"
        case .multicast: "a multicast address"
        case .reserved: "a reserved address"
        }
    }
}
