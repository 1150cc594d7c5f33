import PortolanWeb
import Synchronization

/// A transport that adds the credentials of each host to requests, over another transport.
///
/// Credentials are sent to their host only, not to redirect targets (see ``HTTPTransport``). A header field of the
/// request takes precedence. Errors never contain credentials.
public final class AuthenticatingTransport: HTTPTransport {
    /// Returns a new credential for a host that responded 401 to the old one, or to a request without credentials
    /// (`nil`).
    ///
    /// If it returns `nil`, the response with 401 is final.
    public typealias Refresh = @Sendable (_ host: String, _ old: Credential?) async -> Credential?

    private struct Entry {
        var credential: Credential?
        /// The number of renewals, successful or not.
        var generation = 0
        var renewal: Task<Credential?, Never>?
        /// The time until which no renewal is attempted after one failed; otherwise each tile of a view would cause
        /// one.
        var emptyUntil: Duration?
    }

    private static let pause = Duration.seconds(10)

    private let transport: any HTTPTransport
    private let refresh: Refresh?
    private let clock: FetchClock
    private let entries: Mutex<[String: Entry]>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - transport: performs the requests.
    ///   - credentials: the credentials by host name, without a port.
    ///   - refresh: called when a host responds 401, once for all requests that were sent with the same credential;
    ///     they are then sent again. After it returned `nil`, it is not called for ten seconds.
    public convenience init(
        over transport: any HTTPTransport, credentials: [String: Credential], refresh: Refresh? = nil
    ) {
        self.init(over: transport, credentials: credentials, clock: .system, refresh: refresh)
    }

    package init(
        over transport: any HTTPTransport, credentials: [String: Credential], clock: FetchClock, refresh: Refresh?
    ) {
        self.transport = transport
        self.refresh = refresh
        self.clock = clock
        var entries: [String: Entry] = [:]
        for (host, credential) in credentials { entries[host.lowercased()] = Entry(credential: credential) }
        self.entries = Mutex(entries)
    }

    /// Returns whether requests to a host are sent with credentials.
    package func hasCredential(forHost host: String) -> Bool { entries.withLock { $0[host]?.credential != nil } }

    /// The secrets of all credentials, including renewed ones.
    package var secrets: Secrets {
        var secrets = Secrets()
        for case let credential? in entries.withLock({ $0.values.map(\.credential) }) { secrets.add(credential) }
        return secrets
    }

    /// Returns the response to `request`, sent with the credential of its host; see ``HTTPTransport``.
    public func send(_ request: HTTPRequest) async throws(FetchError) -> HTTPResponse {
        guard let host = URLParts(request.url)?.host else { return try await transport.send(request) }
        let (credential, generation) = entries.withLock { entries in
            (entries[host]?.credential, entries[host]?.generation ?? 0)
        }
        let response = try await send(request, with: credential)
        guard response.status == 401, let refresh else { return response }
        let renewed = await renewed(host, since: generation, refresh)
        if Task.isCancelled { throw .cancelled(url: request.url) }
        guard let renewed else { return response }
        return try await send(request, with: renewed)
    }

    private func send(_ request: HTTPRequest, with credential: Credential?) async throws(FetchError) -> HTTPResponse {
        guard let credential else { return try await transport.send(request) }
        do {
            var response = try await transport.send(credential.applied(to: request))
            response.url = credential.takenOut(of: response.url)
            return response
        } catch {
            var secrets = Secrets()
            secrets.add(credential)
            let detail = secrets.removed(from: error.detail)
            throw FetchError(error.code, url: request.url, status: error.status, detail: detail)
        }
    }

    /// Returns the credential renewed since `generation`, or renews it now; `nil` if that fails.
    private func renewed(_ host: String, since generation: Int, _ refresh: @escaping Refresh) async -> Credential? {
        let (known, renewal) = entries.withLock { entries -> (Credential?, Task<Credential?, Never>?) in
            var entry = entries[host] ?? Entry()
            defer { entries[host] = entry }
            if entry.generation != generation { return (entry.credential, nil) }
            if let end = entry.emptyUntil, clock.now() < end { return (nil, nil) }
            let old = entry.credential
            let renewal = entry.renewal ?? Task { await self.renew(host, old, refresh) }
            entry.renewal = renewal
            return (nil, renewal)
        }
        guard let renewal else { return known }
        // A renewal may ask the user for a password; a cancelled task must not wait for that.
        let slot = AnswerSlot<Credential?>()
        Task { slot.answer(await renewal.value) }
        return await withTaskCancellationHandler {
            await slot.reply()
        } onCancel: {
            slot.answer(nil)
        }
    }

    private func renew(_ host: String, _ old: Credential?, _ refresh: Refresh) async -> Credential? {
        let new = await refresh(host, old)
        entries.withLock { entries in
            var entry = entries[host] ?? Entry()
            // A failed credential is not used again.
            entry.credential = new
            entry.emptyUntil = new == nil ? clock.now() + Self.pause : nil
            entry.generation += 1
            entry.renewal = nil
            entries[host] = entry
        }
        return new
    }
}
