import PortolanFetch
import Synchronization

/// Records events in short form, and adds a header field that distinguishes requests.
final class RecordingObserver: MapObserver {
    private struct State {
        var words: [String] = []
        var outcomes: [MapObservation.RequestOutcome] = []
        var count = 0
    }

    private let state = Mutex(State())

    var words: [String] { state.withLock { $0.words } }
    var outcomes: [MapObservation.RequestOutcome] { state.withLock { $0.outcomes } }

    func note(_ event: MapObservation) {
        state.withLock { state in
            switch event {
            case .requestBegan(let request): state.words.append("began \(request.url)")
            case .requestEnded(let request, let outcome):
                state.words.append("ended \(request.host):\(request.port ?? 0) \(outcome.label)")
                state.outcomes.append(outcome)
            case .cacheAnswered(let request, let origin): state.words.append("\(origin) \(request.host)")
            case .hostLost(let host, let reason): state.words.append("lost \(host): \(reason)")
            case .hostRestored(let host): state.words.append("restored \(host)")
            case .storeFailed(let error): state.words.append("store \(error.code)")
            case .drawingEnded(let outcome): state.words.append("drawn \(outcome.requestedCount)")
            }
        }
    }

    func request<Value: Sendable>(
        _ request: MapObservation.Request, work: ([HTTPHeader]) async -> (Value, MapObservation.RequestOutcome)
    ) async -> Value {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        let fields = [
            HTTPHeader(name: "Traceparent", value: "\(number)"), HTTPHeader(name: "Broken", value: "a\r\nHost: evil"),
        ]
        return await work(fields).0
    }
}
