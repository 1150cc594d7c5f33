package import PortolanWeb
import Synchronization

/// An HTTP cache: returns responses from a store or from servers, and stores the valid ones.
///
/// The reader decides whether a response is valid. A response that the reader rejects, such as an error, a service
/// exception, or an empty or truncated image, is never stored. A stored one that becomes unreadable is removed and
/// requested again. A failing store causes a warning, but no request fails because of it.
package final class ResponseCache: Sendable {
    private struct State {
        var refreshing: Set<StoreKey> = []
        var troubles: [String] = []
    }

    private let fetcher: Fetcher
    private let store: (any ResponseStore)?
    private let identity: @Sendable (_ host: String) -> Identity
    private let observer: (any MapObserver)?
    private let secrets: @Sendable () -> Secrets
    /// Returns the time in seconds since 1970.
    package let now: @Sendable () -> Int
    private let state = Mutex(State())

    /// Whether the cache works offline, without contacting servers.
    package let isOffline: Bool

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - store: the store of responses, or `nil` for none.
    ///   - observer: is notified of cache hits and of store failures.
    ///   - identity: returns the user whose credentials a host receives. Responses for one user are not returned to another.
    ///   - secrets: returns the secrets to remove from errors, in addition to those of the request.
    ///   - now: returns the time in seconds since 1970.
    package init(
        fetcher: Fetcher, store: (any ResponseStore)?, isOffline: Bool = false,
        observer: (any MapObserver)? = nil,
        identity: @escaping @Sendable (_ host: String) -> Identity = { _ in .anonymous },
        secrets: @escaping @Sendable () -> Secrets = { Secrets() },
        now: @escaping @Sendable () -> Int
    ) {
        self.fetcher = fetcher
        self.store = store
        self.identity = identity
        self.secrets = secrets
        self.isOffline = isOffline
        self.observer = observer
        self.now = now
    }

    /// Returns the response to a request.
    package func answer<Value, Failure>(
        to wanted: CacheRequest<Value, Failure>
    ) async throws(Failure) -> CachedAnswer<Value> {
        // Checked before the cache, because a response permitted to one origin must not be returned to another.
        if let refusal = wanted.request.refusal { throw wanted.missing(refusal) }
        let answer = try await unobservedAnswer(to: wanted)
        switch (answer.origin, observer) {
        case (.store, let observer?):
            observer.note(.cacheAnswered(MapObservation.Request(wanted.request), .store))
        case (.stale, let observer?):
            observer.note(.cacheAnswered(MapObservation.Request(wanted.request), .stale))
        case (.network, _), (_, nil): break
        }
        return answer
    }

    private func unobservedAnswer<Value, Failure>(
        to wanted: CacheRequest<Value, Failure>
    ) async throws(Failure) -> CachedAnswer<Value> {
        // Without a store this is fast, and requests keep their order.
        guard store != nil || isOffline else { return try await transferred(wanted, key: nil, instead: nil) }
        return try await storedAnswer(to: wanted)
    }

    /// Runs off the caller's actor, because disk access and readers are slow.
    @concurrent
    private func storedAnswer<Value, Failure>(
        to wanted: CacheRequest<Value, Failure>
    ) async throws(Failure) -> CachedAnswer<Value> {
        guard let key = key(of: wanted.request) else { return try await transferred(wanted, key: nil, instead: nil) }
        guard wanted.rule.isEnabled else {
            if isOffline { throw wanted.missing(.offline(url: wanted.request.url)) }
            return try await transferred(wanted, key: nil, instead: nil)
        }
        let old: StoredResponse?
        switch try await lookedUp(key, wanted) {
        case .answer(let answer): return answer
        case .ask(let entry): old = entry
        }
        guard !wanted.reloads, let lease = await store?.lease(for: key) else {
            return try await transferred(wanted, key: key, instead: old)
        }
        let result: Result<CachedAnswer<Value>, Failure>
        do throws(Failure) {
            // Another worker may have stored it in the meantime.
            switch try await lookedUp(key, wanted) {
            case .answer(let answer): result = .success(answer)
            case .ask(let entry): result = .success(try await transferred(wanted, key: key, instead: entry ?? old))
            }
        } catch { result = .failure(error) }
        await lease.end()
        return try result.get()
    }

    /// The result of a store lookup.
    private enum Finding<Value: Sendable>: Sendable {
        case answer(CachedAnswer<Value>)
        /// The server must be contacted; `instead` is the stale entry, if there is one.
        case ask(instead: StoredResponse?)
    }

    private func lookedUp<Value, Failure>(
        _ key: StoreKey, _ wanted: CacheRequest<Value, Failure>
    ) async throws(Failure) -> Finding<Value> {
        guard let entry = await entry(for: key) else {
            if isOffline { throw wanted.missing(.offline(url: wanted.request.url)) }
            return .ask(instead: nil)
        }
        let freshness = Freshness(of: entry, now: now(), rule: wanted.rule, goodStatuses: wanted.goodStatuses)
        let until = freshness.freshUntil(now: now())
        if isOffline {
            let origin: CachedAnswer<Value>.Origin =
                freshness.use == .fresh ? .store : .stale(reason: "offline mode")
            return .answer(
                CachedAnswer(value: try await value(of: entry, key, wanted), origin: origin, freshUntil: until))
        }
        switch wanted.reloads ? .ask(mayStandIn: false) : freshness.use {
        case .fresh:
            do { return .answer(answer(try await value(of: entry, key, wanted), .store, of: entry, wanted)) } catch {
                if entry.isNegative { throw error }
            }
            return .ask(instead: nil)
        case .staleWhileRevalidating:
            guard let value = try? await value(of: entry, key, wanted) else { return .ask(instead: nil) }
            refresh(wanted, key: key, entry: entry)
            let origin = CachedAnswer<Value>.Origin.stale(reason: "the server allows it while it is being revalidated")
            return .answer(CachedAnswer(value: value, origin: origin, freshUntil: until))
        case .ask:
            return .ask(instead: entry)
        }
    }

    /// Returns the stored response, fresh or stale within its rule, without contacting a server.
    @concurrent
    package func kept<Value, Failure>(_ wanted: CacheRequest<Value, Failure>) async -> Value? {
        guard wanted.request.refusal == nil, wanted.rule.isEnabled, let key = key(of: wanted.request),
            let entry = await entry(for: key),
            isOffline
                || Freshness(of: entry, now: now(), rule: wanted.rule, goodStatuses: wanted.goodStatuses).mayBeShown
        else { return nil }
        return try? await value(of: entry, key, wanted)
    }

    /// Warnings about the store.
    package var warnings: [MapWarning] {
        let troubles = state.withLock { $0.troubles }.map { MapWarning(.cache, message: $0) }
        let own = store?.warnings ?? []
        return own + troubles.filter { !own.contains($0) }
    }

    /// Adds to ``warnings`` that a stale document was used.
    package func note(stale url: String, reason: String) {
        add("\(FetchError.redacted(url)) is stale, because \(reason)")
    }

    /// Returns when all received responses are stored.
    @concurrent
    package func flush() async {
        do throws(StoreError) { try await store?.flush() } catch { note(error) }
    }

    /// Removes the stored response of a request, after its reader has found it invalid.
    @concurrent
    package func remove(_ request: HTTPRequest) async {
        guard let key = key(of: request) else { return }
        await keep { store throws(StoreError) in try await store.remove(key) }
    }

    /// Removes the entries of a selection, and returns their number.
    @concurrent
    package func removeAll(_ selection: StoreSelection) async throws(StoreError) -> Int {
        try await store?.removeAll(selection) ?? 0
    }

    /// Returns the statistics of the store, or `nil` without a store.
    @concurrent
    package func statistics() async -> StoreStatistics? {
        do throws(StoreError) { return try await store?.statistics() } catch {
            note(error)
            return nil
        }
    }
}

