/// A URL with its origin.
///
/// Whether it may be requested depends on both (see ``AddressPolicy``): the user may refer to local files, a server's
/// document may not. Therefore no plain text is ever requested. A literal in source code counts as given by the user:
/// ``NamedURL/Origin/user``.
public struct NamedURL: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The absolute URL, as it was written.
    public let text: String
    /// The origin of the URL.
    public let origin: NamedURL.Origin

    /// Creates a URL from a text and its origin.
    public init(_ text: String, namedBy origin: NamedURL.Origin) {
        self.text = text
        self.origin = origin
    }

    /// Creates a URL from a literal.
    public init(stringLiteral text: String) { self.init(text, namedBy: .user) }

    /// The URL, including its secrets.
    public var description: String { text }
}

extension NamedURL {
    /// The origin of a URL.
    public enum Origin: Hashable, Sendable {
        /// The user: on the command line, in a local map document, or in an API call.
        case user
        /// A local file of any author, which may refer to files in a folder and its subfolders.
        ///
        /// `within` is the absolute path of the folder of the first such file, which the user named.
        case file(within: String)
        /// A document from a server, including a redirect.
        case document(NamedURL.RemoteDocument)
    }
}

extension NamedURL {
    /// The properties of a server's document that decide which URLs in it may be requested.
    public struct RemoteDocument: Hashable, Sendable {
        /// The host of the document, in lower case.
        public let host: String
        /// The network of that host, or `nil` if unknown, for example behind a proxy.
        public let network: IPAddress.Network?
        /// The host named by the user that led to this document, in lower case; `nil` if a file led to it.
        public let root: String?

        /// Creates a description of a document.
        public init(host: String, network: IPAddress.Network? = nil, root: String? = nil) {
            self.host = host.lowercased()
            self.network = network
            self.root = root?.lowercased()
        }
    }
}

extension NamedURL.Origin {
    /// Returns the origin of the URLs in a file whose path the user named.
    package static func file(at path: String) -> NamedURL.Origin { .file(within: LocalPath(path).folder) }

    /// Creates the origin of the URLs in the document received from `url` in response to `asked`.
    ///
    /// - Parameter network: the network of the server, or `nil` if unknown.
    public init(contentsOf url: String, network: IPAddress.Network? = nil, askedFor asked: NamedURL? = nil) {
        let asked = asked ?? NamedURL(url, namedBy: .user)
        let place = LooseURL(url)
        guard let host = place.host, !place.isFile else {
            // The content of a `data:` URL has the same origin as the URL. A file that a file refers to is limited to
            // the same folder.
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
        self = .document(NamedURL.RemoteDocument(host: host, network: network, root: root))
    }

    /// Returns whether a host is one that the user named, so that the user's credentials may be sent to it.
    package func isUserNamed(host: String) -> Bool {
        switch self {
        case .user: true
        case .file: false
        case .document(let document): document.root == host
        }
    }
}

/// The base URL of a document, for relative references (RFC 3986, section 5.1), with the origin of the URLs in it.
public struct BaseURL: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The URL of the document.
    public let url: String
    /// The URL to which references are relative; after redirects it differs from ``url``.
    package let place: String
    /// The origin of the URLs in the document.
    public let contents: NamedURL.Origin
    /// The policy for these URLs.
    public let policy: AddressPolicy

    /// Creates a base URL.
    ///
    /// - Parameters:
    ///   - contents: the origin of the URLs in the document; by default it follows from the document's URL.
    ///   - policy: the policy for these URLs.
    public init(_ url: String, contents: NamedURL.Origin? = nil, policy: AddressPolicy = .standard) {
        self.init(url, foundAt: url, contents: contents, policy: policy)
    }

    /// Creates the base URL of a document that was found at another URL.
    package init(
        _ url: String, foundAt place: String, contents: NamedURL.Origin? = nil, policy: AddressPolicy = .standard
    ) {
        self.url = url
        self.place = place
        self.contents = contents ?? NamedURL.Origin(contentsOf: url)
        self.policy = policy
    }

    /// Creates a base URL from a literal.
    public init(stringLiteral url: String) { self.init(url) }

    /// Returns a URL of the document, with its origin.
    package func names(_ url: String) -> NamedURL { NamedURL(url, namedBy: contents) }

    /// Returns the reason for which the policy forbids a URL of the document as written, or `nil` if it is allowed.
    package func refusal(of url: String) -> AddressPolicy.Refusal? { policy.refusal(of: names(url)) }
}
