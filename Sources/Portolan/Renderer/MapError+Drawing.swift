/// The report of a picture that was not drawn.
private struct DrawingError: Error {
    let report: RenderReport
}

extension MapError {
    /// Makes an error of a drawing.
    init(_ code: Code, _ reason: String, report: RenderReport) {
        self.init(code, reason)
        inner = DrawingError(report: report)
    }

    /// The report of the drawing that failed: what was asked for, what came and what is missing; `nil` if nothing was drawn.
    public var report: RenderReport? { (inner as? DrawingError)?.report }
}
