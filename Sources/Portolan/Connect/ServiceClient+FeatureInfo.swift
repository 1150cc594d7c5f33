import PortolanFetch
import PortolanGeo
public import PortolanServices

extension ServiceClient {
    /// What a WMS tells of the features at a pixel of its picture.
    ///
    /// Nothing found is an answer without features. Geometries are in degrees, whatever the picture is in.
    ///
    /// - Throws: ``ServiceError``: ``ServiceError/Code/unavailable`` when the service cannot be reached or answers with an
    ///   error, whose words are in the detail; ``ServiceError/Code/unreadable`` when its answer cannot be understood.
    public func featureInfo(_ request: GetFeatureInfoRequest) async throws(ServiceError) -> FeatureInfoAnswer {
        try await featureInfo(
            at: request.url, wantsHTML: WMSFormat(request.infoFormat).bareMediaType == "text/html",
            crs: request.map.crs)
    }

    /// The same in the best of several formats: a service that fails in one of those it offers is asked for the next.
    ///
    /// MapServer cannot answer for two layers in one JSON document, and MapProxy fails on what comes of that.
    ///
    /// - Parameter crs: the system of geometries that name none.
    func featureInfo(
        in formats: [WMSFormat], crs: CRS, _ address: (WMSFormat) -> String
    ) async throws(ServiceError) -> FeatureInfoAnswer {
        var first: ServiceError?
        for format in formats {
            let isPage = format.bareMediaType == "text/html"
            do throws(Refusal) {
                return try await answer(at: address(format), wantsHTML: isPage, crs: crs)
            } catch {
                let reason = first ?? error.reason
                guard error.mayBeFormat else { throw reason }
                first = reason
            }
        }
        throw first ?? ServiceError(.notOffered, url: "", detail: "no format is asked for")
    }

    /// The answer at an address.
    ///
    /// - Parameter crs: the system of geometries that name none.
    func featureInfo(at url: String, wantsHTML: Bool, crs: CRS?) async throws(ServiceError) -> FeatureInfoAnswer {
        do throws(Refusal) { return try await answer(at: url, wantsHTML: wantsHTML, crs: crs) } catch {
            throw error.reason
        }
    }

    /// Why there is no answer, and whether there might be one in another format.
    private struct Refusal: Error {
        let reason: ServiceError
        let mayBeFormat: Bool
    }

    private func answer(at url: String, wantsHTML: Bool, crs: CRS?) async throws(Refusal) -> FeatureInfoAnswer {
        let response: HTTPResponse
        do { response = try await freshDocument(at: url, limit: FeatureInfoReader.byteLimit) } catch {
            throw Refusal(reason: error, mayBeFormat: false)
        }
        do {
            return try FeatureInfoReader.read(
                response.body, status: response.status, contentType: response.header("Content-Type"),
                wantsHTML: wantsHTML, crs: crs)
        } catch {
            let code: ServiceError.Code = if case .unreadable = error { .unreadable } else { .unavailable }
            throw Refusal(
                reason: ServiceError(
                    code, url: url, detail: error.description, isRefusal: code == .unavailable && error.mayBeFormat),
                mayBeFormat: error.mayBeFormat)
        }
    }
}

extension FeatureInfoReader.Failure {
    /// Whether another format may be answered: a service seldom says that the format is at fault.
    fileprivate var mayBeFormat: Bool {
        switch self {
        case .exception(let exception, _):
            let others: [ServiceException.Code] = [
                .layerNotDefined, .layerNotQueryable, .styleNotDefined, .invalidPoint, .invalidCRS, .invalidSRS,
                .missingDimensionValue, .invalidDimensionValue, .operationNotSupported,
            ]
            return exception.code.map { !others.contains($0) } ?? true
        case .status(let status): return status >= 500
        case .unreadable: return true
        }
    }
}