extension ResponseCache {
    /// Contacts the server, which revalidates or replaces `entry`.
    ///
    /// If it fails, a permitted stale `entry` is returned.
    private func transferred<Value, Failure>(
        _ wanted: CacheRequest<Value, Failure>, key: StoreKey?, instead entry: StoredResponse?
    ) async throws(Failure) -> CachedAnswer<Value> {
        var request = wanted.request
        if let entry { request.headers += Freshness.conditions(for: entry) }
        let requestTime = now()
        let response: HTTPResponse
        do throws(FetchError) { response = try await fetcher.fetch(request, turn: wanted.turn) } catch {
            if error.isExcusable, let answer = await stale(wanted, key, entry, error.code.words, error) {
                return answer
            }
            throw wanted.missing(error.without(secrets(of: wanted.request)))
        }
        if response.status == 304, let key, let entry {
            let confirmed = entry.confirmed(by: response, requestTime: requestTime, responseTime: now())
            do {
                let value = try await value(of: confirmed, key, wanted)
                await keep { store throws(StoreError) in try await store.confirm(confirmed, for: key) }
                return answer(value, .store, of: confirmed, wanted)
            } catch { return try await transferred(wanted, key: key, instead: nil) }
        }
        let new = StoredResponse(response, requestTime: requestTime, responseTime: now())
        let value: Value
        do { value = try read(response, wanted) } catch {
            if let key, new.isNegative {
                await keep(new, for: key, wanted, response, replaces: entry != nil)
            } else if response.isSuccessful || Freshness.isExcusable(status: response.status) {
                let reason =
                    response.isSuccessful ? "the server's response is invalid" : "HTTP status \(response.status)"
                if let answer = await stale(wanted, key, entry, reason) { return answer }
            }
            throw error
        }
        if let key { await keep(new, for: key, wanted, response, replaces: entry != nil) }
        return answer(value, .network, of: new, wanted)
    }

