import Synchronization

/// The place for the answer to a request.
typealias ReplySlot = AnswerSlot<Result<HTTPResponse, FetchError>>

/// A place for one answer and the one task that waits for it.
///
/// The first answer counts; it may come before or after the task begins to wait, so a cancellation that overtakes the
/// wait is not lost.
final class AnswerSlot<Value: Sendable>: Sendable {
    typealias Reply = Value

    /// An answer, and how often was asked for it.
    typealias Answer = (reply: Reply, attemptCount: Int)

    private enum State {
        case open
        case awaited(CheckedContinuation<Answer, Never>)
        case answered(Answer)
        case taken
    }

    private let state = Mutex(State.open)

    /// Waits for the answer.
    ///
    /// To be called once, as this or ``answer()``.
    func reply() async -> Reply { await answer().reply }

    /// Waits for the answer.
    func answer() async -> Answer {
        await withCheckedContinuation { continuation in
            let early: Answer? = state.withLock { state in
                switch state {
                case .open:
                    state = .awaited(continuation)
                    return nil
                case .answered(let answer):
                    state = .taken
                    return answer
                case .awaited, .taken:
                    preconditionFailure("a reply slot has one reader")
                }
            }
            if let early { continuation.resume(returning: early) }
        }
    }

    /// Gives the answer, unless there is one already.
    func answer(_ reply: Reply, attemptCount: Int = 0) {
        let answer = (reply: reply, attemptCount: attemptCount)
        let waiting: CheckedContinuation<Answer, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .answered(answer)
                return nil
            case .awaited(let continuation):
                state = .taken
                return continuation
            case .answered, .taken:
                return nil
            }
        }
        waiting?.resume(returning: answer)
    }
}
