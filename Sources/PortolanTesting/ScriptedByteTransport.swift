public import PortolanFetch
import Synchronization

/// Connections that are played from a script, for tests of what speaks to brokers.
///
/// Each attempt to connect takes the next script; where there is none left, nobody answers. After its last step a
/// connection stays open, and ``push(_:on:)`` has it say more.
public final class ScriptedByteTransport: ByteTransport {
    /// A step of what the other side does.
    public enum Step: Sendable {
        /// It waits for these bytes; others end the connection, and stand in ``ScriptedByteTransport/surprises``.
        case expect([UInt8])
        /// It says these bytes, in one chunk.
        case say([UInt8])
        /// It closes the connection.
        case end
        /// The connection fails.
        case fail(FetchError)
    }

    fileprivate struct Played {
        var steps: ArraySlice<Step>
        /// Sent by the client, all of it and what no step has taken yet.
        var sent: [UInt8] = [], open: [UInt8] = []
        var chunks: [[UInt8]] = []
        var end: Result<Void, FetchError>?
        var isClosed = false
        var reader: CheckedContinuation<Void, Never>?
        var surprise: [UInt8]?

        /// Plays as far as it goes without the client; who waits is to be resumed.
        mutating func play() -> CheckedContinuation<Void, Never>? {
            while end == nil, let step = steps.first {
                switch step {
                case .expect(let bytes):
                    let common = min(bytes.count, open.count)
                    if open.prefix(common) != bytes.prefix(common) {
                        surprise = open
                        end = .success(())
                    }
                    guard common == bytes.count, end == nil else { return take() }
                    open.removeFirst(bytes.count)
                case .say(let bytes): chunks.append(bytes)
                case .end: end = .success(())
                case .fail(let error): end = .failure(error)
                }
                steps.removeFirst()
            }
            return take()
        }

        private mutating func take() -> CheckedContinuation<Void, Never>? {
            guard !chunks.isEmpty || end != nil || isClosed else { return nil }
            defer { reader = nil }
            return reader
        }
    }

    fileprivate struct State {
        var scripts: ArraySlice<[Step]>
        var played: [Played] = []
    }

    fileprivate let state: Mutex<State>

    /// Makes a transport of a script for each connection.
    public init(_ scripts: [[Step]]) { state = Mutex(State(scripts: scripts[...])) }

    /// What the client has sent over each connection so far.
    public var sent: [[UInt8]] { state.withLock { $0.played.map(\.sent) } }

    /// Whether the client has closed each connection.
    public var closed: [Bool] { state.withLock { $0.played.map(\.isClosed) } }

    /// What the client sent and no script expected.
    public var surprises: [[UInt8]] { state.withLock { $0.played.compactMap(\.surprise) } }

    /// Has the other side of a connection say more.
    public func push(_ bytes: [UInt8], on connection: Int) { add(.say(bytes), on: connection) }

    /// Adds a step to a connection that has begun.
    public func add(_ step: Step, on connection: Int) {
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.played.indices.contains(connection) else { return nil }
            state.played[connection].steps.append(step)
            return state.played[connection].play()
        }
        reader?.resume()
    }

    /// The connection of the next script.
    public func connect(to endpoint: ByteEndpoint) async throws(FetchError) -> any ByteConnection {
        let index = state.withLock { state -> Int? in
            guard let steps = state.scripts.popFirst() else { return nil }
            var played = Played(steps: steps[...])
            _ = played.play()
            state.played.append(played)
            return state.played.count - 1
        }
        guard let index else {
            throw FetchError(.cannotConnect, url: endpoint.shown, detail: "no script left")
        }
        return Connection(transport: self, index: index, url: endpoint.shown)
    }

    private struct Connection: ByteConnection {
        let transport: ScriptedByteTransport
        let index: Int
        let url: String

        func send(_ bytes: [UInt8]) async throws(FetchError) {
            let (reader, isOpen) = transport.state.withLock { state in
                // What is sent to a side that has hung up is lost, and that is not known at once.
                let hasFailed = if case .failure? = state.played[index].end { true } else { false }
                let isOpen = !hasFailed && !state.played[index].isClosed
                guard isOpen else { return (nil as CheckedContinuation<Void, Never>?, false) }
                state.played[index].sent += bytes
                state.played[index].open += bytes
                return (state.played[index].play(), true)
            }
            reader?.resume()
            if !isOpen { throw FetchError(.connectionLost, url: url, detail: "end of the script") }
        }

        func receive() async throws(FetchError) -> [UInt8]? {
            while true {
                if Task.isCancelled { throw .cancelled(url: url) }
                let next: Result<[UInt8]?, FetchError>? = transport.state.withLock { state in
                    if !state.played[index].chunks.isEmpty { return .success(state.played[index].chunks.removeFirst()) }
                    if state.played[index].isClosed { return .success(nil) }
                    return state.played[index].end?.map { nil }
                }
                if let next { return try next.get() }
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        let isReady = transport.state.withLock { state in
                            let played = state.played[index]
                            if !played.chunks.isEmpty || played.end != nil || played.isClosed || Task.isCancelled {
                                return true
                            }
                            state.played[index].reader = continuation
                            return false
                        }
                        if isReady { continuation.resume() }
                    }
                } onCancel: {
                    wakeReader()
                }
            }
        }

        private func wakeReader() {
            let reader = transport.state.withLock { state in
                defer { state.played[index].reader = nil }
                return state.played[index].reader
            }
            reader?.resume()
        }

        func close() {
            transport.state.withLock { $0.played[index].isClosed = true }
            wakeReader()
        }
    }
}
