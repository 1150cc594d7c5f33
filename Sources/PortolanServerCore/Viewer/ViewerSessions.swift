package import Portolan
import PortolanFetch
import Synchronization

/// The open viewers by an unguessable name.
///
/// Once a second it checks all of them: a viewer whose page is silent stops drawing, and is closed after a while.
package final class ViewerSessions: Sendable {
    private struct State {
        var sessions: [String: ViewerSession] = [:]
        var isClosed = false
        /// The task that checks the viewers while there are any.
        var beating: Task<Void, Never>?
    }

    private let budget: ViewerBudget
    private let share: ViewerShare
    private let clock: FrameClock
    private let state = Mutex(State())

    /// Creates an empty list and starts the drawing threads.
    package init(_ budget: ViewerBudget, clock: FrameClock = .system) {
        self.budget = budget
        self.clock = clock
        share = ViewerShare(budget)
    }

    deinit {
        let state = state.withLock(\.self)
        state.beating?.cancel()
        for session in state.sessions.values { Task { await session.close() } }
    }

    /// The number of open viewers.
    package var count: Int { state.withLock(\.sessions.count) }

    /// The memory of all viewers in bytes.
    package var byteCount: Int { share.memory.byteCount }

    /// Opens a viewer.
    ///
    /// If there is no room, the viewer with the longest silence is closed.
    ///
    /// - Returns: its name.
    /// - Throws: ``Problem`` if there are too many, or the server is shutting down.
    func open(
        _ map: PublishedMap, _ opening: ViewerSession.Opening, maker: PictureMaker, limits: ServingLimits,
        offer: ViewerOffer
    ) async throws(Problem) -> (name: String, session: ViewerSession) {
        while true {
            do throws(Problem) { return try await openNow(map, opening, maker, limits, offer) } catch {
                guard error.kind == .overloaded, await closeMostSilent() else { throw error }
            }
        }
    }

    private func openNow(
        _ map: PublishedMap, _ opening: ViewerSession.Opening, _ maker: PictureMaker, _ limits: ServingLimits,
        _ offer: ViewerOffer
    ) async throws(Problem) -> (name: String, session: ViewerSession) {
        let attention = ViewerAttention(rest: budget.rest, patience: budget.patience, at: clock.now())
        let session = try ViewerSession(
            map, opening, maker: maker, limits: limits, offer: offer, share: share, attention: attention, clock: clock)
        let name = Self.name()
        let isRoom = state.withLock { state in
            guard state.sessions.count < budget.count, !state.isClosed else { return false }
            state.sessions[name] = session
            if state.beating == nil { state.beating = beating() }
            return true
        }
        guard isRoom else {
            throw Problem(.overloaded, "limit of \(budget.count) open viewers reached", retryAfter: 30)
        }
        await session.start()
        return (name, session)
    }

    /// Returns the viewer with a name.
    ///
    /// - Throws: ``Problem`` if it does not exist any more.
    func session(_ name: String) throws(Problem) -> ViewerSession {
        guard let session = state.withLock({ $0.sessions[name] }) else {
            throw Problem(.notFound, "the viewer no longer exists", key: "session")
        }
        return session
    }

    /// Returns whether a viewer is open.
    func isOpen(_ name: String) -> Bool { state.withLock { $0.sessions[name] != nil } }

    /// Closes a viewer.
    func close(_ name: String) async { await state.withLock { $0.sessions.removeValue(forKey: name) }?.close() }

    /// Closes all viewers for good and ends their waiting requests.
    func closeAll() {
        let open = state.withLock { state in
            defer { (state.sessions, state.isClosed) = ([:], true) }
            return Array(state.sessions.values)
        }
        for session in open { Task { await session.close() } }
    }

    /// Pauses viewers whose pages are silent, and closes abandoned ones.
    ///
    /// - Returns: whether any viewer is open.
    @discardableResult
    package func look() async -> Bool {
        let now = clock.now()
        for (name, session) in state.withLock(\.sessions) {
            switch session.level(at: now) {
            case .looking: break
            case .away: await session.rest()
            case .gone: await close(name)
            }
        }
        return state.withLock { state in
            if state.sessions.isEmpty { state.beating = nil }
            return !state.sessions.isEmpty
        }
    }

    private func beating() -> Task<Void, Never> {
        Task { [weak self, clock] in
            repeat { await clock.sleep(.seconds(1)) } while await self?.look() == true && !Task.isCancelled
        }
    }

    /// Closes the inactive viewer with the longest silence.
    ///
    /// - Returns: whether there was one.
    private func closeMostSilent() async -> Bool {
        let now = clock.now()
        let silent = state.withLock(\.sessions).filter { $0.value.level(at: now) != .looking }
        guard let longest = silent.max(by: { $0.value.silence(at: now) < $1.value.silence(at: now) }) else {
            return false
        }
        await close(longest.key)
        return true
    }

    /// Returns a random name of 128 bits.
    private static func name() -> String {
        var generator = SystemRandomNumberGenerator()
        return EntityTag.hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}
