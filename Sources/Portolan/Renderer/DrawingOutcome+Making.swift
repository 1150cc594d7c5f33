import PortolanFetch

extension DrawingOutcome {
    /// What is told of a drawing to who watches it.
    init(_ result: Result<RenderResult, RenderError>, layerCount: Int, duration: Duration) {
        let report: RenderReport?, error: String?
        switch result {
        case .success(let result): (report, error) = (result.report, nil)
        case .failure(let failure): (report, error) = (failure.report, "\(failure.code): \(failure)")
        }
        let times = report?.milliseconds ?? .init()
        self.init(
            layerCount: layerCount, requestedCount: report?.requestedCount ?? 0, failedCount: report?.failedCount ?? 0,
            error: error, duration: duration, planning: .seconds(times.plan / 1000),
            fetching: .seconds(times.fetch / 1000), decoding: .seconds(times.decode / 1000),
            painting: .seconds(times.paint / 1000))
    }
}
