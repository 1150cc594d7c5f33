import PortolanFetch
import PortolanGeo
import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// The answer of a service about the features at a pixel, in the best of several formats: a service that fails in one of those
    /// that it offers is asked for the next.
    ///
    /// Nothing found is an answer without features. Geometries are in degrees, whatever the picture is in.
    /// MapServer cannot answer for two layers in one JSON document, and MapProxy fails on what comes of that.
    ///
    /// - Parameter crs: the system of geometries that name none.
    func featureInfo(
        in formats: [WMSFormat], crs: CRS, _ address: (WMSFormat) -> NamedURL
    ) async throws(ServiceError) -> FeatureInfoAnswer {
        var first: ServiceError?
        for format in formats {
            let isPage = format.bareMediaType == "text/html"
            do { return try await featureInfo(at: address(format), wantsHTML: isPage, crs: crs) } catch {
                let reason = first ?? error
                guard error.cause.mayBeFormat else { throw reason }
                first = reason
            }
        }
        throw first ?? ServiceError(.notOffered, url: "", detail: "no format given")
    }

    /// The answer at an address.
    ///
    /// - Parameter crs: the system of geometries that name none.
    func featureInfo(at url: NamedURL, wantsHTML: Bool, crs: CRS?) async throws(ServiceError) -> FeatureInfoAnswer {
        try await fresh(at: url, limit: FeatureInfoReader.byteLimit) { response throws(ServiceError) in
            do throws(ServiceError.Cause) {
                return try FeatureInfoReader.read(
                    response.body, status: response.status, contentType: response.header("Content-Type"),
                    wantsHTML: wantsHTML, crs: crs)
            } catch {
                if case .answer = error { throw ServiceError(error, url: url.text) }
                throw ServiceError(error, url: url.text, code: .unavailable)
            }
        }
    }
}

extension ServiceError {
    /// Whether the service understood a query about features and said no, so that it may answer a smaller one.
    var isRefusal: Bool {
        if case .answer = cause { false } else { cause.mayBeFormat }
    }
}

extension ServiceError.Cause {
    /// Whether a query about features may be answered in another format: a service seldom says that the format is at
    /// fault.
    fileprivate var mayBeFormat: Bool {
        switch self {
        case .exception(let exception, _):
            ![.layer, .style, .crs, .place, .dimension, .operation].contains(exception.fault)
        case .status(let status): status >= 500
        case .answer: true
        default: false
        }
    }
}