    private func answer<Value, Failure>(
        _ value: Value, _ origin: CachedAnswer<Value>.Origin, of entry: StoredResponse,
        _ wanted: CacheRequest<Value, Failure>
    ) -> CachedAnswer<Value> {
        guard wanted.rule.isEnabled else {
            return CachedAnswer(value: value, origin: origin, freshUntil: now(), mayReuse: false, mayStandIn: false)
        }
        let freshness = Freshness(of: entry, now: now(), rule: wanted.rule, goodStatuses: wanted.goodStatuses)
        return CachedAnswer(
            value: value, origin: origin, freshUntil: freshness.freshUntil(now: now()), mayReuse: freshness.mayReuse,
            mayStandIn: !freshness.forbidsStandIn)
    }

    /// Returns the stale entry if that is permitted.
    private func stale<Value, Failure>(
        _ wanted: CacheRequest<Value, Failure>, _ key: StoreKey?, _ entry: StoredResponse?, _ reason: String,
        _ error: FetchError? = nil
    ) async -> CachedAnswer<Value>? {
        guard let key, let entry,
            !wanted.reloads || !entry.isNegative || wanted.goodStatuses.contains(entry.status)
        else { return nil }
        switch Freshness(of: entry, now: now(), rule: wanted.rule, goodStatuses: wanted.goodStatuses).use {
        case .ask(mayStandIn: false): return nil
        case .ask, .fresh, .staleWhileRevalidating: break
        }
        guard let value = try? await value(of: entry, key, wanted) else { return nil }
        return CachedAnswer(
            value: value, origin: .stale(reason: reason, isConnectionLost: error?.isConnectionLoss ?? false),
            freshUntil: now())
    }

    /// Returns the value read from an entry.
    ///
    /// An entry that the reader rejects is removed.
    private func value<Value, Failure>(
        of entry: StoredResponse, _ key: StoreKey, _ wanted: CacheRequest<Value, Failure>
    ) async throws(Failure) -> Value {
        do { return try read(entry.response(for: wanted.request.url), wanted) } catch {
            if !entry.isNegative { await keep { store throws(StoreError) in try await store.remove(key) } }
            throw error
        }
    }

