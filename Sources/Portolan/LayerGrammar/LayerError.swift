package import PortolanArchives
package import PortolanFeatures
import PortolanFetch
package import PortolanFormats
public import PortolanServices
package import PortolanStyles
import PortolanWeb

/// A reason why a layer cannot be made of its specification; a program sees it as a ``MapError``.
package struct LayerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Hashable, Sendable, CaseIterable {
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
    package enum Cause: Hashable, Sendable {
        /// The specification is wrong; the text says in what, and what is possible.
        case specification(String)
        /// A key has an invalid value; the text names it, and what is possible.
        case value(String)
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
    package enum Offer: Hashable, Sendable {
        /// Its layers, or its tile sets (WMS-C).
        case layers, tileSets
    }

    /// The source of the layer, without secrets.
    package let source: String
    /// The kind of the layer; that of features where the specification names none.
    package let kind: LayerKind
    /// What failed.
    package let cause: Cause

    /// Makes an error; what is secret in the source is taken out of it and of sentences.
    package init(_ cause: Cause, source: String, kind: LayerKind = .features) {
        var secrets = Secrets()
        secrets.add(url: source)
        self.source = secrets.removed(from: source)
        self.kind = kind
        switch cause {
        case .specification(let text): self.cause = .specification(secrets.removed(from: text))
        case .value(let text): self.cause = .value(secrets.removed(from: text))
        case .features(let text): self.cause = .features(secrets.removed(from: text))
        case .memory(let text): self.cause = .memory(secrets.removed(from: text))
        case .style(let error, let name): self.cause = .style(error, secrets.removed(from: FetchError.redacted(name)))
        default: self.cause = cause
        }
    }

    /// The kind of failure.
    package var code: Code {
        switch cause {
        case .specification, .value, .missingKey, .template, .duplicateName, .foreign, .refused: .invalid
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
    package var description: String {
        let (subject, reason) = words
        return ((subject.map { "\($0): " } ?? "") + reason).inOneLine(limit: 1000)
    }

    /// What failed, and why.
    private var words: (subject: String?, reason: String) {
        let layer = "layer '\(source)'"
        return switch cause {
        case .specification(let text): (nil, text)
        case .value(let text): (layer, text)
        case .missingKey(let key, _): (layer, "\(kind) needs the key '\(key)'")
        case .template(.unknownPlaceholder(let name)):
            (layer, "\(XYZTemplateError.unknownPlaceholder(name)); set it with params.\(name)=VALUE")
        case .template(let error): (layer, "\(error)")
        case .duplicateName(let name): (nil, "two layers are named '\(name)'")
        case .service(let error): (error.url, error.detail)
        case .otherKind(let other):
            ("layer '\(kind == .features ? "" : kind.name + ":")\(source)'", "this URL \(other.words)")
        case .deadline(let time) where FileAddress.isLocal(source):
            (source, "reading timed out after \(time.secondsText)")
        case .deadline(let time): (nil, "the service did not send its capabilities within \(time.secondsText)")
        case .noFile: (source, "no such file")
        case .archive(let error): (error.place, error.detail)
        case .file(.image):
            (nil, "'\(source)' is an image, not features; images are drawn only as tiles and from services")
        case .file(let file) where file.isDatabase:
            (layer, "this is \(file.words); write mbtiles:\(source), or gpkg:\(source) for a GeoPackage")
        case .file(let file): (nil, "'\(source)' is \(file.words)")
        case .document(let other): (nil, "'\(source)' \(other.words), not with features")
        case .geoJSON(let error): (source, "\(error)")
        case .features(let text), .memory(let text): (source, text)
        case .style(let error, let name): (layer, "\(name): \(error)")
        case .repaired(let warning): (source, "\(warning)")
        case .foreign: (layer, "remote documents may not refer to local files")
        case .refused(let refusal): (layer, "\(refusal)")
        }
    }

    /// The failure of the service that is at fault, or `nil`.
    package var serviceError: ServiceError? { if case .service(let error) = cause { error } else { nil } }
}

extension LayerError: MapErrorConvertible {
    package var mapError: MapError {
        let (subject, reason) = words, isFile = FileAddress.isLocal(source)
        let place = MapError.Place(file: isFile ? source : nil, url: isFile ? nil : source)
        func made(_ code: MapError.Code, underlying: (any Error)? = nil) -> MapError {
            MapError(code, subject: subject, reason, place: place, underlying: underlying)
        }
        /// The error of an inner part's, about the source.
        func about(_ error: some MapErrorConvertible) -> MapError {
            var error = error.mapError
            var found = error.place ?? place
            (found.file, found.url) = (place.file, place.url)
            error.place = found
            error.subject = nil
            return error
        }
        switch cause {
        case .specification(let text): return MapError(.invalidArgument, text)
        case .value, .missingKey: return made(.invalidArgument)
        case .template(let error): return made(.invalidArgument, underlying: error)
        case .duplicateName: return MapError(.duplicate, reason)
        case .service(let error): return error.mapError
        case .otherKind: return made(.unknownFormat)
        case .file(.image):
            let reason = "this is an image, not features; images are drawn only as tiles and from services"
            return MapError(.unknownFormat, reason, place: place)
        case .file(let file) where file.isDatabase: return made(.unknownFormat)
        case .file(let file): return MapError(.unknownFormat, "this is \(file.words)", place: place)
        case .document(let other):
            return MapError(.unknownFormat, "this URL \(other.words), not with features", place: place)
        case .deadline: return made(.timedOut)
        case .noFile: return made(.notFound)
        case .archive(let error): return error.mapError
        case .geoJSON(let error): return about(error)
        case .features, .repaired: return made(.malformedDocument)
        case .style(let error, _): return made(error.mapError.code, underlying: error)
        case .memory: return made(.tooLarge)
        case .foreign, .refused: return made(.notAllowed)
        }
    }
}

extension MapError {
    /// The error of a layer that cannot be made of its specification.
    package static func layer(
        _ cause: LayerError.Cause, source: String, kind: LayerKind = .features
    ) -> MapError { MapError(LayerError(cause, source: source, kind: kind)) }

    /// The reason why a layer cannot be made of its specification, or `nil` for other failures.
    package var layerError: LayerError? { inner as? LayerError }

    /// The exception that a service answered with, if the code is ``Code/serviceException``.
    public var serviceException: ServiceException? {
        ((inner as? ServiceError) ?? layerError?.serviceError)?.exception
    }
}
