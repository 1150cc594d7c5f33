#if os(Linux)
extension FaultServer.Step {
    /// A whole response with a length.
    static func response(
        _ status: String = "200 OK", headers: [String] = [], body: [UInt8] = []
    ) -> FaultServer.Step {
        let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)"]
        return .send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    static func response(_ status: String = "200 OK", headers: [String] = [], text: String) -> FaultServer.Step {
        response(status, headers: headers, body: Array(text.utf8))
    }
}
#endif