    /// Reads a response.
    ///
    /// If the reader rejects it, the error describes a copy of the response without secrets.
    ///
    /// A server may echo the request, including its secrets. Reading a second time costs nothing for valid responses,
    /// and no error can leak a secret, whatever it quotes.
    private func read<Value, Failure>(
        _ response: HTTPResponse, _ wanted: CacheRequest<Value, Failure>
    ) throws(Failure) -> Value {
        do { return try wanted.reading(response) } catch {
            var secrets = secrets(of: wanted.request)
            secrets.add(url: response.url)
            guard !secrets.isEmpty else { throw error }
            var clean = response
            clean.url = secrets.removed(from: response.url)
            if let body = secrets.removed(from: response.body) { clean.body = body }
            guard clean != response else { throw error }
            _ = try wanted.reading(clean)
            throw wanted.missing(
                FetchError(
                    .malformedResponse, url: wanted.request.url, status: response.status,
                    detail: "it contains a secret of the request at a damaged position"))
        }
    }

    private func secrets(of request: HTTPRequest) -> Secrets {
        var all = secrets()
        all.formUnion(Secrets(of: request))
        return all
    }

    /// Revalidates an entry in the background; only one revalidation runs per key.
    private func refresh<Value, Failure>(_ wanted: CacheRequest<Value, Failure>, key: StoreKey, entry: StoredResponse) {
        guard state.withLock({ $0.refreshing.insert(key).inserted }) else { return }
        Task {
            _ = try? await transferred(wanted, key: key, instead: entry)
            _ = state.withLock { $0.refreshing.remove(key) }
        }
    }

    private func key(of request: HTTPRequest) -> StoreKey? {
        guard let host = URLParts(request.url)?.host else { return nil }
        return switch identity(host) {
        case .anonymous: StoreKey(request)
        case .account(let credential): StoreKey(request, credential: credential)
        case .unknown: nil
        }
    }

    private func entry(for key: StoreKey) async -> StoredResponse? {
        guard let store else { return nil }
        do throws(StoreError) { return try await store.entry(for: key) } catch {
            note(error)
            return nil
        }
    }

    private func keep<Value, Failure>(
        _ entry: StoredResponse, for key: StoreKey, _ wanted: CacheRequest<Value, Failure>, _ response: HTTPResponse,
        replaces: Bool
    ) async {
        // The credentials of the host may have changed in the meantime.
        guard store != nil, self.key(of: wanted.request) == key else { return }
        if Freshness.mayStore(response, rule: wanted.rule, goodStatuses: wanted.goodStatuses) {
            let place = StoredResponse.Location(url: wanted.request.url, bounds: wanted.bounds())
            await keep { store throws(StoreError) in try await store.put(entry, for: key, place: place) }
        } else if replaces {
            await keep { store throws(StoreError) in try await store.remove(key) }
        }
    }

    private func keep(_ work: (any ResponseStore) async throws(StoreError) -> Void) async {
        guard let store else { return }
        do throws(StoreError) { try await work(store) } catch { note(error) }
    }

    private func note(_ error: StoreError) {
        observer?.note(.storeFailed(error))
        // The store removes its own warnings when it recovers.
        let cause = error.description
        if store?.warnings.contains(where: { "\($0)".contains(cause) }) == true { return }
        add("the cache is disabled: \(error)")
    }

    private func add(_ words: String) {
        state.withLock { state in
            if !state.troubles.contains(words), state.troubles.count < 10 { state.troubles.append(words) }
        }
    }
}

extension FetchError {
    package static func offline(url: String) -> FetchError {
        FetchError(.offline, url: url, detail: "fetch it once while online")
    }

    /// Whether a stale response is permitted: the server or the network is at fault, not the request.
    fileprivate var isExcusable: Bool {
        ![
            .cancelled, .invalidURL, .invalidRequest, .unsupportedScheme, .addressRefused, .bodyTooLarge,
            .headerTooLarge,
        ].contains(code)
    }
}
