package import PortolanFeatures
import PortolanWeb

/// A document of a SpatioTemporal Asset Catalog (STAC 1.0 and 1.1): items, or links to them.
package enum STACDocument: Sendable {
    /// An item, or those of a page of search results.
    case items([STACItem])
    /// A collection or catalog: the addresses of its items as written, and of the first page of a service's items.
    case links(items: [String], page: String?)

    /// Reads the members of a document, or returns `nil` for one of another kind.
    package init?(_ members: Properties) {
        switch members["type"]?.stringValue {
        case "Feature":
            guard let item = STACItem(members) else { return nil }
            self = .items([item])
        case "FeatureCollection", "ItemCollection":
            guard let features = members["features"]?.arrayValue else { return nil }
            let items = features.compactMap { $0.objectValue.flatMap { STACItem($0) } }
            guard !items.isEmpty || features.isEmpty else { return nil }
            self = .items(items)
        case "Collection", "Catalog":
            guard members["stac_version"] != nil, let links = members["links"]?.arrayValue else { return nil }
            func addresses(_ relation: String) -> [String] {
                links.compactMap { link in
                    let link = link.objectValue
                    return link?["rel"]?.stringValue == relation ? link?["href"]?.stringValue : nil
                }
            }
            self = .links(items: addresses("item"), page: addresses("items").first)
        default: return nil
        }
    }
}

/// An item of a SpatioTemporal Asset Catalog: files about one area and time.
package struct STACItem: Sendable {
    /// A file of an item.
    package struct Asset: Sendable {
        /// The name in the item.
        package let name: String
        /// The address as written.
        package let address: String
        /// The title, or `nil`.
        package let title: String?
        /// The media type, or `nil`.
        package let mediaType: String?
        /// The roles, such as `data` or `visual`.
        package let roles: [String]

        /// Whether it is a TIFF, by its media type or else its address.
        package var isTIFF: Bool {
            if let mediaType { return mediaType.lowercased().hasPrefix("image/tiff") }
            let path = LooseURL(address).path.lowercased()
            return path.hasSuffix(".tif") || path.hasSuffix(".tiff")
        }
    }

    /// The identifier.
    package let id: String
    /// The seconds since 1970 of its time or the start of its interval, or `nil`.
    package let seconds: Double?
    /// The assets in the order of the document.
    package let assets: [Asset]

    /// Reads the members of an item, or returns `nil` for another feature.
    init?(_ members: Properties) {
        guard let files = members["assets"]?.objectValue else { return nil }
        id = members["id"]?.displayText ?? ""
        let properties = members["properties"]?.objectValue
        let time = properties?["datetime"]?.stringValue ?? properties?["start_datetime"]?.stringValue
        seconds = time.flatMap { ISOTime.seconds($0) }
        assets = files.compactMap { file in
            guard let asset = file.value.objectValue, let address = asset["href"]?.stringValue, !address.isEmpty else {
                return nil
            }
            return Asset(
                name: file.name, address: address, title: asset["title"]?.stringValue,
                mediaType: asset["type"]?.stringValue,
                roles: asset["roles"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        }
    }

    /// Returns the asset with a name, or the usual one: `visual`, or the first image with the role `visual`, `overview` or
    /// `data`, or the first image.
    package func asset(named name: String?) -> Asset? {
        if let name { return assets.first { $0.name == name } }
        let images = assets.filter(\.isTIFF)
        let usual = ["visual", "overview", "data"].lazy.compactMap { role in
            images.first { $0.name == role } ?? images.first { $0.roles.contains(role) }
        }.first
        return usual ?? images.first
    }
}
