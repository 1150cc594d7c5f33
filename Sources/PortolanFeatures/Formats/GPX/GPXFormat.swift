import PortolanXML

/// GPX 1.0 and 1.1: way points, routes and tracks of receivers and route planners.
///
/// A way point becomes a point of interest (`type` is `poi`), a route or track a route (`type` is `route`) with the segments
/// of a track as its parts, and a named point of a route a point of interest, too. Elevations are altitudes; the times of a
/// track's points stand in `coordinateProperties` as lists `times`, one for each part. `gpx` tells `wpt`, `rtept`, `rte` or
/// `trk`; name, description, comment, category (GPX's `type`), symbol, source, time and links are properties of those names.
/// Documents without a namespace are read as well; extensions are passed over.
///
/// Coordinates are WGS 84. Source: GPX 1.1 schema documentation (topografix.com/GPX/1/1), GPX 1.0 developer's manual.
public struct GPXFormat: FeatureFormat {
    /// Makes the format.
    public init() {}

    /// `GPX`.
    public var name: String { "GPX" }

    /// Whether the first element is `gpx`, with or without a prefix.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        XMLRoot(start)?.name.lowercased() == "gpx"
    }

    /// Reads a document.
    ///
    /// Points without a place are left out, with a warning.
    ///
    /// - Throws: ``GPXError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        try GPXReader.read(document, limits: limits)
    }

    /// Writes a collection as GPX 1.1; areas have no place in it and are left out.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { GPXWriter.write(collection) }
}

/// Why a GPX document cannot be read.
public struct GPXError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of failure.
    public enum Code: String, Hashable, Sendable {
        /// It is no XML, or not whole.
        case malformed
        /// It is XML of another kind.
        case notGPX
        /// One of the ``FeatureLimits`` is exceeded.
        case limitExceeded
        /// There is no room for the document, or for its features, in ``FeatureLimits/memory``.
        case memory
    }

    /// What kind of failure it is.
    public let code: Code
    /// The line, from 1.
    public let line: Int
    /// The column, from 1, or `nil` when it is not known.
    public let column: Int?
    /// What is wrong.
    public let detail: String

    /// The place and what is wrong, in one line.
    public var description: String { "GPX, line \(line)" + (column.map { ", column \($0)" } ?? "") + ": \(detail)" }

    init(_ error: XMLError, as code: Code? = nil) {
        switch error.reason {
        case .limit: self.code = code ?? .limitExceeded
        case .refused: self.code = code ?? .notGPX
        case .empty, .notWellFormed, .entity, .encoding: self.code = code ?? .malformed
        }
        line = error.line
        column = error.column
        detail = error.message
    }

    init(_ code: Code, line: Int = 1, _ detail: String) {
        self.code = code
        self.line = line
        column = nil
        self.detail = detail
    }
}
