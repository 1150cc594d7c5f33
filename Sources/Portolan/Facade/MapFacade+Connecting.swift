import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanPlan
package import PortolanWeb

extension MapFacade {
    /// The deadline of the services for an added layer, or `nil` for no limit.
    var connectionDeadline: PictureDeadline? {
        options.deadline.map { PictureDeadline($0, from: renderer.clock) }
    }

    /// Returns the result of service requests, within the time limit of ``RenderOptions/deadline``.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/timedOut`` if the limit expires.
    func connecting<Value: Sendable>(
        to address: String, _ work: @escaping @Sendable (ServiceClient) async throws(MapError) -> Value
    ) async throws(MapError) -> Value {
        let services = services
        guard let deadline = connectionDeadline?.ofSource(address) else { return try await work(services) }
        let (outcome, wasCancelled) = await deadline.result { () -> Result<Value, MapError> in
            do throws(MapError) { return .success(try await work(services)) } catch { return .failure(error) }
        }
        guard wasCancelled else { return try outcome.get() }
        guard !Task.isCancelled else { throw MapError(.cancelled, "the task was cancelled") }
        guard case .success(let value) = outcome else { throw .timedOut(address, after: deadline.duration) }
        return value
    }

    /// Reads the document at a path or URL.
    ///
    /// A document that `read` rejects is not cached.
    ///
    /// - Parameter read: receives the document and its base URL.
    package func reading<Value>(
        _ address: String, _ read: (_ document: [UInt8], _ base: BaseURL) throws(MapError) -> Value
    ) async throws(MapError) -> Value {
        let url = FileAddress.url(of: address)
        let (document, base) = try await connecting(to: address) { (services) throws(MapError) in
            do throws(ServiceError) { return try await services.content(at: url) } catch { throw MapError(error) }
        }
        do { return try read(document, base) } catch {
            await services.forget(url)
            throw error
        }
    }

    /// Calls `read` with the features at a path or URL, from a document or, if it is not one, from a dataset.
    func readingFeatures<Value>(
        _ address: String, _ read: (_ features: FeatureCollection, _ base: BaseURL) throws(MapError) -> Value
    ) async throws(MapError) -> Value {
        do throws(MapError) {
            return try await reading(address) { (document, base) throws(MapError) in
                try read(collection(in: document), base)
            }
        } catch {
            let datasets: [FeatureFileError.FileKind] = [.shapefile, .zippedShapefile, .geoPackage]
            guard let kind = (error.inner as? FeatureFileError)?.kind, datasets.contains(kind),
                FileAddress.isLocal(address)
            else { throw error }
            let builder = LayerBuilder(client: services, mapCRS: viewport.crs)
            let features = try await builder.features(of: LayerSpecification(kind: .features, source: address))
            return try read(features, services.base(ofFileAt: FileAddress.url(of: address)))
        }
    }
}
