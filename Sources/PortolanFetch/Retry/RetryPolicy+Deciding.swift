import PortolanWeb

extension RetryPolicy {
    private static let passingStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

    /// Whether the same request can have another outcome in a while.
    package static func canPass(_ reply: Result<HTTPResponse, FetchError>) -> Bool {
        switch reply {
        case .failure(let error): error.isConnectionFailure
        case .success(let response): passingStatuses.contains(response.status) && !isAnswer(response)
        }
    }

    /// Whether a response with status 500 is what the service has to say about the request, not a fault of the server.
    ///
    /// Some services send their exceptions so; asking again brings the same.
    private static func isAnswer(_ response: HTTPResponse) -> Bool {
        guard response.status == 500 else { return false }
        if response.header("Content-Type")?.lowercased().hasPrefix("application/vnd.ogc.se") == true { return true }
        let start = response.body.prefix(2048)
        guard ContentKind(recognizing: Array(start)) == .markup else { return false }
        return ["ServiceException", "ExceptionReport"].contains { start.firstRange(of: Array($0.utf8)) != nil }
    }
}

extension FetchError {
    /// Whether the host is out of reach, or was and is left alone.
    package var isConnectionLoss: Bool { isConnectionFailure || code == .hostUnavailable }

    /// Whether no answer came: refused, lost, out of time, or no such name.
    package var isConnectionFailure: Bool {
        [.cannotConnect, .cannotResolveHost, .connectionLost, .timedOut].contains(code)
    }
}
