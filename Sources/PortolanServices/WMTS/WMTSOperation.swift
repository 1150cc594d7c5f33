/// An operation of a tile service.
public struct WMTSOperation: Hashable, Sendable {
    /// An address for GET requests, and the ways of asking that it understands.
    public struct Endpoint: Hashable, Sendable {
        /// The address.
        public var url: String
        /// The values of its constraint `GetEncoding`, as `KVP` and `RESTful`; empty when it has none.
        public var encodings: [String]

        /// Makes an address.
        public init(url: String, encodings: [String] = []) {
            self.url = url
            self.encodings = encodings
        }

        /// Whether it takes requests with parameters; an address that says nothing does (OGC 07-057r7 8.2.1).
        public var takesParameters: Bool { encodings.isEmpty || encodings.contains { $0.uppercased() == "KVP" } }
    }

    /// The name, as `GetTile`.
    public var name: String
    /// The addresses for GET requests, in the order of the document.
    public var endpoints: [Endpoint]

    /// The first address that takes requests with parameters, or `nil`.
    public var parameterURL: String? { endpoints.first(where: \.takesParameters)?.url }
}
