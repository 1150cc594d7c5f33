/// The rule of what may be asked for, by who named the address.
///
/// | named by | may lead to |
/// | --- | --- |
/// | the user | any file and host |
/// | a file of this machine | files in its folder and below, and hosts but link-local and unspecified addresses |
/// | a document of a server | `http:`, `https:` and `data:`; hosts that anyone reaches, and of the others those in the network that the document itself came from |
///
/// No document leads to an archive or another scheme. A host is decided on twice: by the way it is written before anything is
/// asked, the cache included, and by the address it turns out to have, when the connection is made; names that lead elsewhere
/// at the second look are no way round. A redirect is a document of the server that sends it. Where a proxy finds the host,
/// the way it is written alone can be looked at.
public struct AddressPolicy: Hashable, Sendable {
    /// Hosts that any document may lead to, whatever network they are in: names in small letters, addresses as they are
    /// written, and `*.example.org` for all under a name.
    public var allowedHosts: Set<String>

    /// Folders whose files any file of this machine may lead to: absolute paths.
    public var allowedFolders: Set<String>

    /// Makes a rule.
    public init(allowedHosts: Set<String> = [], allowedFolders: Set<String> = []) {
        self.allowedHosts = allowedHosts
        self.allowedFolders = allowedFolders
    }

    /// The rule without holes.
    public static let standard = AddressPolicy()

    /// Whether documents from anywhere may lead to a host that is in a network of its own.
    public func allowsPrivateAddresses(for host: String) -> Bool {
        if allowedHosts.isEmpty { return false }
        let host = Self.bare(host)
        if allowedHosts.contains(where: { Self.bare($0) == host }) { return true }
        return allowedHosts.contains { pattern in
            pattern.hasPrefix("*.") && host.hasSuffix(pattern.dropFirst().lowercased())
        }
    }

    /// The reason why an address is not to be asked, as far as it can be told from the way it is written; `nil` when there
    /// is none.
    public func refusal(of address: NamedURL) -> AddressRefusal? {
        guard address.origin != .user else { return nil }
        let place = LooseURL(address.text)
        let scheme = place.scheme.map { $0.lowercased() } ?? Self.scheme(of: address.text)
        switch scheme {
        case "http", "https": break
        case "data": return nil
        case "file":
            guard case .file = address.origin, let path = LocalPath(url: address.text) else { break }
            return refusal(ofPath: path.text, namedBy: address.origin)
        default: return AddressRefusal(origin: address.origin, reason: .scheme(scheme))
        }
        guard scheme != "file" else { return AddressRefusal(origin: address.origin, reason: .scheme(scheme)) }
        guard let host = place.host, !host.isEmpty else {
            return AddressRefusal(origin: address.origin, reason: .unreadable)
        }
        // Whether the document's own host is still where it was is seen when it is connected to.
        if case .document(let document) = address.origin, document.host == host { return nil }
        guard let network = Self.network(ofHost: host) else { return nil }
        return refusal(of: network, host: host, namedBy: address.origin, foundAt: nil)
    }

    /// The reason why a file is not to be read, as far as its path tells.
    package func refusal(ofPath path: String, namedBy origin: AddressOrigin) -> AddressRefusal? {
        switch origin {
        case .user: return nil
        case .document: return AddressRefusal(origin: origin, reason: .scheme("file"))
        case .file(let root):
            if LocalPath(root).holds(path) || allowedFolders.contains(where: { LocalPath($0).holds(path) }) {
                return nil
            }
            return AddressRefusal(origin: origin, reason: .folder(root))
        }
    }

    /// The reason why a connection is not to be made, or used, to an address that a host turns out to have.
    package func refusal(of address: IPAddress, host: String, namedBy origin: AddressOrigin) -> AddressRefusal? {
        refusal(of: address.network, host: host, namedBy: origin, foundAt: address)
    }

    /// Whether the address that a host turns out to have can change what is decided.
    package func looksAtConnections(to host: String, namedBy origin: AddressOrigin) -> Bool {
        switch origin {
        case .user: false
        case .file: !allowsPrivateAddresses(for: host)
        // Nobody saw where the document came from: whatever the host is, it has answered before.
        case .document(let document):
            !allowsPrivateAddresses(for: host) && !(document.host == host && document.knownNetwork == nil)
        }
    }

