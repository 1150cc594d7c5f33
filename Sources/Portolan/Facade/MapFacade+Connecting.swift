package import PortolanWeb

extension MapFacade {
    /// The moment by which a service that is added must have answered; `nil` if there is no limit.
    var connectionDeadline: PictureDeadline? {
        options.deadline.map { PictureDeadline($0, from: renderer.clock) }
    }

    /// The result of asking services, within the time of ``RenderOptions/deadline``.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/timedOut`` if they do not answer by then.
    func connecting<Value: Sendable>(
        to address: String, _ work: @escaping @Sendable (ServiceClient) async throws(MapError) -> Value
    ) async throws(MapError) -> Value {
        let services = services
        guard let deadline = connectionDeadline?.ofSource(address) else { return try await work(services) }
        let outcome = await deadline.result { () -> Result<Value, MapError> in
            do throws(MapError) { return .success(try await work(services)) } catch { return .failure(error) }
        }
        guard let outcome else {
            guard !Task.isCancelled else { throw MapError(.cancelled, "the task was cancelled") }
            throw .timedOut(address, after: deadline.duration)
        }
        return try outcome.get()
    }

    /// Reads the document at a path or URL; one that `read` refuses is not kept, as it may be mended tomorrow.
    ///
    /// - Parameter read: is given the document and what addresses in it are relative to.
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
}
