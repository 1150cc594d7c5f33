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

    /// The same in the best of several formats: a service that refuses one of those it offers is asked for the next.
    func featureInfo(
        in formats: [WMSFormat], _ request: (WMSFormat) -> GetFeatureInfoRequest
    ) async throws(ServiceError) -> FeatureInfoAnswer {
        for format in formats.dropLast() {
            do throws(FormatRefused) { return try await answer(to: request(format)) } catch {
                guard error.isAboutFormat else { throw error.error }
            }
        }
        return try await featureInfo(request(formats.last ?? WMSFormat("text/plain")))
    }

    /// A failure, and whether another format may help.
    private struct FormatRefused: Error {
        let error: ServiceError
        let isAboutFormat: Bool
    }

    private func answer(to request: GetFeatureInfoRequest) async throws(FormatRefused) -> FeatureInfoAnswer {
        do { return try await featureInfo(request) } catch {
            let words = error.detail.lowercased()
            throw FormatRefused(
                error: error, isAboutFormat: words.contains("invalidformat") || words.contains("info_format"))
        }
    }

    /// The answer at an address.
    ///
    /// - Parameter crs: the system of geometries that name none.
    func featureInfo(at url: String, wantsHTML: Bool, crs: CRS?) async throws(ServiceError) -> FeatureInfoAnswer {
        let response = try await document(at: url, limit: FeatureInfoReader.byteLimit)
        do {
            return try FeatureInfoReader.read(
                response.body, status: response.status, contentType: response.header("Content-Type"),
                wantsHTML: wantsHTML, crs: crs)
        } catch {
            let code: ServiceError.Code = if case .unreadable = error { .unreadable } else { .unavailable }
            throw ServiceError(code, url: url, detail: error.description)
        }
    }
}
