import PortolanWeb
import Synchronization

/// A transport that adds each host's credentials to requests, over another transport.
///
/// Credentials go to the host they are for and not to where it redirects (see ``HTTPTransport``); a header field that a
/// request has itself stays as it is. No error shows them.
public final class AuthenticatingTransport: HTTPTransport {
    /// Gets a new credential for a host that answered 401 to the old one (nil where there was none); nil when there is
    /// none to be had, and the answer stands.
    public typealias Refresh = @Sendable (_ host: String, _ old: Credential?) async -> Credential?

    private struct Entry {
        var credential: Credential?
        /// The number of renewals, successful or not.
        var generation = 0
        var renewal: Task<Credential?, Never>?
        /// Until when it is not asked for again, since there was none: each tile of a view would ask otherwise.
        var emptyUntil: Duration?
    }

    private static let pause = Duration.seconds(10)

    private let transport: any HTTPTransport
    private let refresh: Refresh?
    private let clock: FetchClock
    private let entries: Mutex<[String: Entry]>

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - transport: carries the requests.
    ///   - credentials: by host name, without port.
    ///   - refresh: called when a host answers 401, once for all requests that were sent with the same credential; they
    ///     are then sent once more. Where it gives none it is not called again for ten seconds.
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

    /// Whether a host is sent credentials.
    package func hasCredential(forHost host: String) -> Bool { entries.withLock { $0[host]?.credential != nil } }

    /// What the credentials of all hosts show their services, those that came later among them.
    package var secrets: Secrets {
        var secrets = Secrets()
        for case let credential? in entries.withLock({ $0.values.map(\.credential) }) { secrets.add(credential) }
        return secrets
    }

    /// The response to `request` with the credential of its host; see ``HTTPTransport`` for what holds.
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

    /// The credential that has come since `generation`, or that is got now; nil when there is none.
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
        // A person may be asked for a password: whoever cancels does not wait for that.
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
            // One that failed is not tried with again.
            entry.credential = new
            entry.emptyUntil = new == nil ? clock.now() + Self.pause : nil
            entry.generation += 1
            entry.renewal = nil
            entries[host] = entry
        }
        return new
    }
}
