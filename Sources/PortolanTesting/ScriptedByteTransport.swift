public import PortolanFetch
import Synchronization

/// A byte transport that plays scripts, for tests of broker clients.
///
/// Each connection attempt uses the next script; without one, it is refused. After its last step a connection stays
/// open, and ``push(_:on:)`` sends more data.
public final class ScriptedByteTransport: ByteTransport {
    /// A step of the peer.
    public enum Step: Sendable {
        /// Waits for these bytes; other bytes end the connection, and are listed in
        /// ``ScriptedByteTransport/surprises``.
        case expect([UInt8])
        /// Sends these bytes in one chunk.
        case say([UInt8])
        /// Closes the connection.
        case end
        /// Fails the connection.
        case fail(FetchError)
    }

    fileprivate struct Played {
        var steps: ArraySlice<Step>
        /// All bytes sent by the client, and those not consumed by a step yet.
        var sent: [UInt8] = [], open: [UInt8] = []
        var chunks: [[UInt8]] = []
        var end: Result<Void, FetchError>?
        var isClosed = false
        var reader: CheckedContinuation<Void, Never>?
        var surprise: [UInt8]?

        /// Plays the steps that do not need the client, and returns the waiting reader to resume.
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

    /// Creates a transport with a script for each connection.
    public init(_ scripts: [[Step]]) { state = Mutex(State(scripts: scripts[...])) }

    /// The bytes that the client has sent over each connection so far.
    public var sent: [[UInt8]] { state.withLock { $0.played.map(\.sent) } }

    /// Whether the client has closed each connection.
    public var closed: [Bool] { state.withLock { $0.played.map(\.isClosed) } }

    /// The unexpected bytes that the client has sent.
    public var surprises: [[UInt8]] { state.withLock { $0.played.compactMap(\.surprise) } }

    /// Makes the peer of a connection send more bytes.
    public func push(_ bytes: [UInt8], on connection: Int) { add(.say(bytes), on: connection) }

    /// Adds a step to an open connection.
    public func add(_ step: Step, on connection: Int) {
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.played.indices.contains(connection) else { return nil }
            state.played[connection].steps.append(step)
            return state.played[connection].play()
        }
        reader?.resume()
    }

    /// Opens the connection of the next script.
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
                // Bytes sent to a closed peer are lost, which is not reported immediately.
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
