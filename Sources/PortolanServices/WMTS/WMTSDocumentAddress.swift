/// Where the capabilities of a tile service may be had.
public enum WMTSDocumentAddress {
    /// The addresses to try for a service's address, the likeliest first.
    ///
    /// The address of a document is tried as it is. A service is asked with parameters; one that fails so may still
    /// have the document by path, at `1.0.0/WMTSCapabilities.xml` under its address or beside it under `wmts`.
    public static func candidates(for url: String) -> [String] {
        let base = ServiceURL(url)
        let bare = ServiceURL(base.url(with: [], dropping: WMTSParameters.ofProtocol))
        let asked = bare.url(
            with: [("SERVICE", "WMTS"), ("REQUEST", "GetCapabilities"), ("VERSION", "1.0.0")],
            dropping: WMTSParameters.ofProtocol)
        var candidates: [String] = []
        let query = base.query(without: []).lowercased()
        let path = base.path.lowercased()
        if path.hasSuffix(".xml") || path.contains("wmtscapabilities") { return [base.text] }
        if query.contains("request=getcapabilities"), query.contains("wmts") { candidates.append(base.text) }
        candidates.append(asked)
        var stem = bare.path
        while stem.hasSuffix("/") { stem.removeLast() }
        let folder = stem.lastIndex(of: "/").map { String(stem[..<$0]) } ?? ""
        for place in [stem, folder + "/wmts"] {
            let document = bare.replacingPath(place + "/1.0.0/WMTSCapabilities.xml").text
            if !candidates.contains(document) { candidates.append(document) }
        }
        return candidates
    }
}
