import PortolanWeb

/// A reason why a document cannot be read, or written; a program sees it as a ``MapError``.
package struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the facts as fields.
    package enum Cause: Hashable, Sendable {
        /// There is no such file.
        case missing
        /// A folder is there.
        case folder
        /// The file may not be read.
        case unreadable
        /// The file cannot be written.
        case notWritable
        /// There are more bytes than a document may have.
        case tooLarge(limit: Int)
        /// It is no JSON object; the text says why, and the line where.
        case json(String, line: Int?)
        /// It is GeoJSON, and no description of a map.
        case features
        /// Its content is wrong; the text says in what.
        case content(String)
        /// The view that it asks for cannot be.
        case view(ViewRequestError)
        /// A layer is wrong, counted from one.
        case layer(Int, MapError)
    }

    /// The path or address of the document.
    package let place: String
    /// What is wrong.
    package let cause: Cause

    package init(_ cause: Cause, in place: String) {
        self.place = place
        self.cause = cause
    }

    /// The place and what is wrong, in one line.
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
    /// The reason why a document cannot be read or written, or `nil` for other failures.
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
