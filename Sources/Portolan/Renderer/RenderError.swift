/// Why there is no picture.
public struct RenderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String { case nothingDrawn, incomplete, cancelled, noFont }
        private let kind: Kind

        /// Every resource of the view failed, so that there is nothing to paint.
        public static let nothingDrawn = Code(kind: .nothingDrawn)
        /// More is missing than the caller allows.
        public static let incomplete = Code(kind: .incomplete)
        /// The task was cancelled.
        public static let cancelled = Code(kind: .cancelled)
        /// Text is to be drawn and no font is to be had.
        public static let noFont = Code(kind: .noFont)

        /// The name of the kind.
        public var description: String { kind.rawValue }
    }

    /// The kind of failure.
    public let code: Code

    /// What is wrong, for a person.
    public let detail: String

    /// What is known about the attempt, or `nil` when nothing is.
    public let report: RenderReport?

    init(_ code: Code, _ detail: String, report: RenderReport? = nil) {
        self.code = code
        self.detail = detail
        self.report = report
    }

    /// What is wrong, in one line.
    public var description: String { detail }
}
