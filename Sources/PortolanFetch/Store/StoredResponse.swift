public import PortolanWeb

/// An answer as a ``ResponseStore`` keeps it: status, the header fields that matter for its use, and the body.
public struct StoredResponse: Hashable, Sendable {
    /// 200, or another status for the knowledge that there is nothing: 204, 404, 410, or one by which the source of tiles
    /// says so; then the body is empty.
    public var status: Int

    /// The fields that freshness, revalidation and reading need; no cookies, and nothing of the request.
    public var headers: [HTTPHeader]

    /// The body, decompressed.
    public var body: [UInt8]

    /// The time of the answer or of its last confirmation, in seconds since 1970.
    public var responseTime: Int

    /// Seconds that the answer was under way.
    public var delay: Int

    /// Makes an entry of its parts.
    public init(status: Int, headers: [HTTPHeader], body: [UInt8], responseTime: Int, delay: Int = 0) {
        self.status = status
        self.headers = headers
        self.body = body
        self.responseTime = responseTime
        self.delay = delay
    }

    /// Where the server was found, or `nil` when that is not known.
    ///
    /// It stands among the fields, under a name that no server can send.
    public var network: IPAddress.Network? {
        get { header(Self.networkField).flatMap(IPAddress.Network.init) }
        set {
            headers.removeAll { $0.isNamed(Self.networkField) }
            if let newValue { headers.append(HTTPHeader(name: Self.networkField, value: newValue.rawValue)) }
        }
    }

    private static let networkField = ":network"

    /// Whether it says that there is nothing at the address.
    public var isNegative: Bool { StoredResponse.negativeStatuses.contains(status) }

    static let negativeStatuses = [204, 404, 410]

    private static let keptFields = [
        "Age", "Cache-Control", "Content-Crs", "Content-Type", "Date", "ETag", "Expires", "Last-Modified", "Pragma",
        "Vary",
    ]

    /// The values of all fields of that name.
    func values(_ name: String) -> [String] { headers.filter { $0.isNamed(name) }.map(\.value) }

    /// The value of the first field of that name.
    func header(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }
}

extension StoredResponse {
    /// Makes the entry for `response`.
    package init(_ response: HTTPResponse, requestTime: Int, responseTime: Int) {
        self.init(
            status: response.status, headers: StoredResponse.kept(response.headers),
            body: response.status == 200 ? response.body : [], responseTime: responseTime,
            delay: max(0, responseTime - requestTime))
        network = response.network
    }

    private static func kept(_ headers: [HTTPHeader]) -> [HTTPHeader] {
        headers.filter { header in keptFields.contains { header.isNamed($0) } && header.syntaxFault == nil }
    }

    /// This entry after the server has confirmed it with a 304 (RFC 9111, section 4.3.4): the new fields replace the old.
    package func confirmed(by response: HTTPResponse, requestTime: Int, responseTime: Int) -> StoredResponse {
        var merged = self
        let new = StoredResponse.kept(response.headers).filter { !$0.isNamed("Content-Type") }
        // Age and date belong to the message, not to what it confirms; without a date its arrival counts.
        merged.headers.removeAll { old in
            old.isNamed("Age") || old.isNamed("Date") || new.contains { $0.isNamed(old.name) }
        }
        merged.headers += new
        merged.responseTime = responseTime
        merged.delay = max(0, responseTime - requestTime)
        merged.network = response.network
        return merged
    }

    /// The entry as an answer to a request for `url`.
    package func response(for url: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers.filter { !$0.isNamed(Self.networkField) }, body: body, url: url,
            network: network)
    }
}

/// The parts of an entry beside its body, as stores of any kind write them.
extension StoredResponse {
    /// The header fields, one a line: none can hold a line break (RFC 9110, section 5.5).
    package var headerText: String {
        headers.filter { $0.syntaxFault == nil || $0.isNamed(Self.networkField) }.map { "\($0.name): \($0.value)" }
            .joined(separator: "\n")
    }

    /// Reads header fields that ``headerText`` has written.
    package static func headers(in text: String) -> [HTTPHeader] {
        text.split(separator: "\n").compactMap { line -> HTTPHeader? in
            guard let colon = line.utf8.dropFirst().firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return HTTPHeader(
                name: String(line[..<colon]), value: String(line[line.utf8.index(after: colon)...].trimmed))
        }
    }

    /// The sum of the body; it holds the key, so that no entry passes for another.
    package func bodySum(for key: StoreKey) -> UInt64 { Checksum.of(body, seed: Checksum.of(key.bytes, seed: 2)) }
}
