/// A transport that can answer by a call on its own thread: each transfer then costs no task and no switch between them.
package protocol CallbackTransport: HTTPTransport {
    /// What an answer is given to.
    typealias Answer = @Sendable (Result<HTTPResponse, FetchError>) -> Void

    /// Begins a transfer.
    ///
    /// - Parameter answer: called once and after this has returned, on a thread of the transport's; it must not block.
    /// - Returns: what ends the transfer, which is then answered with ``FetchError/Code/cancelled`` unless it has been.
    func begin(_ request: HTTPRequest, answer: @escaping Answer) -> @Sendable () -> Void
}
