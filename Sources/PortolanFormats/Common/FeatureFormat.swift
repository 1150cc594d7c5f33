public import PortolanFeatures
import PortolanRaster
import PortolanWeb

/// A format of documents with features: the seam for reading more than GeoJSON.
///
/// A format recognises its documents by their first bytes, whatever the name of the file or the header of the answer
/// says, and keeps to limits, since documents come from strangers. Put formats of your own into a ``FeatureFormats``.
public protocol FeatureFormat: Sendable {
    /// The short name, such as `GeoJSON`, for messages.
    var name: String { get }

    /// Whether a document may be of the format.
    ///
    /// - Parameter start: the first bytes, at most ``FeatureFormats/startLength``.
    func recognizes(_ start: ArraySlice<UInt8>) -> Bool

    /// Whether a whole document may be of the format.
    ///
    /// Unless implemented, its first bytes decide.
    func recognizes(document: [UInt8]) -> Bool

    /// Reads a whole document.
    ///
    /// One feature that cannot be read is best left out with a warning of the collection.
    ///
    /// - Throws: an error that names the byte or line and the cause, when nothing can be read or a limit is exceeded.
    func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection

    /// Writes a collection, or returns `nil` when the format is read only.
    func write(_ collection: FeatureCollection) -> [UInt8]?
}

extension FeatureFormat {
    /// Whether the first bytes are recognised.
    public func recognizes(document: [UInt8]) -> Bool { recognizes(document.prefix(RecognizedStart.byteCount)) }

    /// The format is read only.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { nil }
}

/// The beginning of a document, by which its format is recognised.
enum RecognizedStart {
    /// Its length in bytes.
    static let byteCount = 1024
}
