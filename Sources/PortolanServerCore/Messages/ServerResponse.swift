package import PortolanFeatures
package import PortolanFetch

/// A response of a map server.
package struct ServerResponse: Sendable {
    /// The HTTP status code.
    package var status: Int
    /// The header fields, without `Content-Length`.
    package var headers: [HTTPHeader]
    /// The body.
    ///
    /// A response to HEAD has the same body, which is not sent.
    package var body: [UInt8]

    /// Creates a response.
    package init(status: Int = 200, type: String? = nil, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = (type.map { [HTTPHeader(name: "Content-Type", value: $0)] } ?? []) + headers
        self.body = body
    }

    /// Creates a response with a JSON document.
    package init(
        status: Int = 200, json: PropertyValue, type: String = "application/json", headers: [HTTPHeader] = []
    ) {
        self.init(status: status, type: type, headers: headers, body: GeoJSONWriter.json(json))
    }

    /// Returns the value of the first header field with a name, ignoring case.
    package subscript(header name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// Sets a header field, replacing all fields with its name.
    package mutating func set(_ name: String, _ value: String) {
        headers.removeAll { $0.isNamed(name) }
        headers.append(HTTPHeader(name: name, value: value))
    }

    /// The header field with warnings about a request that was answered otherwise than it asks.
    package static let warningField = "Portolan-Warning"

    /// Adds a warning; characters that a header field cannot have become `?`.
    package mutating func warn(_ text: String) {
        let line = String(text.prefix(500).map { (" "..."~").contains($0) ? $0 : "?" })
        set(Self.warningField, [self[header: Self.warningField], line].compactMap(\.self).joined(separator: "; "))
    }
}
