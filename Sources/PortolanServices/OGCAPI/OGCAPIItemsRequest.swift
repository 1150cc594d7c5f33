package import PortolanGeo
package import PortolanWeb

/// A request template for the features of an OGC API collection, by bounding box and page.
package struct OGCAPIItemsRequest: Hashable, Sendable {
    /// The identifier of the collection.
    package let collection: String
    /// The CRS of bounding boxes and responses.
    package let crs: CRS
    /// The URI of the CRS as written by the service, or `nil` for the default, CRS84.
    package let crsName: String?
    /// Whether latitude or northing is first in bounding boxes and responses.
    package let isNorthFirst: Bool
    /// The URL of the items.
    package let address: NamedURL
    /// The base document for URLs in responses.
    package let document: BaseURL
    /// Warnings about the negotiation.
    package let warnings: [MapWarning]

    private static let ofProtocol: Set<String> = [
        "BBOX", "BBOX-CRS", "CRS", "LIMIT", "OFFSET", "STARTINDEX", "DATETIME", "F",
    ]

    /// Creates a request template for a collection: in CRS84, unless another CRS is requested.
    ///
    /// It follows OGC 17-069r4 clause 7.15 and OGC 18-058r1 clause 6.3: bounding boxes and coordinates are in the axis
    /// order of the CRS.
    ///
    /// - Parameters:
    ///   - crsName: the requested CRS, in any spelling.
    ///   - document: the URL of the document that describes the collection.
    /// - Throws: ``OGCAPIError``.
    package init(
        _ collection: OGCAPICollection, crsName: String? = nil, axisOrder: WMSOptions.AxisOrderPolicy = .auto,
        document: BaseURL
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
                // A service may list the CRSs of all collections in one place, referenced as `#/crs`.
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

    /// Returns the URL of the features in a box.
    ///
    /// The order of parameters is fixed, so that the URL can be a cache key.
    ///
    /// - Parameters:
    ///   - extent: the box in units of ``crs``, x east, or `nil` for all features.
    ///   - count: the maximum number of features.
    ///   - start: the number of features to skip, a non-standard parameter for services without `next` links.
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
        // The format in the link is kept: an unknown parameter would be an error.
        let text = ServiceURL(address.text).url(with: parameters, dropping: Self.ofProtocol.subtracting(["F"]))
        return NamedURL(text, namedBy: address.origin)
    }

    /// Returns the URL of the next page, or `nil` if it must not be requested.
    package func address(ofNext reference: String) -> NamedURL? {
        AdvertisedAddress(document: document, subject: "pages", dropping: Self.ofProtocol).page(reference)
    }
}

/// The location of an OGC API, to resolve its links.
package struct APILocation {
    private let rule: AdvertisedAddress

    package init(_ document: BaseURL) {
        rule = AdvertisedAddress(document: document, subject: "documents", dropping: ["F"])
    }

    /// Returns the URL of the first link with a relation, or `nil` without one that may be requested.
    package func address(of links: [OGCAPILink], leadingTo relation: String) -> NamedURL? {
        guard let link = links.first(leadingTo: relation) else { return nil }
        return rule.resource(rule.base.resolving(link.href), note: { _ in }).map {
            rule.document.names(rule.withParameters($0).text)
        }
    }
}
