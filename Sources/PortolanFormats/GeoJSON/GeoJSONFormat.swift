public import PortolanFeatures
import PortolanWeb

/// GeoJSON (RFC 7946), read by ``/PortolanFeatures/GeoJSONReader`` and written by ``/PortolanFeatures/GeoJSONWriter``.
public struct GeoJSONFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `GeoJSON`.
    public var name: String { "GeoJSON" }

    /// Returns whether the first character, after a byte order mark and white space, can start a JSON document.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        let first = DecodedText.start(start).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Reads a document like ``/PortolanFeatures/GeoJSONReader``.
    ///
    /// UTF-16, and code pages in violation of RFC 8259, are accepted with a warning.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        let first = Result { () throws(GeoJSONError) in try GeoJSONReader.read(document, limits: limits) }
        let isOdd =
            switch first {
            case .success(let collection): collection.warnings.contains { $0.effect == .repaired }
            case .failure(let error): [.invalidText, .syntax].contains(error.code)
            }
        guard isOdd else { return try first.get() }
        // Invalid UTF-8 would be repaired byte by byte; in their actual encoding the bytes are letters.
        let text = DecodedText(document)
        guard text.guessed != nil || document.starts(with: [0xFF, 0xFE]) || document.starts(with: [0xFE, 0xFF]),
            var collection = try? GeoJSONReader.read(text.bytes, limits: limits)
        else { return try first.get() }
        collection.warnings.insert(
            MapWarning(
                feature: nil, message: "not UTF-8; read as \(text.guessed ?? "UTF-16")",
                effect: .repaired), at: 0)
        return collection
    }

    /// Writes a collection like ``/PortolanFeatures/GeoJSONWriter``.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { GeoJSONWriter.write(collection) }
}
