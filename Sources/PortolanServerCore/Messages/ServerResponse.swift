package import PortolanFeatures
package import PortolanFetch

/// What a map server answers.
package struct ServerResponse: Sendable {
    /// The status code.
    package var status: Int
    /// The header fields, without the length of the body.
    package var headers: [HTTPHeader]
    /// The body; a HEAD has the same, which is then not sent.
    package var body: [UInt8]

    /// Makes an answer.
    package init(status: Int = 200, type: String? = nil, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = (type.map { [HTTPHeader(name: "Content-Type", value: $0)] } ?? []) + headers
        self.body = body
    }

    /// Makes an answer of a JSON document.
    package init(
        status: Int = 200, json: PropertyValue, type: String = "application/json", headers: [HTTPHeader] = []
    ) {
        self.init(status: status, type: type, headers: headers, body: GeoJSONWriter.json(json))
    }

    /// The value of the first header field of a name, in whatever case.
    package subscript(header name: String) -> String? {
        headers.first { $0.isNamed(name) }?.value
    }

    /// Puts a header field in the place of those of its name.
    package mutating func set(_ name: String, _ value: String) {
        headers.removeAll { $0.isNamed(name) }
        headers.append(HTTPHeader(name: name, value: value))
    }
}
