package import Portolan
import PortolanFetch
import Synchronization

/// The viewers that are open, by a name that nobody guesses.
///
/// Once a second it looks at all of them: a viewer whose page is silent rests, and is closed after a while.
package final class ViewerSessions: Sendable {
    private struct State {
        var sessions: [String: ViewerSession] = [:]
        var isClosed = false
        /// Looks at the viewers while there are any.
        var beating: Task<Void, Never>?
    }

    private let budget: ViewerBudget
    private let share: ViewerShare
    private let clock: FrameClock
    private let state = Mutex(State())

    /// Makes an empty list; it starts the threads that draw.
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

    /// How many viewers are open.
    package var count: Int { state.withLock(\.sessions.count) }

    /// The bytes that viewers take.
    package var byteCount: Int { share.memory.byteCount }

    /// Opens a viewer; where there is no room, the one is closed whose page has been silent longest.
    ///
    /// - Returns: its name.
    /// - Throws: ``Problem`` when there are too many, or the server ends.
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
            throw Problem(.overloaded, "there are \(budget.count) viewers open already", retryAfter: 30)
        }
        await session.start()
        return (name, session)
    }

    /// The viewer of a name.
    ///
    /// - Throws: ``Problem`` where there is none any more.
    func session(_ name: String) throws(Problem) -> ViewerSession {
        guard let session = state.withLock({ $0.sessions[name] }) else {
            throw Problem(.notFound, "there is no such viewer any more", key: "session")
        }
        return session
    }

    /// Closes a viewer.
    func close(_ name: String) async { await state.withLock { $0.sessions.removeValue(forKey: name) }?.close() }

    /// Closes all viewers for good, so that nobody waits for a picture.
    func closeAll() {
        let open = state.withLock { state in
            defer { (state.sessions, state.isClosed) = ([:], true) }
            return Array(state.sessions.values)
        }
        for session in open { Task { await session.close() } }
    }

    /// Lets viewers rest whose pages are silent, and closes those that will not be looked at any more.
    ///
    /// - Returns: whether any is open.
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

    /// Makes room for a page that is there.
    ///
    /// - Returns: whether there was a viewer at which nobody looks.
    private func closeMostSilent() async -> Bool {
        let now = clock.now()
        let silent = state.withLock(\.sessions).filter { $0.value.level(at: now) != .looking }
        guard let longest = silent.max(by: { $0.value.silence(at: now) < $1.value.silence(at: now) }) else {
            return false
        }
        await close(longest.key)
        return true
    }

    /// 128 bits at random.
    private static func name() -> String {
        var generator = SystemRandomNumberGenerator()
        return EntityTag.hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}
