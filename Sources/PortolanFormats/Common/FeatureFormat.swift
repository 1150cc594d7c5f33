public import PortolanFeatures
import PortolanRaster
import PortolanWeb

/// A format of feature documents, to extend the supported formats.
///
/// A format recognizes its documents by their first bytes, regardless of file name and content type. It must enforce
/// limits, since documents are untrusted. Add custom formats to a ``FeatureFormats``.
///
/// ```swift
/// struct PairsFormat: FeatureFormat {
///     var name: String { "Pairs" }
///     func recognizes(_ start: ArraySlice<UInt8>) -> Bool { start.starts(with: "PAIRS\n".utf8) }
///     func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
///         FeatureCollection(features: [])
///     }
/// }
/// ```
public protocol FeatureFormat: Sendable {
    /// A short name for messages, such as `GeoJSON`.
    var name: String { get }

    /// Returns whether a document may be of the format.
    ///
    /// - Parameter start: the first bytes, at most ``FeatureFormats/startLength``.
    func recognizes(_ start: ArraySlice<UInt8>) -> Bool

    /// Returns whether a whole document may be of the format.
    ///
    /// The default implementation checks its first bytes.
    func recognizes(document: [UInt8]) -> Bool

    /// Reads a document.
    ///
    /// A single unreadable feature should be skipped with a warning in the collection.
    ///
    /// - Throws: an error with the byte or line and the cause, if nothing can be read or a limit is exceeded.
    func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection

    /// Writes a collection, or returns `nil` if the format is read-only.
    func write(_ collection: FeatureCollection) -> [UInt8]?
}

extension FeatureFormat {
    /// Returns whether the first bytes are recognized.
    public func recognizes(document: [UInt8]) -> Bool { recognizes(document.prefix(RecognizedStart.byteCount)) }

    /// Returns `nil`, as the format is read-only.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { nil }
}

/// The start of a document, by which its format is recognized.
enum RecognizedStart {
    /// Its length in bytes.
    static let byteCount = 1024
}
