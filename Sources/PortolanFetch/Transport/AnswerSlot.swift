import Synchronization

/// A slot for the response to a request.
typealias ReplySlot = AnswerSlot<Result<HTTPResponse, FetchError>>

/// A slot for one answer and the task that waits for it.
///
/// The first answer is used. It may be given before or after the task begins to wait, so a cancellation that precedes
/// the wait is not lost.
final class AnswerSlot<Value: Sendable>: Sendable {
    typealias Reply = Value

    /// An answer with its number of attempts, and whether the request was coalesced.
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
    /// Must be called once, either this or ``wait()`` and ``take()``.
    func reply() async -> Reply {
        await wait()
        return take().reply
    }

    /// Waits until an answer is available.
    ///
    /// The answer is not returned, because the return value of a task occupies memory while it waits.
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

    /// Takes the available answer.
    func take() -> Answer {
        state.withLock { state in
            guard case .answered(let answer) = state else { preconditionFailure("an answer is taken once it is there") }
            state = .taken
            return answer
        }
    }

    /// Gives the answer, unless there already is one.
    func answer(_ reply: Reply) { answer(Answer(reply: reply)) }

    /// Gives the answer, unless there already is one.
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
