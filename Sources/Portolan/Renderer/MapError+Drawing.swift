/// The report of a failed render.
private struct DrawingError: Error {
    let report: RenderReport
}

extension MapError {
    /// Creates the error of a render.
    init(_ code: Code, _ reason: String, report: RenderReport) {
        self.init(code, reason)
        inner = DrawingError(report: report)
    }

    /// The report of the failed render: the resources requested, received and missing; `nil` for other failures.
    public var report: RenderReport? { (inner as? DrawingError)?.report }
}
