/// A URL, and who named it.
///
/// What may be asked depends on both (see ``AddressPolicy``): a person may ask for a file of this machine, a document of a
/// server may not. So nothing is requested by a bare text. A literal in source code is its author's: ``AddressOrigin/user``.
public struct NamedURL: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The URL, as it was written; absolute.
    public let text: String
    /// Who named it.
    public let origin: AddressOrigin

    /// Makes an address of a text and who named it.
    public init(_ text: String, namedBy origin: AddressOrigin) {
        self.text = text
        self.origin = origin
    }

    /// Makes an address of a literal.
    public init(stringLiteral text: String) { self.init(text, namedBy: .user) }

    /// The URL, with the secrets in it.
    public var description: String { text }
}

/// Who named an address.
public enum AddressOrigin: Hashable, Sendable {
    /// The user: on the command line, in a map document on this machine, by a call of the API.
    case user
    /// A file of this machine, whoever wrote it, which names files in a folder and below: `within` is the absolute path of the
    /// folder that the first such file lies in, which the user named.
    case file(within: String)
    /// A document that a server sent, a redirect among them.
    case document(RemoteDocument)
}

/// A document that a server sent, as far as it matters for what the addresses in it may reach.
public struct RemoteDocument: Hashable, Sendable {
    /// The host it came from, in small letters.
    public let host: String
    /// Where that host was found, or `nil` when that is not known, as behind a proxy.
    public let network: IPAddress.Network?
    /// The host that the user named and that led here, in small letters; `nil` when a file did.
    public let root: String?

    /// Describes a document.
    public init(host: String, network: IPAddress.Network? = nil, root: String? = nil) {
        self.host = host.lowercased()
        self.network = network
        self.root = root?.lowercased()
    }
}

extension AddressOrigin {
    /// The origin of what stands in the file at a path that the user named.
    package static func file(at path: String) -> AddressOrigin { .file(within: LocalPath(path).folder) }

    /// The origin of what stands in the document that came from `url` when `asked` was asked for.
    ///
    /// - Parameter network: where the server was found, or `nil` when that is not known.
    public init(contentsOf url: String, network: IPAddress.Network? = nil, askedFor asked: NamedURL? = nil) {
        let asked = asked ?? NamedURL(url, namedBy: .user)
        let place = LooseURL(url)
        guard let host = place.host, !place.isFile else {
            // What stands in a `data:` URL was written by who wrote the URL; a file that a file names keeps to the same folder.
            if place.isFile, asked.origin == .user {
                self = .file(within: LocalPath(url: url)?.folder ?? "/")
            } else {
                self = asked.origin
            }
            return
        }
        let root: String? =
            switch asked.origin {
            case .user: LooseURL(asked.text).host
            case .file: nil
            case .document(let document): document.root
            }
        self = .document(RemoteDocument(host: host, network: network, root: root))
    }

    /// Whether an address at `host` is at one that the user named: what the user gave for it may go there.
    package func isUserNamed(host: String) -> Bool {
        switch self {
        case .user: true
        case .file: false
        case .document(let document): document.root == host
        }
    }
}

/// The address of a document, to which what it names is relative (RFC 3986, section 5.1), and the origin of what it names.
public struct BaseURL: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The address of the document.
    public let url: String
    /// Where the document was found, to which references in it are relative: behind redirects another address than ``url``.
    package let place: String
    /// The origin of the addresses in the document.
    public let contents: AddressOrigin
    /// The rule of what they may lead to.
    public let policy: AddressPolicy

    /// Makes a base.
    ///
    /// - Parameters:
    ///   - contents: the origin of the addresses in the document; by default what the address itself tells.
    ///   - policy: the rule of what they may lead to.
    public init(_ url: String, contents: AddressOrigin? = nil, policy: AddressPolicy = .standard) {
        self.init(url, foundAt: url, contents: contents, policy: policy)
    }

    /// Makes the base of a document that was found at an address.
    package init(
        _ url: String, foundAt place: String, contents: AddressOrigin? = nil, policy: AddressPolicy = .standard
    ) {
        self.url = url
        self.place = place
        self.contents = contents ?? AddressOrigin(contentsOf: url)
        self.policy = policy
    }

    /// Makes a base of a literal.
    public init(stringLiteral url: String) { self.init(url) }

    /// An address that the document names.
    package func names(_ url: String) -> NamedURL { NamedURL(url, namedBy: contents) }

    /// The reason why an address that the document names is not to be asked, as far as the way it is written tells.
    package func refusal(of url: String) -> AddressRefusal? { policy.refusal(of: names(url)) }
}
