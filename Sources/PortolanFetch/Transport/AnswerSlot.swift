import Synchronization

/// The place for the answer to a request.
typealias ReplySlot = AnswerSlot<Result<HTTPResponse, FetchError>>

/// A place for one answer and the one task that waits for it.
///
/// The first answer counts; it may come before or after the task begins to wait, so a cancellation that overtakes the
/// wait is not lost.
final class AnswerSlot<Value: Sendable>: Sendable {
    typealias Reply = Value

    /// An answer, how often was asked for it, and whether another asked first.
    struct Answer: Sendable {
        var reply: Reply
        var attemptCount = 0
        var isShared = false
    }

    private enum State {
        case open
        case awaited(CheckedContinuation<Void, Never>)
        case answered(Answer)
        case taken
    }

    private let state = Mutex(State.open)

    /// Waits for the answer.
    ///
    /// To be called once, as this or as ``wait()`` and ``take()``.
    func reply() async -> Reply {
        await wait()
        return take().reply
    }

    /// Waits until there is an answer to be taken.
    ///
    /// The answer itself is not returned: what a task returns takes room in it while it waits.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isAnswered = state.withLock { state in
                switch state {
                case .open:
                    state = .awaited(continuation)
                    return false
                case .answered:
                    return true
                case .awaited, .taken:
                    preconditionFailure("a reply slot has one reader")
                }
            }
            if isAnswered { continuation.resume() }
        }
    }

    /// Takes the answer that was waited for.
    func take() -> Answer {
        state.withLock { state in
            guard case .answered(let answer) = state else { preconditionFailure("an answer is taken once it is there") }
            state = .taken
            return answer
        }
    }

    /// Gives the answer, unless there is one already.
    func answer(_ reply: Reply) { answer(Answer(reply: reply)) }

    /// Gives the answer, unless there is one already.
    func answer(_ answer: Answer) {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .answered(answer)
                return nil
            case .awaited(let continuation):
                state = .answered(answer)
                return continuation
            case .answered, .taken:
                return nil
            }
        }
        waiting?.resume()
    }
}
