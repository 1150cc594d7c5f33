public import PortolanArchives
public import PortolanFeatures
import PortolanFetch
public import PortolanFormats
public import PortolanServices
public import PortolanStyles
import PortolanWeb

/// A reason why a layer cannot be made of its specification.
public struct LayerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Hashable, Sendable, CaseIterable {
        /// The specification is wrong, whatever its source has.
        case invalid
        /// There is no such file.
        case missing
        /// What the source has is of another kind than the layer's.
        case otherKind
        /// The source has nothing that can be understood.
        case unreadable
        /// The service does not offer what is asked for.
        case notOffered
        /// The service cannot be reached, answers with an error, or not in time.
        case unavailable
        /// There is no room for it in the budget of memory.
        case memory
        /// The task was cancelled.
        case cancelled
    }

    /// What failed, with the facts as fields.
    public enum Cause: Hashable, Sendable {
        /// The specification is wrong; the text says in what, and what is possible.
        case specification(String)
        /// The kind needs a key that is not given; of what its value is a list.
        case missingKey(String, of: Offer)
        /// The address is no template of tiles.
        case template(XYZTemplateError)
        /// Two layers have the same name.
        case duplicateName(String)
        /// A service or a document cannot be had.
        case service(ServiceError)
        /// The address answers as something else.
        case otherKind(AnswerKind)
        /// The service had not answered after a time.
        case deadline(Duration)
        /// There is no such file.
        case noFile
        /// A file of tiles cannot be used.
        case archive(ArchiveError)
        /// In place of features there is a file of another kind.
        case file(FileKind)
        /// In place of features there is a document of a service.
        case document(AnswerKind)
        /// The GeoJSON cannot be read.
        case geoJSON(GeoJSONError)
        /// The features cannot be read; the text says why.
        case features(String)
        /// The style of the layer cannot be read; the text names it.
        case style(StyleSheetError, String)
        /// There is no room for the features; the text says how much they need.
        case memory(String)
        /// The document had to be repaired, and none such is wanted.
        case repaired(MapWarning)
        /// A document from elsewhere names a file of tiles or standard input of this machine.
        case foreign
        /// Whoever named the source may not lead there.
        case refused(AddressRefusal)
    }

    /// What a service lists.
    public enum Offer: Hashable, Sendable {
        /// Its layers, or its tile sets (WMS-C).
        case layers, tileSets
    }

    /// The source of the layer, without secrets.
    public let source: String
    /// The kind of the layer; that of features where the specification names none.
    public let kind: LayerKind
    /// What failed.
    public let cause: Cause

    /// Makes an error; what is secret in the source is taken out of it and of sentences.
    package init(_ cause: Cause, source: String, kind: LayerKind = .features) {
        var secrets = Secrets()
        secrets.add(url: source)
        self.source = secrets.removed(from: source)
        self.kind = kind
        switch cause {
        case .specification(let text): self.cause = .specification(secrets.removed(from: text))
        case .features(let text): self.cause = .features(secrets.removed(from: text))
        case .memory(let text): self.cause = .memory(secrets.removed(from: text))
        case .style(let error, let name): self.cause = .style(error, secrets.removed(from: FetchError.redacted(name)))
        default: self.cause = cause
        }
    }

    /// The kind of failure.
    public var code: Code {
        switch cause {
        case .specification, .missingKey, .template, .duplicateName, .foreign, .refused: .invalid
        case .service(let error):
            switch error.code {
            case .notFound: .missing
            case .unreadable: .unreadable
            case .notOffered: .notOffered
            case .cancelled: .cancelled
            default: .unavailable
            }
        case .deadline: .unavailable
        case .noFile: .missing
        case .archive(let error):
            switch error.code {
            case .cannotOpen: .missing
            case .invalid: .invalid
            default: .unreadable
            }
        case .otherKind, .file, .document: .otherKind
        case .geoJSON, .features, .style, .repaired: .unreadable
        case .memory: .memory
        }
    }

    /// What is wrong, in one line that names the source.
    public var description: String { sentence.inOneLine(limit: 1000) }

    private var sentence: String {
        switch cause {
        case .specification(let text): text
        case .missingKey(let key, _): "layer '\(source)': \(kind) needs the key '\(key)'"
        case .template(.unknownPlaceholder(let name)):
            "layer '\(source)': \(XYZTemplateError.unknownPlaceholder(name)); params.\(name)=VALUE gives it a value"
        case .template(let error): "layer '\(source)': \(error)"
        case .duplicateName(let name): "two layers are named '\(name)'"
        case .service(let error): error.description
        case .otherKind(let other):
            "layer '\(kind == .features ? "" : kind.name + ":")\(source)': this address \(other.words)"
        case .deadline(let time) where FileAddress.isLocal(source):
            "\(source): reading it was given up after \(time.secondsText)"
        case .deadline(let time): "the service had not told what it offers after \(time.secondsText)"
        case .noFile: "\(source): there is no such file"
        case .archive(let error): error.description
        case .file(.image):
            "'\(source)' is an image, not features; images are drawn as tiles and from services alone"
        case .file(let file) where file.isDatabase:
            "layer '\(source)': this is \(file.words); write mbtiles:\(source), or gpkg:\(source) for a GeoPackage"
        case .file(let file): "'\(source)' is \(file.words)"
        case .document(let other): "'\(source)' \(other.words), not with features"
        case .geoJSON(let error): "\(source): \(error)"
        case .features(let text), .memory(let text): "\(source): \(text)"
        case .style(let error, let name): "layer '\(source)': \(name): \(error)"
        case .repaired(let warning): "\(source): \(warning)"
        case .foreign: "layer '\(source)': what is of this machine is not for documents from elsewhere to name"
        case .refused(let refusal): "layer '\(source)': \(refusal)"
        }
    }
}
