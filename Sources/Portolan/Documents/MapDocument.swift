public import PortolanFeatures
public import PortolanText
public import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A map described by a JSON document: the view and the layers, the lowest first.
///
/// ```json
/// {"version": 1, "size": [1024, 768], "center": [-0.88, 41.65], "zoom": 15,
///  "layers": [{"wms": "https://example.org/wms", "layers": "a,b"}, {"source": "route.geojson", "stroke": "#f00"}]}
/// ```
///
/// ```swift
/// let document = try MapDocument(path: "harbour.json")
/// let map = try MapFacade(width: 1024, height: 768)
/// for warning in try await map.open(document) { print(warning) }
/// ```
///
/// An OWS Context (OGC 14-055r2) is accepted as well; see ``OWSContext``. ``MapFacade/open(_:)`` shows a document on a
/// map, and ``ServiceClient/mapDocument(from:)`` fetches one.
public struct MapDocument: LocatedDocument, Hashable, Sendable {
    /// The view.
    public var view = ViewRequest()
    /// The home view, or `nil` if it is `view`.
    public var home: ViewRequest?
    /// The limits of the views of the map.
    public var limits = ViewLimits()
    /// The layers, the lowest first.
    public var layers: [LayerSpecification] = []
    /// The selected feature, or `nil`.
    public var selected: Selection?
    /// The elements around the map, such as title and legend.
    public var furniture = MapDocument.Furniture()
    /// The fonts, in order of preference.
    public var fonts: [MapDocument.FontChoice] = []
    /// Warnings about the document from reading it.
    public internal(set) var warnings: [MapWarning] = []

    /// A reference to a feature by layer and identifier.
    public struct Selection: Hashable, Sendable {
        /// The name of the layer.
        public var layer: String
        /// The identifier of the feature.
        public var feature: Feature.ID

        /// Creates a selection.
        public init(layer: String, feature: Feature.ID) {
            self.layer = layer
            self.feature = feature
        }
    }

    /// The version of written documents.
    ///
    /// In documents of a newer version, unknown keys are ignored.
    public static let version = 1
    /// The maximum size of a document in bytes.
    public static let maximumByteCount = 16 << 20
    /// The maximum number of layers in a document.
    public static let maximumLayerCount = 1000

    /// Creates an empty document.
    public init() {}

    /// Reads the document at `path`.
    ///
    /// Relative paths in it are relative to the document.
    ///
    /// - Parameter kinds: the layer kinds that it may name.
    /// - Throws: ``MapError``.
    public init(path: String, kinds: LayerKinds = .standard) throws(MapError) {
        self = try Self.read(path: path, kinds)
    }

    /// Reads a document that is, or would be, at `path` on this machine.
    ///
    /// URLs in a map document have the rights of the user. URLs in an OWS Context, which may be from anyone, have only
    /// the rights of a file (``/PortolanWeb/AddressPolicy``).
    ///
    /// - Parameter kinds: the layer kinds that it may name.
    /// - Throws: ``MapError``.
    public init(
        bytes: [UInt8], path: String, policy: AddressPolicy = .standard, kinds: LayerKinds = .standard
    ) throws(MapError) {
        self = try Self.read(bytes, DocumentLocation(path: path, policy: policy, kinds: kinds))
    }

    /// Reads a document from a server.
    ///
    /// It may not reference files or hosts in private networks (``/PortolanWeb/AddressPolicy``).
    ///
    /// - Parameters:
    ///   - base: the URL of the document, as ``ServiceClient/mapDocument(from:)`` determines it.
    ///   - kinds: the layer kinds that it may name.
    /// - Throws: ``MapError``.
    public init(bytes: [UInt8], base: BaseURL, kinds: LayerKinds = .standard) throws(MapError) {
        self = try Self.read(bytes, DocumentLocation(base: base, kinds: kinds))
    }

    init(_ bytes: [UInt8], _ place: DocumentLocation) throws(DocumentError) {
        let members = try JSONDocument.object(in: bytes, from: place.name)
        if members["type"] != nil, members["layers"] == nil {
            guard OWSContext.isContext(members) else { throw DocumentError(.features, in: place.name) }
            self = try OWSContext(members, place).document
        } else {
            var reader = MapDocumentReader(place: place)
            self = try reader.document(members)
        }
    }
}

/// Reads and writes document files.
package enum DocumentFile {
    /// Returns the content of a regular file.
    package static func content(of path: String) throws(DocumentError) -> [UInt8] {
        do throws(LocalFileError) { return try LocalFile(at: path).bytes(limit: MapDocument.maximumByteCount) } catch {
            switch error.code {
            case .missing: throw DocumentError(.missing, in: path)
            case .folder: throw DocumentError(.folder, in: path)
            case .tooLong(let limit): throw DocumentError(.tooLarge(limit: limit), in: path)
            case .notPermitted, .notRegular, .refused, .cancelled, .system:
                throw DocumentError(.unreadable, in: path)
            }
        }
    }

    /// Writes bytes to a file, atomically replacing an existing file.
    static func write(_ bytes: [UInt8], to path: String) throws(DocumentError) {
        do { try Data(bytes).write(to: URL(filePath: path), options: .atomic) } catch {
            throw DocumentError(.notWritable, in: path)
        }
    }
}

extension MapDocument {
    /// A font in a map document or on a command line: a file or an installed family.
    public struct FontChoice: Hashable, Sendable {
        /// The text as written.
        public let text: String
        /// The font source that the text names.
        public let source: FontSource

        /// Whether two choices have the same font source.
        public static func == (one: MapDocument.FontChoice, other: MapDocument.FontChoice) -> Bool {
            one.source == other.source
        }

        /// Hashes the font source.
        public func hash(into hasher: inout Hasher) { hasher.combine(source) }

        private static let extensions = ["ttf", "otf", "ttc", "otc", "woff", "woff2", "pfb", "dfont"]

        /// Parses a font choice.
        ///
        /// A text that looks like a path, has a font file extension or names an existing file is a file.
        ///
        /// - Parameter folder: the folder of relative paths; the current folder if `nil`.
        public init(_ text: String, relativeTo folder: String? = nil) {
            self.text = text
            let url = URL(fileURLWithPath: text, relativeTo: folder.map { URL(fileURLWithPath: $0, isDirectory: true) })
            let isFile =
                text.contains("/") || Self.extensions.contains(url.pathExtension.lowercased())
                || FileManager.default.fileExists(atPath: url.path)
            source = isFile ? .file(url.path) : .family(text)
        }
    }
}
