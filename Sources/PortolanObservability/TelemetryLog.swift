#if Observability
import Logging
import PortolanFetch

/// Writes events to a logger, with variable parts as metadata.
struct TelemetryLog: Sendable {
    let logger: Logger

    func note(_ event: MapObservation) {
        switch event {
        case .requestBegan(let request):
            logger.trace("request started", metadata: ["url": "\(request.url)"])
        case .requestEnded(let request, let outcome): note(request, outcome)
        case .cacheAnswered(let request, let origin):
            logger.trace("cache hit", metadata: ["url": "\(request.url)", "origin": "\(origin.rawValue)"])
        case .hostLost(let host, let reason):
            logger.error("host unreachable", metadata: ["host": "\(host)", "reason": "\(reason)"])
        case .hostRestored(let host):
            logger.notice("host reachable again", metadata: ["host": "\(host)"])
        case .storeFailed(let error):
            logger.warning("cache disabled", metadata: ["error": "\(error)"])
        case .drawingEnded(let outcome): note(outcome)
        }
    }

    private func note(_ request: MapObservation.Request, _ outcome: MapObservation.RequestOutcome) {
        // A cancelled request is not a failure, and its reader interprets a status.
        let isFailure = outcome.error.map { $0.code != .cancelled } ?? false
        logger.log(
            level: isFailure ? .warning : .debug, isFailure ? "request failed" : "request ended",
            metadata: [
                "url": "\(request.url)", "outcome": "\(outcome.label)", "bytes": "\(outcome.byteCount)",
                "attempts": "\(outcome.attemptCount)", "shared": "\(outcome.isShared)",
                "seconds": "\(outcome.duration.seconds)",
                "error": "\(outcome.error?.detail ?? "")",
            ].filter { $0.value != .string("") })
    }

    private func note(_ outcome: MapObservation.DrawingOutcome) {
        let isWhole = outcome.error == nil && outcome.failedCount == 0
        logger.log(
            level: isWhole ? .info : .warning, outcome.error == nil ? "map drawn" : "map not drawn",
            metadata: [
                "layers": "\(outcome.layerCount)", "images": "\(outcome.requestedCount)",
                "missing": "\(outcome.failedCount)", "seconds": "\(outcome.duration.seconds)",
                "error": "\(outcome.error ?? "")",
            ].filter { $0.value != .string("") })
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
#endif
