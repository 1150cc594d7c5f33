/// Finds the address that gets the requests for tiles of a layer.
struct WMTSAddress {
    let capabilities: WMTSCapabilities
    let layer: WMTSLayer
    let baseURL: ServiceURL
    let encoding: WMTSChoice.Encoding?

    /// Whether a pattern is one of tiles.
    static func isTile(_ resource: WMTSLayer.Resource) -> Bool { resource.kind.lowercased() == "tile" }

    /// A template of the format where there is one, else the service's address for requests with parameters.
    func address(
        format: String, values: [String: String], notes: inout [String]
    ) throws(WMTSError) -> WMTSTileRequest.Address {
        let template = encoding == .parameters ? nil : template(format: format, values: values, notes: &notes)
        if let template { return .template(template) }
        guard encoding != .path, let service = service(&notes) else { throw .noAddress }
        return .service(service)
    }

    private func template(format: String, values: [String: String], notes: inout [String]) -> WMTSTemplate? {
        let type = WMSFormat(format).mediaType
        // The same pattern may be there for several servers: the first is taken, so that a tile has one address.
        for resource in layer.resources where Self.isTile(resource) {
            guard resource.format == format || WMSFormat(resource.format).mediaType == type else { continue }
            guard let address = moved(resource.template, &notes),
                let template = WMTSTemplate(address, values: values)
            else {
                notes.append("the template '\(resource.template)' is not usable")
                continue
            }
            let missing = template.dimensions.filter { values[$0.lowercased()] == nil }
            if !missing.isEmpty {
                notes.append(
                    "the template asks for \(missing.joined(separator: ", ")), which the layer does not have; "
                        + "'default' is sent")
            }
            return template
        }
        return nil
    }

    private func service(_ notes: inout [String]) -> String? {
        guard let operation = capabilities.operation(named: "GetTile"), !operation.endpoints.isEmpty else {
            // Nothing is said at all: where the capabilities came from, tiles may come from, too.
            return layer.resources.contains(where: Self.isTile) ? nil : baseURL.text
        }
        guard
            let advertised = operation.parameterURL ?? (encoding == .parameters ? operation.endpoints.first?.url : nil)
        else { return nil }
        let url = ServiceURL(advertised).upgraded(like: baseURL)
        guard url.isAbsolute, ["http", "https"].contains(url.scheme) else {
            notes.append("the advertised address '\(advertised)' is not usable")
            return baseURL.text
        }
        guard url.host == baseURL.host else {
            notes.append("requests for tiles go to \(url.host), as the service advertises")
            return url.text
        }
        // What the caller put in the query, a key say, holds for the same host and for no other.
        return url.adding(parametersOf: baseURL, dropping: WMTSParameters.ofProtocol).text
    }

    /// A template with `https` where the service was asked over it, and with what the caller put in the query.
    private func moved(_ template: String, _ notes: inout [String]) -> String? {
        guard let range = template.firstRange(of: "://") else { return nil }
        let authority = template[range.upperBound...].prefix { $0 != "/" && $0 != "?" }
        let host = ServiceURL(template[..<range.upperBound] + authority + "/").upgraded(like: baseURL)
        guard host.isAbsolute, ["http", "https"].contains(host.scheme) else { return nil }
        var rest = template[range.upperBound...].dropFirst(authority.count)
        if rest.hasPrefix("/") { rest = rest.dropFirst() }
        let moved = host.text + rest
        guard host.host == baseURL.host else {
            if !authority.contains("{") {
                notes.append("requests for tiles go to \(host.host), as the service advertises")
            }
            return moved
        }
        let query = rest.firstIndex(of: "?").map { rest[$0...] } ?? ""
        let names = Set(query.dropFirst().split(separator: "&").map { $0.prefix { $0 != "=" }.uppercased() })
        let extra = baseURL.query(without: WMTSParameters.ofProtocol.union(names))
        if extra.isEmpty { return moved }
        return moved + (query.isEmpty ? "?" : "&") + extra
    }
}
