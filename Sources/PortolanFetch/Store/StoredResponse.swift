public import PortolanWeb

/// A response in a ``ResponseStore``: status, relevant header fields, and body.
public struct StoredResponse: Hashable, Sendable {
    /// The status: 200, or the status of a negative response with an empty body.
    ///
    /// Negative statuses are 204, 404, 410, and those by which a tile source reports missing tiles.
    public var status: Int

    /// The header fields for freshness, revalidation and reading, without cookies and request fields.
    public var headers: [HTTPHeader]

    /// The decompressed body.
    public var body: [UInt8]

    /// The time of the response or its last revalidation, in seconds since 1970.
    public var responseTime: Int

    /// The delay between request and response in seconds.
    public var delay: Int

    /// Creates an entry.
    public init(status: Int, headers: [HTTPHeader], body: [UInt8], responseTime: Int, delay: Int = 0) {
        self.status = status
        self.headers = headers
        self.body = body
        self.responseTime = responseTime
        self.delay = delay
    }

    /// The network of the server, or `nil` if unknown.
    ///
    /// It is stored as a header field with a name that no server can send.
    public var network: IPAddress.Network? {
        get { header(Self.networkField).flatMap(IPAddress.Network.init) }
        set {
            headers.removeAll { $0.isNamed(Self.networkField) }
            if let newValue { headers.append(HTTPHeader(name: Self.networkField, value: newValue.rawValue)) }
        }
    }

    private static let networkField = ":network"

    /// Whether the response means that the resource does not exist.
    public var isNegative: Bool { StoredResponse.negativeStatuses.contains(status) }

    static let negativeStatuses = [204, 404, 410]
    /// The statuses of a whole file and of a range of its bytes.
    static let statusesWithBody = [200, 206]

    private static let keptFields = [
        "Age", "Cache-Control", "Content-Crs", "Content-Range", "Content-Type", "Date", "ETag", "Expires",
        "Last-Modified", "Pragma",
        "Vary",
    ]

    /// Returns the values of all fields with a name.
    func values(_ name: String) -> [String] { headers.filter { $0.isNamed(name) }.map(\.value) }

    /// Returns the value of the first field with a name.
    func header(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }
}

extension StoredResponse {
    /// Creates the entry of `response`.
    package init(_ response: HTTPResponse, requestTime: Int, responseTime: Int) {
        self.init(
            status: response.status, headers: StoredResponse.kept(response.headers),
            body: Self.statusesWithBody.contains(response.status) ? response.body : [], responseTime: responseTime,
            delay: max(0, responseTime - requestTime))
        network = response.network
    }

    private static func kept(_ headers: [HTTPHeader]) -> [HTTPHeader] {
        headers.filter { header in keptFields.contains { header.isNamed($0) } && header.syntaxFault == nil }
    }

    /// Returns this entry after its revalidation with a 304 (RFC 9111, section 4.3.4): new fields replace old ones.
    package func confirmed(by response: HTTPResponse, requestTime: Int, responseTime: Int) -> StoredResponse {
        var merged = self
        let new = StoredResponse.kept(response.headers).filter { !$0.isNamed("Content-Type") }
        // `Age` and `Date` belong to the message, not to the stored response. Without a date, the time of arrival is
        // used.
        merged.headers.removeAll { old in
            old.isNamed("Age") || old.isNamed("Date") || new.contains { $0.isNamed(old.name) }
        }
        merged.headers += new
        merged.responseTime = responseTime
        merged.delay = max(0, responseTime - requestTime)
        merged.network = response.network
        return merged
    }

    /// Returns the entry as a response to a request for `url`.
    package func response(for url: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers.filter { !$0.isNamed(Self.networkField) }, body: body, url: url,
            network: network)
    }
}

/// The serialised parts of an entry besides its body, for all kinds of stores.
extension StoredResponse {
    /// The header fields, one per line: no field can contain a line break (RFC 9110, section 5.5).
    package var headerText: String {
        headers.filter { $0.syntaxFault == nil || $0.isNamed(Self.networkField) }.map { "\($0.name): \($0.value)" }
            .joined(separator: "\n")
    }

    /// Parses header fields written by ``headerText``.
    package static func headers(in text: String) -> [HTTPHeader] {
        text.split(separator: "\n").compactMap { line -> HTTPHeader? in
            guard let colon = line.utf8.dropFirst().firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return HTTPHeader(
                name: String(line[..<colon]), value: String(line[line.utf8.index(after: colon)...].trimmed))
        }
    }

    /// Returns the checksum of the body.
    ///
    /// It depends on the key, so that entries cannot be confused.
    package func bodySum(for key: StoreKey) -> UInt64 { Checksum.of(body, seed: Checksum.of(key.bytes, seed: 2)) }
}
