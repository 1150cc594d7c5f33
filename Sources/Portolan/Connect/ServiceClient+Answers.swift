import PortolanFetch
import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// The result of asking a service; where it answers and is not of the kind wanted, the error names what it is.
    ///
    /// An address that says no to the question for one kind of service may be one of another: it is asked as it is, and as
    /// those are, but only when something is wrong already.
    package func naming<Value: Sendable>(
        _ url: String, wanted: AnswerKind, _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do { return try await work() } catch {
            guard error.answersAs?.isDefinite != true, error.mayBeOfOtherKind else { throw error }
            // A file that is not there is no service; that and a document of TMS have been asked for as they stand.
            if wanted == .geoJSON, error.status == 404 { throw error }
            var addresses = wanted == .tms || wanted == .geoJSON ? [] : [url]
            if wanted != .wms { addresses.append(GetCapabilitiesRequest(version: nil, baseURL: url).url) }
            if wanted != .wmts { addresses += WMTSDocumentAddress.candidates(for: url).prefix(1) }
            for address in addresses {
                let answer = try await Self.unlessFailing { () throws(ServiceError) in
                    try await document(at: address)
                }
                guard let answer, answer.isSuccessful, let kind = AnswerKind(recognizing: answer.body), kind != wanted,
                    kind.isDefinite
                else { continue }
                throw ServiceError(.otherKind(kind, text: ""), url: url, code: error.code)
            }
            throw error
        }
    }
}

extension AnswerKind {
    /// Whether it tells what the address is for; any server may have a page, or some JSON.
    fileprivate var isDefinite: Bool { ![.page, .json, .image].contains(self) }
}

extension ServiceError {
    /// Why an answer is not the document asked for; a body that says nothing useful is less to go by than its status.
    package init(_ error: CapabilitiesError, in response: HTTPResponse, url: String) {
        let cause: Cause =
            switch error {
            case .exception(let exception): .exception(exception, status: response.status)
            case .otherDocument(let text):
                if response.isSuccessful, let kind = AnswerKind(recognizing: response.body) {
                    .otherKind(kind, text: kind == .page ? text : "")
                } else {
                    .document(error, status: response.status)
                }
            case .malformed: .document(error, status: response.status)
            }
        self.init(cause, url: url)
    }
}
