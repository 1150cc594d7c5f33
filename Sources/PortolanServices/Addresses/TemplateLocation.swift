package import PortolanWeb

/// Where a document that names templates of addresses stands.
package struct TemplateLocation {
    private let document: BaseURL
    private let base: ServiceURL
    /// What a caller says of the document alone.
    private static let ofDocuments: Set<String> = ["F", "FORMAT", "LAYERS", "COLLECTIONS"]

    package init(_ document: BaseURL) {
        self.document = document
        base = ServiceURL(document.url)
    }

    /// A template made whole (RFC 3986, section 5.2), its placeholders as they were written, with the parameters of the
    /// document's own address that it lacks if it is on the same host.
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

    /// The reason why a template is not to be asked, or `nil`.
    package func refusal(of template: String) -> AddressRefusal? { document.refusal(of: absolute(template)) }

    private func absolute(_ template: String) -> String {
        let text = template.trimmingSpace()
        // A placeholder may stand in the host.
        if text.firstRange(of: "://").map({ !text[..<$0.lowerBound].contains(where: { "/?".contains($0) }) }) == true {
            // Over https like the document, where it names the same host.
            let upgraded =
                document.url.hasPrefix("https:") && text.hasPrefix("http:")
                && LooseURL(text).host == LooseURL(document.url).host
            return upgraded ? "https:" + text.dropFirst(5) : text
        }
        return LooseURL(document.place.prefix { $0 != "?" }).resolving(text)
    }
}
