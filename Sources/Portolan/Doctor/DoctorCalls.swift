import PortolanFetch
import PortolanServices

/// The requests of one examination: one after the other, counted, and each address asked once.
struct DoctorCalls: Sendable {
    private let client: ServiceClient
    private let limit: Int
    private let progress: (@Sendable (Int) -> Void)?
    private var answers: [String: Result<HTTPResponse, ServiceError>] = [:]
    private(set) var count = 0
    /// Whether a request was not sent because of the limit.
    private(set) var isCutShort = false

    init(client: ServiceClient, limit: Int, progress: (@Sendable (Int) -> Void)?) {
        self.client = client
        self.limit = limit
        self.progress = progress
    }

    /// What is at an address, or `nil` when no more requests may be sent.
    ///
    /// - Throws: ``ServiceError/Code/cancelled`` only.
    mutating func answer(at url: String) async throws(ServiceError) -> Result<HTTPResponse, ServiceError>? {
        if let known = answers[url] { return known }
        guard count < limit else {
            isCutShort = true
            return nil
        }
        count += 1
        let result: Result<HTTPResponse, ServiceError>
        do { result = .success(try await client.document(at: url)) } catch {
            if error.code == .cancelled { throw error }
            result = .failure(error)
        }
        answers[url] = result
        progress?(count)
        return result
    }
}
