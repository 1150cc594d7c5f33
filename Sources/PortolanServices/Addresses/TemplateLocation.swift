package import PortolanWeb

/// The location of a document with URL templates.
package struct TemplateLocation {
    private let document: BaseURL
    private let base: ServiceURL
    /// The caller's parameters that only apply to the document.
    private static let ofDocuments: Set<String> = ["F", "FORMAT", "LAYERS", "COLLECTIONS"]

    package init(_ document: BaseURL) {
        self.document = document
        base = ServiceURL(document.url)
    }

    /// Returns the absolute form of a template (RFC 3986, section 5.2) with unchanged placeholders, and with the
    /// missing parameters of the document's URL if it is on the same host.
    package func whole(_ template: String) -> String {
        let whole = absolute(template)
        guard LooseURL(whole).host.map({ $0.lowercased() }) == LooseURL(document.url).host.map({ $0.lowercased() })
        else {
            return whole
        }
        let query = whole.firstIndex(of: "?").map { whole[whole.index(after: $0)...] } ?? ""
        let own = Set(query.split(separator: "&").map(ServiceURL.name))
        let extra = base.parameters.filter {
            let name = ServiceURL.name(of: $0)
            return !own.contains(name) && !Self.ofDocuments.contains(name)
        }
        guard !extra.isEmpty else { return whole }
        return whole + (whole.contains("?") ? "&" : "?") + extra.joined(separator: "&")
    }

    /// Returns the reason why a template must not be requested, or `nil`.
    package func refusal(of template: String) -> AddressPolicy.Refusal? { document.refusal(of: absolute(template)) }

    private func absolute(_ template: String) -> String {
        let text = template.trimmingSpace()
        // The host may contain a placeholder.
        if text.firstRange(of: "://").map({ !text[..<$0.lowerBound].contains(where: { "/?".contains($0) }) }) == true {
            // It gets `https` like the document if it is on the same host.
            let upgraded =
                document.url.hasPrefix("https:") && text.hasPrefix("http:")
                && LooseURL(text).host == LooseURL(document.url).host
            return upgraded ? "https:" + text.dropFirst(5) : text
        }
        return LooseURL(document.place.prefix { $0 != "?" }).resolving(text)
    }
}
