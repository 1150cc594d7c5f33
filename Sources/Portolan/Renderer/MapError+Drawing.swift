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

    /// The report of the drawing that failed: the resources requested, received and missing; `nil` for failures outside of drawing.
    public var report: RenderReport? { (inner as? DrawingError)?.report }
}
