import PortolanWeb

/// A reason why a document cannot be read or written.
///
/// The public API throws it as ``MapError``.
package struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause, with details.
    package enum Cause: Hashable, Sendable {
        /// The file does not exist.
        case missing
        /// The path is a folder.
        case folder
        /// The file is not readable.
        case unreadable
        /// The file cannot be written.
        case notWritable
        /// The document exceeds the size limit in bytes.
        case tooLarge(limit: Int)
        /// The content is not a JSON object, for the given reason, at the given line.
        case json(String, line: Int?)
        /// The content is GeoJSON, not a map document.
        case features
        /// The content is invalid, for the given reason.
        case content(String)
        /// The requested view is invalid.
        case view(ViewRequestError)
        /// A layer, counted from one, is invalid.
        case layer(Int, MapError)
    }

    /// The path or URL of the document.
    package let place: String
    /// The cause.
    package let cause: Cause

    package init(_ cause: Cause, in place: String) {
        self.place = place
        self.cause = cause
    }

    /// The path or URL and the cause, in one line.
    package var description: String { sentence.inOneLine(limit: 1000) }

    private var sentence: String {
        switch cause {
        case .missing: "\(place): no such map document"
        case .folder: "\(place): this is a folder, not a map document"
        case .unreadable: "\(place): no permission to read the map document"
        case .notWritable: "\(place): cannot write the document"
        case .tooLarge(let limit): "\(place): a map document must not exceed \(limit >> 20) MiB"
        case .json(let words, let line?): "\(place): line \(line): \(words)"
        case .json(let words, nil), .content(let words): "\(place): \(words)"
        case .features: "\(place): this is GeoJSON, not a map document"
        case .view(let error): "\(place): \(error)"
        case .layer(let number, let error): "\(place): layer \(number): \(error.sentence)"
        }
    }
}

extension MapError {
    /// The inner document error, or `nil` for other errors.
    package var documentError: DocumentError? { inner as? DocumentError }
}

extension DocumentError: MapErrorConvertible {
    package var mapError: MapError {
        func made(_ code: MapError.Code, _ reason: String, line: Int? = nil) -> MapError {
            MapError(code, reason, place: MapError.Place(file: place, line: line))
        }
        switch cause {
        case .missing: return made(.notFound, "no such map document")
        case .folder: return made(.unreadableFile, "this is a folder, not a map document")
        case .unreadable: return made(.unreadableFile, "no permission to read the map document")
        case .notWritable: return made(.unwritableFile, "cannot write the document")
        case .tooLarge(let limit): return made(.tooLarge, "a map document must not exceed \(limit >> 20) MiB")
        case .json(let words, let line): return made(.malformedDocument, words, line: line)
        case .content(let words): return made(.malformedDocument, words)
        case .features: return made(.unknownFormat, "this is GeoJSON, not a map document")
        case .view(let error):
            var inner = error.mapError
            inner.place = MapError.Place(file: place)
            return inner
        case .layer(let number, let error):
            var inner = error
            inner.subject = "\(place), layer \(number)"
            inner.reason = error.description
            (inner.remedy, inner.suggestions) = (nil, [])
            inner.place = MapError.Place(file: place)
            inner.underlying = error
            inner.inner = self
            return inner
        }
    }
}
