public import PortolanFeatures
public import PortolanText
public import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A map as a JSON document describes it: the view, and the layers bottom first.
///
/// ```json
/// {"version": 1, "size": [1024, 768], "center": [-0.88, 41.65], "zoom": 15,
///  "layers": [{"wms": "https://example.org/wms", "layers": "a,b"}, {"source": "route.geojson", "stroke": "#f00"}]}
/// ```
///
/// An OWS Context (OGC 14-055r2) is read as well; see ``OWSContext``. ``MapFacade/open(_:)`` shows a document on a map, and
/// ``ServiceClient/mapDocument(at:)`` fetches one.
public struct MapDocument: LocatedDocument, Hashable, Sendable {
    /// What is shown.
    public var view = ViewRequest()
    /// What is shown at home, or `nil` where that is the view.
    public var home: ViewRequest?
    /// What views a map may show.
    public var limits = ViewLimits()
    /// The layers, bottom first.
    public var layers: [LayerSpecification] = []
    /// The feature that is selected, or `nil` for none.
    public var selected: Selection?
    /// What stands beside the map.
    public var furniture = MapFurniture()
    /// The fonts, in order of preference.
    public var fonts: [FontChoice] = []
    /// What is odd about the document as it was read.
    public internal(set) var warnings: [MapWarning] = []

    /// A feature by its layer and identifier.
    public struct Selection: Hashable, Sendable {
        /// The name of the layer.
        public var layer: String
        /// The identifier of the feature.
        public var feature: FeatureID

        /// Makes a selection.
        public init(layer: String, feature: FeatureID) {
            self.layer = layer
            self.feature = feature
        }
    }

    /// The version of what is written; of a newer one what is not known is passed over.
    public static let version = 1
    /// The most bytes a document may have.
    public static let maximumByteCount = 16 << 20
    /// The most layers a document may have.
    public static let maximumLayerCount = 1000

    /// Makes a document that says nothing.
    public init() {}

    /// Reads the document at `path`; relative paths in it are relative to it.
    ///
    /// - Parameter kinds: the kinds of layers that it may name.
    /// - Throws: ``MapError``.
    public init(path: String, kinds: LayerKinds = .standard) throws(MapError) {
        self = try Self.read(path: path, kinds)
    }

    /// Reads a document that stands, or would stand, at `path` on this machine.
    ///
    /// What a map document names is as if the user named it; what an OWS Context names, which may come from anywhere, as if a
    /// file did (``/PortolanWeb/AddressPolicy``).
    ///
    /// - Parameter kinds: the kinds of layers that it may name.
    /// - Throws: ``MapError``.
    public init(
        bytes: [UInt8], path: String, policy: AddressPolicy = .standard, kinds: LayerKinds = .standard
    ) throws(MapError) {
        self = try Self.read(bytes, DocumentLocation(path: path, policy: policy, kinds: kinds))
    }

    /// Reads a document that a server sent, which leads to no file, and to no host in a network of its own
    /// (``/PortolanWeb/AddressPolicy``).
    ///
    /// - Parameters:
    ///   - base: where it came from; ``ServiceClient/mapDocument(at:)`` knows.
    ///   - kinds: the kinds of layers that it may name.
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

/// Documents in files.
package enum DocumentFile {
    /// The bytes of a regular file.
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

    /// Puts bytes in the place of what is there, in one step.
    static func write(_ bytes: [UInt8], to path: String) throws(DocumentError) {
        do { try Data(bytes).write(to: URL(filePath: path), options: .atomic) } catch {
            throw DocumentError(.notWritable, in: path)
        }
    }
}

/// A font as a map document or a command line names it: a file or an installed family.
public struct FontChoice: Hashable, Sendable {
    /// What was written.
    public let text: String
    /// What it stands for.
    public let source: FontSource

    /// Whether two stand for the same, however they were written.
    public static func == (one: FontChoice, other: FontChoice) -> Bool { one.source == other.source }

    /// Hashes what it stands for.
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }

    private static let extensions = ["ttf", "otf", "ttc", "otc", "woff", "woff2", "pfb", "dfont"]

    /// Reads the name of a font.
    ///
    /// What looks like a path or has the extension of a font is a file, and so is what there is a file of.
    ///
    /// - Parameter folder: what relative paths are relative to; the current folder when `nil`.
    public init(_ text: String, relativeTo folder: String? = nil) {
        self.text = text
        let url = URL(fileURLWithPath: text, relativeTo: folder.map { URL(fileURLWithPath: $0, isDirectory: true) })
        let isFile =
            text.contains("/") || Self.extensions.contains(url.pathExtension.lowercased())
            || FileManager.default.fileExists(atPath: url.path)
        source = isFile ? .file(url.path) : .family(text)
    }
}
