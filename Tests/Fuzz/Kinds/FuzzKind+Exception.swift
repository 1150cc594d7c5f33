import PortolanServices

extension FuzzKind {
    /// Responses of services that replace a picture.
    static let exception = FuzzKind(
        name: "exception", grammar: .xml,
        corpus: [
            "Tests/PortolanServicesTests/Fixtures/mapproxy/*.xml",
            "Tests/PortolanServicesTests/Fixtures/mapproxy/*.txt",
            "Tests/PortolanServicesTests/Fixtures/mapserver/err-*",
            "Tests/PortolanServicesTests/Fixtures/mapserver/*.html",
            "Tests/Fuzz/Corpus/exception/*",
        ], read: readException)

    private static func readException(_ bytes: [UInt8]) throws -> Outcome {
        guard let exception = ServiceExceptionReader.read(bytes, contentType: "text/xml") else {
            return .value("image")
        }
        guard !exception.entries.isEmpty else { throw Violation("an exception without entries") }
        _ = try refused(exception.description)
        return .value(
            "\(exception.shape) \(magnitude(exception.entries.count)) \(exception.code == nil) "
                + "\(magnitude(exception.text.utf8.count) / 3)")
    }
}
