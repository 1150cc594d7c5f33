import PortolanFetch
import PortolanZip

extension ServerResponse {
    /// The size of a body in bytes from which compression pays: smaller ones fit into a packet as they are.
    private static let compressedByteCount = 1024

    /// Compresses the body with gzip if its type gains from it and the client accepts it (RFC 9110, section 8.4).
    ///
    /// Images, and tiles that are stored compressed, stay as they are.
    mutating func compress(for request: ServerRequest) {
        guard isCompressible, self[header: "Content-Encoding"] == nil else { return }
        vary(by: "Accept-Encoding")
        guard body.count >= Self.compressedByteCount, request.accepts(coding: "gzip"),
            let packed = try? CompressedContent.gzip(body), packed.count < body.count
        else { return }
        body = packed
        set("Content-Encoding", "gzip")
        // The tag is that of the body before; a weak tag says no more than that the content is equal (RFC 9110, section 8.8.1).
        if let tag = self[header: "ETag"], !tag.hasPrefix("W/") { set("ETag", "W/" + tag) }
    }

    private var isCompressible: Bool {
        guard let type = self[header: "Content-Type"]?.prefix(while: { $0 != ";" }).lowercased() else { return false }
        let others = [
            "application/json", "application/xml", "application/javascript", "application/x-protobuf",
            "application/vnd.mapbox-vector-tile", "application/vnd.maplibre-vector-tile",
        ]
        return type.hasPrefix("text/") || type.hasSuffix("+json") || type.hasSuffix("+xml") || others.contains(type)
            || type.hasPrefix("application/vnd.ogc.")
    }

    /// Adds a field name to `Vary`.
    mutating func vary(by name: String) {
        let names = self[header: "Vary"] ?? ""
        let isNamed = names.split(separator: ",").contains {
            $0.filter { $0 != " " }.lowercased() == name.lowercased()
        }
        if !isNamed { set("Vary", names.isEmpty ? name : "\(names), \(name)") }
    }
}
