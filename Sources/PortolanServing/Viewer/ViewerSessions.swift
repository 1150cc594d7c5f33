import PortolanFetch
import Synchronization

/// The viewers that are open, by a name that nobody guesses; those of whose pages nothing is heard are closed.
package final class ViewerSessions: Sendable {
    /// How many there may be; each holds some pictures of its size.
    private let limit: Int
    /// How long a page may be silent: it asks for pictures all the time.
    private let patience: Duration
    private let state = Mutex<(sessions: [String: ViewerSession], isClosed: Bool)>(([:], false))

    /// Makes an empty list.
    package init(limit: Int = 64, patience: Duration = .seconds(60)) {
        self.limit = limit
        self.patience = patience
    }

    /// How many viewers are open.
    var count: Int { state.withLock(\.sessions.count) }

    /// Opens a viewer.
    ///
    /// - Returns: its name.
    /// - Throws: ``Problem`` when there are too many, or the server ends.
    func open(
        _ map: PublishedMap, _ opening: ViewerSession.Opening, maker: PictureMaker, limits: ServingLimits,
        offer: ViewerOffer
    ) async throws(Problem) -> (name: String, session: ViewerSession) {
        await closeSilent()
        let session = try ViewerSession(map, opening, maker: maker, limits: limits, offer: offer)
        let name = Self.name()
        let isRoom = state.withLock { state in
            guard state.sessions.count < limit, !state.isClosed else { return false }
            state.sessions[name] = session
            return true
        }
        guard isRoom else { throw Problem(.overloaded, "there are \(limit) viewers open already", retryAfter: 30) }
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
            defer { state = ([:], true) }
            return Array(state.sessions.values)
        }
        for session in open { Task { await session.close() } }
    }

    private func closeSilent() async {
        for (name, session) in state.withLock(\.sessions) where await session.silence > patience { await close(name) }
    }

    /// 128 bits at random.
    private static func name() -> String {
        var generator = SystemRandomNumberGenerator()
        return EntityTag.hexadecimal((0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}
