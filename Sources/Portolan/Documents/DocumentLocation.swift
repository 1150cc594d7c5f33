import PortolanFetch
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The location of a document.
///
/// It resolves relative references and limits what its URLs may access.
struct DocumentLocation {
    /// The name in messages: the path, or the URL without secrets.
    let name: String
    /// The base URL of references, and their origin.
    let base: BaseURL
    /// The folder of a local file, or `nil` for a remote document.
    let folder: String?
    /// The layer kinds that the document may name.
    let kinds: LayerKinds

    /// Creates the location of a local file.
    ///
    /// As it defines a map, it may reference files anywhere.
    init(path: String, policy: AddressPolicy = .standard, kinds: LayerKinds = .standard) {
        self.kinds = kinds
        name = path
        base = BaseURL(FileAddress.url(of: path), contents: .file(within: "/"), policy: policy)
        folder = URL(filePath: FileAddress.path(of: path)).deletingLastPathComponent().path
    }

    /// Creates the location of a server response, or of a file by its URL.
    init(base: BaseURL, kinds: LayerKinds) {
        self.kinds = kinds
        name = FetchError.redacted(base.url)
        self.base = base
        folder = (try? FileTransport.path(of: base.url)).map { URL(filePath: $0).deletingLastPathComponent().path }
    }

    /// Whether the document is from another machine.
    var isRemote: Bool { if case .document = base.contents { true } else { false } }

    /// Returns the absolute source of a layer, and its origin.
    ///
    /// - Parameter isTrusted: whether a local file has the rights of the user.
    /// - Throws: ``MapError`` with the cause `refused`, or for a path in a remote document.
    func source(
        _ text: String, of kind: LayerKind, isTrusted: Bool
    ) throws(MapError) -> (source: String, origin: NamedURL.Origin) {
        let isWhole = text.contains("://") || text.hasPrefix("data:")
        guard isRemote else {
            let origin = isTrusted ? NamedURL.Origin.user : base.contents
            guard kind.hasPath, text != "-" else {
                try check(text, origin, kind)
                return (text, origin)
            }
            // A local file is identified by its path, however its URL is written.
            if !isTrusted, let path = try? FileTransport.path(of: text) {
                try check(text, origin, kind)
                return (path, origin)
            }
            guard !isWhole else {
                try check(text, origin, kind)
                return (text, origin)
            }
            let path = URL(fileURLWithPath: text, relativeTo: folder.map { URL(filePath: $0 + "/") }).path
            try check(FileAddress.url(of: path), origin, kind)
            return (path, origin)
        }
        guard kind.source != .archive, text != "-" else {
            throw MapError.layer(.foreign, source: text, kind: kind)
        }
        let whole = isWhole || !kind.hasPath ? text : LooseURL(base.url).resolving(text)
        try check(whole, base.contents, kind)
        return (whole, base.contents)
    }

    private func check(_ address: String, _ origin: NamedURL.Origin, _ kind: LayerKind) throws(MapError) {
        if let refusal = base.policy.refusal(of: NamedURL(address, namedBy: origin)) {
            throw MapError.layer(.refused(refusal), source: address, kind: kind)
        }
    }

    /// Returns the path of a file reference, which is a path or a `file:` URL, or `nil` for other references.
    static func path(ofReference text: String) -> String? {
        if let path = try? FileTransport.path(of: text) { return path }
        guard !text.contains("://"), !text.hasPrefix("data:") else { return nil }
        return PercentEncoding.decode(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns a path as written in a document here: relative if it is in the folder of the document or a subfolder.
    func written(_ path: String) -> String {
        guard let folder, path.hasPrefix("/") else { return path }
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        guard path.hasPrefix(start), path.count > start.count else { return path }
        let rest = String(path.dropFirst(start.count))
        // The relative path must not look like a URL or standard input.
        return rest.contains("://") || rest.hasPrefix("data:") || rest == "-" ? path : rest
    }
}

/// A document that needs its location to resolve references.
protocol LocatedDocument {
    init(_ bytes: [UInt8], _ place: DocumentLocation) throws(DocumentError)
}

extension LocatedDocument {
    /// Reads the document in a file.
    static func read(path: String, _ kinds: LayerKinds) throws(MapError) -> Self {
        do { return try Self(DocumentFile.content(of: path), DocumentLocation(path: path, kinds: kinds)) } catch {
            throw MapError(error)
        }
    }

    /// Reads a document and converts errors to ``MapError``.
    static func read(_ bytes: [UInt8], _ place: DocumentLocation) throws(MapError) -> Self {
        do { return try Self(bytes, place) } catch { throw MapError(error) }
    }
}