    private func refusal(
        of network: IPAddress.Network, host: String, namedBy origin: AddressOrigin, foundAt address: IPAddress?
    ) -> AddressRefusal? {
        let isFree: Bool =
            switch origin {
            case .user: true
            case .file: [.global, .loopback, .privateUse, .carrier].contains(network)
            case .document(let document): network == .global || document.mayLead(to: network, host: host)
            }
        if isFree || allowsPrivateAddresses(for: host) { return nil }
        return AddressRefusal(origin: origin, reason: .network(network, host: host, address: address))
    }

    /// The network that a host is in as far as its name tells it; `nil` when only a resolver knows.
    ///
    /// A name without a dot and one under `.local`, `.internal` or `.home.arpa` is known within a network alone (RFC 6762,
    /// RFC 8375), `localhost` is this machine (RFC 6761).
    static func network(ofHost host: String) -> IPAddress.Network? {
        if let address = IPAddress(host: host) { return address.network }
        let name = bare(host)
        // In brackets, and no address that can be read.
        if host.hasPrefix("[") { return .reserved }
        if name == "localhost" || name.hasSuffix(".localhost") { return .loopback }
        let isInternal = !name.contains(".") || [".local", ".internal", ".home.arpa"].contains(where: name.hasSuffix)
        return isInternal ? .privateUse : nil
    }

    /// Small letters, without the dot that ends a whole name.
    private static func bare(_ host: String) -> String {
        let small = host.lowercased()
        return small.hasSuffix(".") ? String(small.dropLast()) : small
    }

    private static func scheme(of url: String) -> String {
        url.utf8.firstIndex(of: UInt8(ascii: ":")).map { url[..<$0].lowercased() } ?? ""
    }
}

extension RemoteDocument {
    /// Where it came from, by the connection or else by the name of its host.
    fileprivate var knownNetwork: IPAddress.Network? { network ?? AddressPolicy.network(ofHost: host) }

    /// Whether addresses in it may lead to a host in a network that not anyone reaches.
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

/// A reason why an address is not asked.
public struct AddressRefusal: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with an address.
    public enum Reason: Hashable, Sendable {
        /// It has a scheme that documents do not lead to.
        case scheme(String)
        /// Its host is in a network that its origin does not lead to; with the address, where a resolver has told it.
        case network(IPAddress.Network, host: String, address: IPAddress?)
        /// It is a file outside of the folder that its origin leads to.
        case folder(String)
        /// It has no host that can be read.
        case unreadable
    }

    /// Who named the address.
    public let origin: AddressOrigin
    /// What is wrong with it.
    public let reason: Reason

    init(origin: AddressOrigin, reason: Reason) {
        self.origin = origin
        self.reason = reason
    }

    /// The reason, in one line.
    public var description: String {
        let namer =
            switch origin {
            case .user: "what the user gives"
            case .file: "a file"
            case .document(let document): "a document of \(document.host)"
            }
        switch reason {
        case .scheme(let scheme):
            return "\(namer) leads to no \(scheme.isEmpty ? "address without a scheme" : scheme + ": address")"
        case .folder(let folder):
            return "\(namer) leads to no file outside of \(folder); allow the folder if that is meant"
        case .unreadable: return "\(namer) names an address whose host cannot be read"
        case .network(let network, let host, let address):
            let found = address.map { $0.description == host ? "" : " (\($0))" } ?? ""
            return "\(namer) does not lead to \(host)\(found), \(network.words); allow the host if that is meant"
        }
    }
}

extension IPAddress.Network {
    /// The network, for a person.
    fileprivate var words: String {
        switch self {
        case .global: "a public address"
        case .loopback: "this machine"
        case .privateUse: "a private network"
        case .carrier: "the network of a provider"
        case .linkLocal: "a link-local address"
        case .unspecified: "an unspecified address"
        case .multicast: "a multicast address"
        case .reserved: "a reserved address"
        }
    }
}
