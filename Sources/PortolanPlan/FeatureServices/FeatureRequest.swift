package import PortolanGeo
package import PortolanServices
package import PortolanWeb

/// How the features of a service are asked for.
package enum FeatureRequest: Hashable, Sendable {
    /// By GetFeature of a WFS.
    case wfs(WFSFeatureRequest)
    /// By the items of a collection of an OGC API.
    case ogcAPI(OGCAPIItemsRequest)

    /// The system of boxes and answers.
    package var crs: CRS {
        switch self {
        case .wfs(let request): request.crs
        case .ogcAPI(let request): request.crs
        }
    }

    /// The kind of service: `wfs` or `oaf`.
    package var kind: String {
        switch self {
        case .wfs: "wfs"
        case .ogcAPI: "oaf"
        }
    }

    /// The order of axes in GML, or `nil` where the name of the answer's system decides.
    ///
    /// Who is asked by a name that the order goes with answers in that order, even where the answer's own name is one that it
    /// does not go with: so does MapServer in version 1.1.0.
    var axisOrder: CRS.AxisOrder? {
        guard case .wfs(let request) = self else { return nil }
        switch request.axisOrder {
        case .auto: return request.isNorthFirst ? .northEast : nil
        case .xy: return .eastNorth
        case .yx: return .northEast
        }
    }

    /// Whether y stands first in boxes.
    package var isNorthFirst: Bool {
        switch self {
        case .wfs(let request): request.isNorthFirst
        case .ogcAPI(let request): request.isNorthFirst
        }
    }

    /// Whether y stands first in GeoJSON: of a WFS x does, whatever its system, unless the caller knows better.
    var isNorthFirstInJSON: Bool {
        switch self {
        case .wfs(let request): request.axisOrder == .yx
        case .ogcAPI(let request): request.isNorthFirst
        }
    }

    /// Whether a page can be asked for by the number of features before it.
    package var hasOffsets: Bool {
        switch self {
        case .wfs(let request): request.hasPaging
        case .ogcAPI: true
        }
    }

    /// The system in which an answer of GeoJSON is, and whether y stands first in it.
    ///
    /// A WFS has no say in it; of an OGC API the header `Content-Crs` has (OGC 18-058r1, requirement 15), whatever was asked for.
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

    /// How many features an answer has that the service cuts short untold, or `nil`.
    var defaultCount: Int? { if case .wfs(let request) = self { request.defaultCount } else { nil } }

    /// The address of the features in a box, or of all.
    package func url(of extent: Extent?, count: Int, from start: Int) -> NamedURL {
        switch self {
        case .wfs(let request): request.url(of: extent, count: count, from: start)
        case .ogcAPI(let request): request.url(of: extent, count: count, from: start)
        }
    }

    /// The address of the page that an answer names, or `nil` where it may not be asked.
    func address(ofNext reference: String) -> NamedURL? {
        switch self {
        case .wfs(let request): request.address(ofNext: reference)
        case .ogcAPI(let request): request.address(ofNext: reference)
        }
    }
}
