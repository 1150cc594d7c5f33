import PortolanFetch

extension ServerRequest {
    /// Returns whether the client accepts a content coding (RFC 9110, section 12.5.3).
    ///
    /// A client without the field `Accept-Encoding` gets unpacked content, although it allows any.
    package func accepts(coding name: String) -> Bool {
        var star: Bool?
        for field in headers where field.isNamed("Accept-Encoding") {
            for member in field.value.lowercased().split(separator: ",") {
                let parts = member.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
                guard let coding = parts.first else { continue }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
                if coding == name { return weight > 0 }
                if coding == "*" { star = weight > 0 }
            }
        }
        return star ?? false
    }
}
