package import PortolanGeo
package import PortolanWeb

/// Asks an OGC API for the features of a collection in boxes and pages.
package struct OGCAPIItemsRequest: Hashable, Sendable {
    /// The name of the collection.
    package let collection: String
    /// The system of the boxes and of the answers.
    package let crs: CRS
    /// The system's address as the service writes it, or `nil` where it is the one that needs no saying, CRS84.
    package let crsName: String?
    /// Whether latitude or northing stands first in boxes and answers.
    package let isNorthFirst: Bool
    /// The address of the items.
    package let address: NamedURL
    /// The document from which addresses in answers are judged.
    package let document: BaseURL
    /// What a person should know of the choice.
    package let warnings: [MapWarning]

    private static let ofProtocol: Set<String> = [
        "BBOX", "BBOX-CRS", "CRS", "LIMIT", "OFFSET", "STARTINDEX", "DATETIME", "F",
    ]

    /// Chooses how a collection is asked: in CRS84, unless another system is wanted.
    ///
    /// - Parameters:
    ///   - crsName: the system that is wanted, in any spelling.
    ///   - document: the address of the document that names the collection.
    /// - Throws: ``OGCAPIError``.
    ///
    /// Follows OGC 17-069r4 clause 7.15 and OGC 18-058r1 clause 6.3: boxes and coordinates are in the order of the system's axes.
    package init(
        _ collection: OGCAPICollection, crsName: String? = nil, axisOrder: AxisOrderPolicy = .auto, document: BaseURL
    ) throws(OGCAPIError) {
        guard ["feature", "features"].contains(collection.itemType.lowercased()) else {
            throw .noFeatures(collection.identifier, itemType: collection.itemType)
        }
        self.collection = collection.identifier
        self.document = document
        var crs = CRS.crs84, name: String?
        if let crsName {
            do { crs = try CRS(crsName) } catch { throw .crs(error) }
            if crs != .crs84 {
                name =
                    collection.crsNames.first { $0 == crsName } ?? collection.crsNames.first { (try? CRS($0)) == crs }
                // A service may give the list of all its collections in one place, as `#/crs`.
                if name == nil, !collection.crsNames.contains("#/crs"), !collection.crsNames.isEmpty {
                    throw .crsNotOffered(crsName, collection: collection.identifier, offers: collection.crsNames)
                }
                name = name ?? Self.uri(of: crs, crsName)
            }
        }
        self.crs = crs
        self.crsName = name
        isNorthFirst = BoundingBoxWriter.isNorthFirst(crs: crs, axisOrder: axisOrder)
        var notes = ReaderNotes()
        let rule = AdvertisedAddress(document: document, subject: "features", dropping: Self.ofProtocol)
        guard let link = collection.links.first(leadingTo: "items"),
            let url = rule.resource(rule.base.resolving(link.href), note: { notes.add($0) })
        else { throw .noLink("the items of '\(collection.identifier)'") }
        address = document.names(rule.withParameters(url).text)
        warnings = notes.warnings
    }

    private static func uri(of crs: CRS, _ text: String) -> String {
        guard let code = crs.name.split(separator: ":").last, crs.name.hasPrefix("EPSG:") else { return text }
        return "http://www.opengis.net/def/crs/EPSG/0/\(code)"
    }

    /// The address of the features in a box; parameters always stand in one order, so that it is a key of caches.
    ///
    /// - Parameters:
    ///   - extent: the box, in units of ``crs``, x east, or `nil` for all features.
    ///   - count: the most features that are wanted.
    ///   - start: how many are passed over, for services that name no next page; the standard has no such parameter.
    package func url(of extent: Extent?, count: Int, from start: Int = 0) -> NamedURL {
        var parameters = [(name: "limit", value: String(count))]
        if let extent {
            parameters.append(
                (name: "bbox", value: BoundingBoxWriter.string(for: extent, isNorthFirst: isNorthFirst)))
        }
        if let crsName {
            if extent != nil { parameters.append((name: "bbox-crs", value: PercentEncoding.value(crsName))) }
            parameters.append((name: "crs", value: PercentEncoding.value(crsName)))
        }
        if start > 0 { parameters.append((name: "offset", value: String(start))) }
        // What the link says of the format stays: a parameter that a service does not know is an error.
        let text = ServiceURL(address.text).url(with: parameters, dropping: Self.ofProtocol.subtracting(["F"]))
        return NamedURL(text, namedBy: address.origin)
    }

    /// The address of the page that an answer names as the next, or `nil` where it may not be asked.
    package func address(ofNext reference: String) -> NamedURL? {
        AdvertisedAddress(document: document, subject: "pages", dropping: Self.ofProtocol).page(reference)
    }
}

/// Where the documents of an OGC API lead.
package struct APILocation {
    private let rule: AdvertisedAddress

    package init(_ document: BaseURL) {
        rule = AdvertisedAddress(document: document, subject: "documents", dropping: ["F"])
    }

    /// The address to which the first link of a relation leads, or `nil` where there is none that may be asked.
    package func address(of links: [OGCAPILink], leadingTo relation: String) -> NamedURL? {
        guard let link = links.first(leadingTo: relation) else { return nil }
        return rule.resource(rule.base.resolving(link.href), note: { _ in }).map {
            rule.document.names(rule.withParameters($0).text)
        }
    }
}
