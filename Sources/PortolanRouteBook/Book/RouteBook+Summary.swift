package import PortolanWeb

extension RouteBook {
    /// The summary of a route in a ``RouteBook``, stored in `about.json`.
    ///
    /// In JSON, lengths are in kilometres (`km`) and durations in minutes (`minutes`). `bounds` are west, south, east and
    /// north in degrees.
    public struct Summary: Hashable, Sendable, Codable {
        /// The identifier, unique within the book: lower-case ASCII letters, digits and hyphens.
        public let id: String
        /// The name.
        public var name: String
        /// The description, or `nil`.
        public let description: String?
        /// The length in kilometres as given by the document or measured on the ellipsoid, or `nil` if there are no lines.
        public let kilometers: Double?
        /// The duration in minutes as given by the document or derived from its times, or `nil` if it is unknown.
        public let minutes: Double?
        /// The number of places of interest.
        public let placeCount: Int
        /// The names of the places, at most 200.
        public let placeNames: [String]
        /// The names and descriptions of all places, or `nil` if they are too long to store here.
        let placeTexts: [String]?
        /// The west, south, east and north bounds in degrees.
        public let bounds: [Double]
        /// The origin of the route.
        public let source: RouteBook.Source
        /// The time of addition in UTC (RFC 3339).
        public let date: String
        /// The sequence number of the addition, from 1, or `nil` in books of earlier versions.
        let order: Int?
        /// The file name of the document in the folder of the route.
        public let file: String
        /// The SHA-256 hash of the document in hexadecimal.
        public let digest: String
        /// The identifier of the selected place, or `nil`.
        public var selectedPlace: String?

        private enum CodingKeys: String, CodingKey {
            case id, name, description, minutes, placeNames, placeTexts, bounds, source, date, order, file
            case kilometers = "km"
            case placeCount = "places"
            case digest = "sha256"
            case selectedPlace = "selected"
        }

        /// Whether the summary is usable: its file name is valid and its numbers are finite.
        var isPlausible: Bool {
            ["route.geojson", "route.gpx", "route.dat"].contains(file) && bounds.count == 4
                && bounds.allSatisfy(\.isFinite) && placeCount >= 0
        }
    }
}

extension RouteBook {
    /// The origin of a route in a book.
    public struct Source: Hashable, Sendable, Codable {
        /// The file path, the URL or another description of the origin.
        public let place: String
        /// The host of the server, or `nil` for local documents.
        public let host: String?
        /// The host that the user named, if it differs from ``host``.
        private let root: String?
        /// The publisher on a route server, or `nil` for other routes.
        public let publisher: String?

        /// Creates the source of a local file or of a route created by an app.
        public init(file place: String) {
            self.place = place
            host = nil
            root = nil
            publisher = nil
        }

        /// Creates the source of a route published to a route server.
        ///
        /// It is untrusted: its references cannot access files or hosts of the server's own networks.
        package init(publisher: String) {
            place = "published by \(publisher)"
            host = "stranger.invalid"
            root = nil
            self.publisher = publisher
        }

        /// Creates the source of a document from a server.
        ///
        /// - Parameter url: the URL, with secrets removed.
        package init(_ base: BaseURL, url: String) {
            place = url
            publisher = nil
            switch base.contents {
            case .document(let document): (host, root) = (document.host, document.root)
            case .user, .file: (host, root) = (nil, nil)
            }
        }

        /// Returns the base of URLs in the document: that of the server for a document from a server, otherwise that of the
        /// copy in the book.
        func base(of copy: String) -> BaseURL {
            guard let host else { return BaseURL(copy) }
            // The resolved address of the host is not stored, so references can only access public hosts.
            return BaseURL(place, contents: .document(NamedURL.RemoteDocument(host: host, root: root)))
        }
    }
}
