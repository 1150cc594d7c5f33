package import PortolanArchives
package import PortolanFeatures
import PortolanFetch
package import PortolanFormats
public import PortolanServices
package import PortolanStyles
import PortolanWeb

/// A reason why a layer cannot be created from its specification.
///
/// The public API throws it as ``MapError``.
package struct LayerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package enum Code: Hashable, Sendable, CaseIterable {
        /// The specification is invalid, independent of its source.
        case invalid
        /// The file does not exist.
        case missing
        /// The content of the source belongs to another layer kind.
        case otherKind
        /// The content of the source is unreadable.
        case unreadable
        /// The service does not offer the requested item.
        case notOffered
        /// The service cannot be reached, answers with an error, or is too slow.
        case unavailable
        /// The memory budget is exceeded.
        case memory
        /// The task was cancelled.
        case cancelled
    }

    /// The cause of a failure, with details.
    package enum Cause: Hashable, Sendable {
        /// The specification is invalid, for the given reason and with valid alternatives.
        case specification(String)
        /// The value of a key is invalid; the text names it and the valid values.
        case value(String)
        /// A required key is missing; its value is a list of the given items.
        case missingKey(String, of: Offer)
        /// The URL is not a tile template.
        case template(XYZTemplate.ParseError)
        /// Two layers have the same name.
        case duplicateName(String)
        /// A service or document is unavailable.
        case service(ServiceError)
        /// The URL belongs to another kind of service.
        case otherKind(AnswerKind)
        /// The service did not answer within the given time.
        case deadline(Duration)
        /// The file does not exist.
        case noFile
        /// A tile archive is unusable.
        case archive(ArchiveError)
        /// The file is of another kind than features.
        case file(FeatureFileError.FileKind)
        /// The document is a service response, not features.
        case document(AnswerKind)
        /// The GeoJSON document is invalid.
        case geoJSON(GeoJSONError)
        /// The features are unreadable, for the given reason.
        case features(String)
        /// The style of the layer, with the given name, is unreadable.
        case style(StyleSheet.ParseError, String)
        /// The features exceed the memory budget; the text states the required memory.
        case memory(String)
        /// The document had to be repaired, which strict mode does not allow.
        case repaired(MapWarning)
        /// A remote document names a local tile archive or standard input.
        case foreign
        /// The origin of the source may not access it.
        case refused(AddressPolicy.Refusal)
    }

    /// The items that a service lists.
    package enum Offer: Hashable, Sendable {
        /// Its layers, or its tile sets (WMS-C).
        case layers, tileSets
    }

    /// The source of the layer, without secrets.
    package let source: String
    /// The layer kind; features if the specification names none.
    package let kind: LayerKind
    /// The cause.
    package let cause: Cause

    /// Creates an error.
    ///
    /// Secrets are removed from the source and from messages.
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

    /// The source and the cause, in one line.
    package var description: String {
        let (subject, reason) = words
        return ((subject.map { "\($0): " } ?? "") + reason).inOneLine(limit: 1000)
    }

    /// The subject and the reason.
    private var words: (subject: String?, reason: String) {
        let layer = "layer '\(source)'"
        return switch cause {
        case .specification(let text): (nil, text)
        case .value(let text): (layer, text)
        case .missingKey(let key, _): (layer, "\(kind) needs the key '\(key)'")
        case .template(.unknownPlaceholder(let name)):
            (layer, "\(XYZTemplate.ParseError.unknownPlaceholder(name)); set it with params.\(name)=VALUE")
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

    /// The service error that caused the failure, or `nil`.
    package var serviceError: ServiceError? { if case .service(let error) = cause { error } else { nil } }
}

extension LayerError: MapErrorConvertible {
    package var mapError: MapError {
        let (subject, reason) = words, isFile = FileAddress.isLocal(source)
        let place = MapError.Place(file: isFile ? source : nil, url: isFile ? nil : source)
        func made(_ code: MapError.Code, underlying: (any Error)? = nil) -> MapError {
            MapError(code, subject: subject, reason, place: place, underlying: underlying)
        }
        /// Returns the error of an inner module, with the source as its location.
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
    /// Returns the error for a layer that cannot be created from its specification.
    package static func layer(
        _ cause: LayerError.Cause, source: String, kind: LayerKind = .features
    ) -> MapError { MapError(LayerError(cause, source: source, kind: kind)) }

    /// The inner layer error, or `nil` for other errors.
    package var layerError: LayerError? { inner as? LayerError }

    /// The exception of the service if the code is ``Code/serviceException``, otherwise `nil`.
    public var serviceException: ServiceException? {
        ((inner as? ServiceError) ?? layerError?.serviceError)?.exception
    }
}
