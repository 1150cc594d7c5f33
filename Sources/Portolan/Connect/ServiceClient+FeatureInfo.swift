import PortolanFetch
import PortolanGeo
import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// Requests feature info in the preferred of several formats.
    ///
    /// If the service fails with one format, the next is tried.
    ///
    /// If nothing is found, the result has no features. Geometries are in degrees in any case. MapServer cannot return
    /// two layers in one JSON document, and MapProxy fails on the result.
    ///
    /// - Parameter crs: the CRS of geometries that name none.
    func featureInfo(
        in formats: [WMSCapabilities.Format], crs: CRS, _ address: (WMSCapabilities.Format) -> NamedURL
    ) async throws(ServiceError) -> ServiceClient.FeatureInfo {
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

    /// Requests feature info at a URL.
    ///
    /// - Parameter crs: the CRS of geometries that name none.
    func featureInfo(
        at url: NamedURL, wantsHTML: Bool, crs: CRS?
    ) async throws(ServiceError) -> ServiceClient.FeatureInfo {
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
    /// Whether the service understood the request and rejected it, so that a smaller request may succeed.
    var isRefusal: Bool {
        if case .answer = cause { false } else { cause.mayBeFormat }
    }
}

extension ServiceError.Cause {
    /// Whether a request may succeed in another format.
    ///
    /// Services rarely name the format as the cause.
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
