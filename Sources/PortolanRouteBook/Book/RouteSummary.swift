package import PortolanWeb

/// What a ``RouteBook`` knows about a route without reading it, as it stands in `about.json`.
///
/// In JSON lengths are in kilometres (`km`), durations in minutes (`minutes`), and `bounds` are west, south, east and north in
/// degrees.
public struct RouteSummary: Hashable, Sendable, Codable {
    /// What tells the route from others of the book: small letters of ASCII, digits and hyphens.
    public let id: String
    /// What it is called.
    public var name: String
    /// What there is to say about it, or `nil` when nothing is said.
    public let description: String?
    /// How long it is in kilometres, as the document says or as measured on the ellipsoid; `nil` for places alone.
    public let kilometers: Double?
    /// How long it takes in minutes, as the document says or as its times tell; `nil` when nothing does.
    public let minutes: Double?
    /// How many places of interest it has.
    public let placeCount: Int
    /// The names of places, up to 200 of them.
    public let placeNames: [String]
    /// The names and descriptions of all places, or `nil` where that is too much to keep here.
    let placeTexts: [String]?
    /// West, south, east and north in degrees.
    public let bounds: [Double]
    /// Where it came from.
    public let source: RouteSource
    /// When it came, in UTC, as RFC 3339 writes it.
    public let date: String
    /// Its number among the routes that came, from 1; `nil` in books of earlier versions.
    let order: Int?
    /// The name of the document in the route's folder.
    public let file: String
    /// The SHA-256 of the document, in hexadecimal.
    public let digest: String
    /// The identifier of the selected place, or `nil` when none is.
    public var selectedPlace: String?

    private enum CodingKeys: String, CodingKey {
        case id, name, description, minutes, placeNames, placeTexts, bounds, source, date, order, file
        case kilometers = "km"
        case placeCount = "places"
        case digest = "sha256"
        case selectedPlace = "selected"
    }

    /// Whether what was read can be used: the file lies in the route's folder, and the numbers are some.
    var isPlausible: Bool {
        ["route.geojson", "route.gpx", "route.dat"].contains(file) && bounds.count == 4
            && bounds.allSatisfy(\.isFinite) && placeCount >= 0
    }
}

/// Where a route of a book came from.
public struct RouteSource: Hashable, Sendable, Codable {
    /// The path of the file, the address, or what else names it.
    public let place: String
    /// The host that sent it, or `nil` for what comes from this machine.
    public let host: String?
    /// The host that the user named, where that is another.
    private let root: String?
    /// Who published it on a server of routes, or `nil` for a route that came otherwise.
    public let publisher: String?

    /// A file of this machine, or what an app has made.
    public init(file place: String) {
        self.place = place
        host = nil
        root = nil
        publisher = nil
    }

    /// What somebody sent to a server of routes, whose word is that of a stranger: what it names leads to no file and to no host of
    /// the server's own networks.
    package init(publisher: String) {
        place = "published by \(publisher)"
        host = "stranger.invalid"
        root = nil
        self.publisher = publisher
    }

    /// A document from a server, with the base that its fetching gave.
    ///
    /// - Parameter url: its address, with secrets taken out.
    package init(_ base: BaseURL, url: String) {
        place = url
        publisher = nil
        switch base.contents {
        case .document(let document): (host, root) = (document.host, document.root)
        case .user, .file: (host, root) = (nil, nil)
        }
    }

    /// The base of addresses in the document: its own for one from a server, else that of the copy in the book.
    func base(of copy: String) -> BaseURL {
        guard let host else { return BaseURL(copy) }
        // Where the host was found is not kept: what it names then leads to public hosts alone.
        return BaseURL(place, contents: .document(RemoteDocument(host: host, root: root)))
    }
}
