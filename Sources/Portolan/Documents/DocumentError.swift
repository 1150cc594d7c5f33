import PortolanWeb

/// A reason why a document cannot be read, or written.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the facts as fields.
    public enum Cause: Hashable, Sendable {
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
        case layer(Int, LayerError)
    }

    /// The path or address of the document.
    public let place: String
    /// What is wrong.
    public let cause: Cause

    package init(_ cause: Cause, in place: String) {
        self.place = place
        self.cause = cause
    }

    /// The place and what is wrong, in one line.
    public var description: String { sentence.inOneLine(limit: 1000) }

    private var sentence: String {
        switch cause {
        case .missing: "\(place): there is no such map document"
        case .folder: "\(place): this is a folder, not a map document"
        case .unreadable: "\(place): the map document may not be read"
        case .notWritable: "\(place): the document cannot be written there"
        case .tooLarge(let limit): "\(place): a map document has at most \(limit >> 20) MiB"
        case .json(let words, let line?): "\(place): line \(line): \(words)"
        case .json(let words, nil), .content(let words): "\(place): \(words)"
        case .features: "\(place): this is GeoJSON, not a map document"
        case .view(let error): "\(place): \(error)"
        case .layer(let number, let error): "\(place): layer \(number): \(error)"
        }
    }
}
