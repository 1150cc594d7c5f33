import PortolanFetch
import PortolanServices
import PortolanWeb

extension ServiceClient {
    /// What comes of asking a service; where it answers and is not of the kind wanted, the error names what it is.
    ///
    /// An address that says no to the question for one kind of service may be one of another: it is asked as it is, and as
    /// those are, but only when something is wrong already.
    package func naming<Value: Sendable>(
        _ url: String, wanted: AnswerKind, _ work: () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        do { return try await work() } catch {
            guard error.answersAs?.isDefinite != true, error.mayBeOfOtherKind else { throw error }
            // A file that is not there is no service; that and a document of TMS have been asked for as they stand.
            if wanted == .geoJSON, error.detail.hasPrefix("HTTP status 404") { throw error }
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
                throw ServiceError(error.code, url: url, detail: "this address \(kind.words)", answersAs: kind)
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
    init(_ error: CapabilitiesError, in response: HTTPResponse, url: String) {
        guard case .otherDocument = error else {
            var isRefusal = false
            if case .exception = error { isRefusal = true }
            self.init(.unreadable, url: url, detail: error.description, isRefusal: isRefusal)
            return
        }
        guard response.isSuccessful else {
            self.init(.unavailable, url: url, detail: "\(HTTPStatus.words(response.status)): \(error)")
            return
        }
        let kind = AnswerKind(recognizing: response.body)
        var detail = error.description
        if let kind {
            detail = "this address \(kind.words)" + (kind == .page ? ", not as a service: \(error.text)" : "")
        }
        self.init(.unreadable, url: url, detail: detail, answersAs: kind)
    }

    /// Whether the server answered at all, if with something else than was asked for.
    package var isAnswer: Bool { code == .unreadable || (code == .unavailable && detail.hasPrefix("HTTP status ")) }

    /// Whether the server has understood that it was asked, and may have an answer to another question.
    fileprivate var mayBeOfOtherKind: Bool {
        code == .unreadable || ["400", "404", "405"].contains { detail.hasPrefix("HTTP status \($0)") }
    }
}

extension CapabilitiesError {
    /// What stands in a document that is some other one.
    fileprivate var text: String {
        if case .otherDocument(let text) = self { text } else { description }
    }
}
