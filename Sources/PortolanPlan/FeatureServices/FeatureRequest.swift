package import PortolanGeo
package import PortolanServices
package import PortolanWeb

/// A request for the features of a service.
package enum FeatureRequest: Hashable, Sendable {
    /// A GetFeature request to a WFS.
    case wfs(WFSFeatureRequest)
    /// A request for the items of an OGC API collection.
    case ogcAPI(OGCAPIItemsRequest)
    /// A request for the rows of a database table.
    case table(FeatureTableRequest)

    /// The CRS of boxes and responses.
    package var crs: CRS {
        switch self {
        case .wfs(let request): request.crs
        case .ogcAPI(let request): request.crs
        case .table(let request): request.crs
        }
    }

    /// The kind of service: `wfs`, `oaf`, or the format of a database.
    package var kind: String {
        switch self {
        case .wfs: "wfs"
        case .ogcAPI: "oaf"
        case .table(let request): request.table.format.rawValue
        }
    }

    /// The axis order in GML, or `nil` if the CRS name in the response decides.
    ///
    /// A service that is asked with a CRS name that implies an axis order responds in that order, even if the CRS name
    /// in the response implies another. MapServer does so in version 1.1.0.
    var axisOrder: CRS.AxisOrder? {
        guard case .wfs(let request) = self else { return nil }
        switch request.axisOrder {
        case .auto: return request.isNorthFirst ? .northEast : nil
        case .xy: return .eastNorth
        case .yx: return .northEast
        }
    }

    /// Whether y comes first in boxes.
    package var isNorthFirst: Bool {
        switch self {
        case .wfs(let request): request.isNorthFirst
        case .ogcAPI(let request): request.isNorthFirst
        case .table: false
        }
    }

    /// Whether y comes first in GeoJSON.
    ///
    /// In a WFS, x comes first regardless of the CRS, unless the caller states otherwise.
    var isNorthFirstInJSON: Bool {
        switch self {
        case .wfs(let request): request.axisOrder == .yx
        case .ogcAPI(let request): request.isNorthFirst
        case .table: false
        }
    }

    /// Whether a page can be requested by the number of features before it.
    package var hasOffsets: Bool {
        switch self {
        case .wfs(let request): request.hasPaging
        case .ogcAPI: true
        case .table: false
        }
    }

    /// The CRS of a GeoJSON response, and whether y comes first in it.
    ///
    /// A WFS does not state it. In an OGC API the header `Content-Crs` does (OGC 18-058r1, requirement 15), whatever
    /// was requested.
    func system(
        ofAnswerIn contentCRS: String?
    ) throws(FeaturePageError) -> (crs: CRS, isNorthFirst: Bool) {
        guard case .ogcAPI(let request) = self, var name = contentCRS?.trimmingSpace()[...] else {
            return (crs, isNorthFirstInJSON)
        }
        if name.first == "<", name.last == ">" { name = name.dropFirst().dropLast() }
        do {
            let own = try CRS(String(name))
            guard own != request.crs else { return (own, request.isNorthFirst) }
            return (own, BoundingBoxWriter.isNorthFirst(crs: own, axisOrder: .auto))
        } catch { throw FeaturePageError(words: "the response states the CRS '\(name)': \(error)") }
    }

    /// The number of features at which the service silently cuts off a response, or `nil`.
    var defaultCount: Int? { if case .wfs(let request) = self { request.defaultCount } else { nil } }

    /// The address of the features in a box, or of all features; for a table that of its database, which is not requested.
    package func url(of extent: Extent?, count: Int, from start: Int) -> NamedURL {
        switch self {
        case .wfs(let request): request.url(of: extent, count: count, from: start)
        case .ogcAPI(let request): request.url(of: extent, count: count, from: start)
        case .table(let request): NamedURL(request.table.path, namedBy: .user)
        }
    }

    /// The address of the page named by a response, or `nil` if it must not be requested.
    func address(ofNext reference: String) -> NamedURL? {
        switch self {
        case .wfs(let request): request.address(ofNext: reference)
        case .ogcAPI(let request): request.address(ofNext: reference)
        case .table: nil
        }
    }
}
