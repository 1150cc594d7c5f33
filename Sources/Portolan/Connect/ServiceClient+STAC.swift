package import PortolanServices
package import PortolanWeb

extension ServiceClient {
    /// Returns the document of a SpatioTemporal Asset Catalog at a path or URL, and its base URL.
    package func stacDocument(at source: String) async throws(ServiceError) -> (document: STACDocument, base: BaseURL) {
        let url = FileAddress.url(of: source)
        let (members, base) = try await members(at: NamedURL(url, namedBy: origin))
        guard let document = STACDocument(members) else {
            throw ServiceError(
                .unreadable, url: url, detail: "the document is no STAC item, item collection, collection or catalog")
        }
        return (document, base)
    }

    /// Returns the items of a document, and the base URL of each.
    ///
    /// Of a collection its items are requested one by one, or the first page of a service's items.
    ///
    /// - Parameter limit: the largest number of items that are requested.
    /// - Returns: the items, and the number of those that were left out.
    package func stacItems(
        at source: String, limit: Int
    ) async throws(ServiceError) -> (items: [(item: STACItem, base: BaseURL)], leftOut: Int) {
        let (document, base) = try await stacDocument(at: source)
        switch document {
        case .items(let items): return (items.map { ($0, base) }, 0)
        case .links(let links, let page):
            var found: [(item: STACItem, base: BaseURL)] = []
            for link in links.isEmpty ? [page].compactMap(\.self) : Array(links.prefix(limit)) {
                let address = base.stacAddress(link)
                if let refusal = base.refusal(of: address) {
                    throw ServiceError(
                        .notOffered, url: base.url, detail: "not allowed to request its item: \(refusal)")
                }
                let client = asked(by: base.contents)
                let (document, own) = try await client.stacDocument(at: address)
                guard case .items(let items) = document else {
                    throw ServiceError(.unreadable, url: address, detail: "the document is no STAC item")
                }
                found += items.map { ($0, own) }
            }
            return (found, max(links.count - limit, 0))
        }
    }
}

extension BaseURL {
    /// Returns the absolute form of an address in a document of a catalog.
    func stacAddress(_ text: String) -> String {
        LooseURL(text).scheme == nil ? LooseURL(place.prefix { $0 != "?" }).resolving(text) : text
    }
}
