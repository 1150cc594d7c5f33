import PortolanArchives
import PortolanCodecs
import PortolanFeatures
import PortolanFetch
import PortolanFormats
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanStyles
import PortolanText
import PortolanWeb

/// A typed error of an inner module that can be converted to a ``MapError``.
package protocol MapErrorConvertible: Error, Sendable {
    /// The converted error.
    var mapError: MapError { get }
}

extension MapError {
    /// Creates the error from an error of an inner module.
    package init(_ error: some MapErrorConvertible) {
        self = error.mapError
        inner = inner ?? error
    }

    /// Creates the error from any error, for example of the file system or a custom format.
    ///
    /// - Parameters:
    ///   - code: the code for an error from outside of the package.
    ///   - place: the file or URL, if the error does not name one.
    package init(any error: any Error, code: Code = .failed, place: Place? = nil) {
        switch error {
        case let error as MapError: self = error
        case let error as any MapErrorConvertible: self.init(error)
        case is CancellationError: self.init(.cancelled, "the task was cancelled", underlying: error)
        default: self.init(code, "\(error)", underlying: error)
        }
        if self.place == nil { self.place = place }
    }
}

extension FetchError: MapErrorConvertible {
    package var mapError: MapError {
        // The detail may repeat the text of the code.
        let reason = detail.isEmpty || detail == code.words ? code.words : "\(code.words): \(detail)"
        return MapError(
            mapCode, reason, place: MapError.Place(url: url), httpStatus: status, underlying: self)
    }

    private var mapCode: MapError.Code {
        switch code {
        case .cancelled: .cancelled
        case .timedOut: .timedOut
        case .tls: .tls
        case .httpStatus: .httpStatus
        case .offline: .offline
        case .needsTrait: .notBuiltIn
        case .addressRefused: .notAllowed
        case .fileNotFound, .noRecording: .notFound
        case .unreadableFile: .unreadableFile
        case .malformedDataURL, .malformedResponse: .malformedDocument
        case .bodyTooLarge, .headerTooLarge: .tooLarge
        case .invalidURL, .invalidRequest, .unsupportedScheme: .invalidArgument
        case .hostUnavailable, .hostBusy: .unavailable
        default: .network
        }
    }
}

extension ArchiveError: MapErrorConvertible {
    package var mapError: MapError {
        let mapCode: MapError.Code =
            switch code {
            case .cannotOpen: .notFound
            case .notWritable, .full: .unwritableFile
            case .damaged, .changed: .malformedDocument
            case .busy: .busy
            case .wrongFormat: .unknownFormat
            case .invalid: .unknownName
            case .otherJob: .duplicate
            case .limitExceeded: .tooLarge
            case .cancelled: .cancelled
            case .notBuiltIn: .notBuiltIn
            case .failed: .failed
            }
        return MapError(mapCode, detail, place: MapError.Place(file: place), underlying: self)
    }
}

extension StoreError: MapErrorConvertible {
    package var mapError: MapError {
        let mapCode: MapError.Code =
            switch code {
            case .cannotOpen: .unreadableFile
            case .notWritable, .full: .unwritableFile
            case .damaged: .malformedDocument
            case .busy: .busy
            case .wrongFormat: .unknownFormat
            case .invalid: .invalidArgument
            case .notBuiltIn: .notBuiltIn
            default: .unavailable
            }
        return MapError(mapCode, detail, place: MapError.Place(file: place), underlying: self)
    }
}

extension CodecError: MapErrorConvertible {
    package var mapError: MapError {
        let mapCode: MapError.Code =
            switch code {
            case .limitExceeded, .outOfMemory: .tooLarge
            case .unsupported: .unknownFormat
            case .notBuiltIn: .notBuiltIn
            default: .malformedDocument
            }
        return MapError(
            mapCode, subject: "\(format) image", detail, place: MapError.Place(byte: byteOffset), underlying: self)
    }
}

extension TextError: MapErrorConvertible {
    package var mapError: MapError {
        let code: MapError.Code =
            switch self {
            case .noFont, .unknownFamily: .noFont
            case .unreadableFont: .unreadableFile
            case .invalidSize, .invalidWidth: .invalidArgument
            case .tooLong, .tooComplex: .tooLarge
            case .notBuiltIn: .notBuiltIn
            }
        return MapError(code, description, underlying: self)
    }
}

extension MemoryBudget.ExceededError: MapErrorConvertible {
    package var mapError: MapError { MapError(.tooLarge, description, underlying: self) }
}

extension CRSError: MapErrorConvertible {
    package var mapError: MapError {
        let code: MapError.Code = if case .malformed = self { .invalidArgument } else { .unsupportedCRS }
        return MapError(code, description, underlying: self)
    }
}

extension Viewport.InvalidError: MapErrorConvertible {
    package var mapError: MapError {
        let code: MapError.Code = if case .pictureTooLarge = self { .tooLarge } else { .invalidArgument }
        return MapError(code, description, underlying: self)
    }
}

extension GeoJSONError: MapErrorConvertible {
    package var mapError: MapError {
        let mapCode: MapError.Code =
            switch code {
            case .unsupportedCRS: .unsupportedCRS
            case .limitExceeded, .memory: .tooLarge
            case .cancelled: .cancelled
            default: .malformedDocument
            }
        return MapError(
            mapCode, subject: format, detail, place: MapError.Place(line: line, byte: byteOffset), underlying: self)
    }
}

extension FeatureFileError: MapErrorConvertible {
    package var mapError: MapError {
        let mapCode: MapError.Code =
            switch code {
            case .malformed: .malformedDocument
            case .otherFormat, .unsupported, .encrypted: .unknownFormat
            case .limitExceeded, .memory: .tooLarge
            case .unreadable: .unreadableFile
            case .cancelled: .cancelled
            }
        var subject = format, position: MapError.Place?
        switch place {
        case .line(let line, let column): position = MapError.Place(line: line, column: column)
        case .byte(let byte): position = MapError.Place(byte: byte)
        case .record(let number): subject += ", record \(number)"
        case nil: break
        }
        return MapError(mapCode, subject: subject, detail, place: position, underlying: self)
    }
}

extension StyleSheet.ParseError: MapErrorConvertible {
    package var mapError: MapError {
        switch reason {
        case .json(let line, let words), .xml(let line, let words):
            MapError(.malformedDocument, words, place: MapError.Place(line: line), underlying: self)
        case .noStyle, .version: MapError(.unknownFormat, description, underlying: self)
        case .noStyleNamed: MapError(.unknownName, description, underlying: self)
        case .tooManyLayers: MapError(.tooLarge, description, underlying: self)
        }
    }
}

extension XYZTemplate.ParseError: MapErrorConvertible {
    package var mapError: MapError { MapError(.invalidArgument, description, underlying: self) }
}

extension WMSCTileSet.InvalidError: MapErrorConvertible {
    package var mapError: MapError { MapError(.invalidArgument, description, underlying: self) }
}

extension LocalFileError: MapErrorConvertible {
    package var mapError: MapError {
        let mapCode: MapError.Code =
            switch code {
            case .missing: .notFound
            case .refused: .notAllowed
            case .tooLong: .tooLarge
            case .cancelled: .cancelled
            case .notPermitted, .folder, .notRegular, .system: .unreadableFile
            }
        return MapError(mapCode, detail, place: MapError.Place(file: path), underlying: self)
    }
}
