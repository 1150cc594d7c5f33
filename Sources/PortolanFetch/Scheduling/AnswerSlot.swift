import Synchronization

/// The place for the answer to a request.
typealias ReplySlot = AnswerSlot<Result<HTTPResponse, FetchError>>

/// A place for one answer and the one task that waits for it.
///
/// The first answer counts; it may come before or after the task begins to wait, so a cancellation that overtakes the
/// wait is not lost.
final class AnswerSlot<Value: Sendable>: Sendable {
    typealias Reply = Value

    private enum State {
        case open
        case awaited(CheckedContinuation<Reply, Never>)
        case answered(Reply)
        case taken
    }

    private let state = Mutex(State.open)

    /// Waits for the answer.
    ///
    /// To be called once.
    func reply() async -> Reply {
        await withCheckedContinuation { continuation in
            let early: Reply? = state.withLock { state in
                switch state {
                case .open:
                    state = .awaited(continuation)
                    return nil
                case .answered(let reply):
                    state = .taken
                    return reply
                case .awaited, .taken:
                    preconditionFailure("a reply slot has one reader")
                }
            }
            if let early { continuation.resume(returning: early) }
        }
    }

    /// Gives the answer, unless there is one already.
    func answer(_ reply: Reply) {
        let waiting: CheckedContinuation<Reply, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .answered(reply)
                return nil
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .answered, .taken:
                return nil
            }
        }
        waiting?.resume(returning: reply)
    }
}
