import PortolanFeatures

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A map as a JSON document describes it: the view, and the layers bottom first.
///
/// ```json
/// {"size": [1024, 768], "center": [-0.88, 41.65], "zoom": 15,
///  "layers": [{"wms": "https://example.org/wms", "layers": "a,b"}, {"source": "route.geojson", "stroke": "#f00"}]}
/// ```
public struct MapDocument: Hashable, Sendable {
    /// What is shown.
    public var view = ViewRequest()
    /// The layers, bottom first.
    public var layers: [LayerSpecification] = []
    /// The fonts, in order of preference.
    public var fonts: [FontChoice] = []

    /// The most bytes a map document may have.
    public static let maximumByteCount = 16 << 20

    /// Makes a document that says nothing.
    public init() {}

    /// Reads the document at `path`; relative paths in it are relative to it.
    ///
    /// - Throws: ``DocumentError``.
    public init(path: String) throws(DocumentError) {
        try self.init(bytes: Self.content(of: path), path: path)
    }

    /// Reads a document that stands, or would stand, at `path`.
    ///
    /// - Throws: ``DocumentError``.
    public init(bytes: [UInt8], path: String) throws(DocumentError) {
        guard bytes.count <= Self.maximumByteCount else {
            throw DocumentError(.tooLarge(limit: Self.maximumByteCount), in: path)
        }
        let members = try JSONDocument.object(in: bytes, from: path)
        let reader = MapDocumentReader(path: path)
        if members["type"] != nil, members["layers"] == nil { throw DocumentError(.features, in: path) }
        view = try reader.view(members)
        fonts = try reader.fonts(members["font"])
        layers = try reader.layers(members["layers"])
    }

    private static func content(of path: String) throws(DocumentError) -> [UInt8] {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: FileAddress.target(of: path)) else {
            throw DocumentError(.missing, in: path)
        }
        let kind = attributes[.type] as? FileAttributeType
        if kind == .typeDirectory { throw DocumentError(.folder, in: path) }
        // A device may have no end.
        guard kind == .typeRegular else { throw DocumentError(.unreadable, in: path) }
        guard (attributes[.size] as? UInt64 ?? 0) <= UInt64(maximumByteCount) else {
            throw DocumentError(.tooLarge(limit: maximumByteCount), in: path)
        }
        do { return [UInt8](try Data(contentsOf: URL(filePath: path))) } catch {
            throw DocumentError(.unreadable, in: path)
        }
    }
}
