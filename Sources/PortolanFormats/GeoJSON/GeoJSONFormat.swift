public import PortolanFeatures
import PortolanWeb

/// GeoJSON (RFC 7946), by ``/PortolanFeatures/GeoJSONReader`` and ``/PortolanFeatures/GeoJSONWriter``.
public struct GeoJSONFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `GeoJSON`.
    public var name: String { "GeoJSON" }

    /// Whether the first character, after a byte order mark and blanks, is one that JSON begins with.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        let first = DecodedText.start(start).first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Reads a document as ``/PortolanFeatures/GeoJSONReader`` does; one in UTF-16, or in a code page in spite of RFC 8259, with a warning.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        let first = Result { () throws(GeoJSONError) in try GeoJSONReader.read(bytes: document, limits: limits) }
        let isOdd =
            switch first {
            case .success(let collection): collection.warnings.contains { $0.effect == .repaired }
            case .failure(let error): [.invalidText, .syntax].contains(error.code)
            }
        guard isOdd else { return try first.get() }
        // Bytes that are not UTF-8 are mended one by one; in their own encoding they are letters.
        let text = DecodedText(document)
        guard text.guessed != nil || document.starts(with: [0xFF, 0xFE]) || document.starts(with: [0xFE, 0xFF]),
            var collection = try? GeoJSONReader.read(bytes: text.bytes, limits: limits)
        else { return try first.get() }
        collection.warnings.insert(
            MapWarning(
                feature: nil, message: "not UTF-8; read as \(text.guessed ?? "UTF-16")",
                effect: .repaired), at: 0)
        return collection
    }

    /// Writes a collection as ``/PortolanFeatures/GeoJSONWriter`` does.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { GeoJSONWriter.write(collection) }
}
