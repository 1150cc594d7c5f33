import PortolanFetch
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a document stands, and so what its relative addresses mean and where its addresses may lead.
struct DocumentLocation {
    /// What it is called in messages: its path, or its address without secrets.
    let name: String
    /// Where addresses begin, and who names them.
    let base: BaseURL
    /// The folder of its file, or `nil` where it is of another machine.
    let folder: String?
    /// The kinds of layers that the document may name.
    let kinds: LayerKinds

    /// A file of this machine: it says what a map is made of, and so leads to files anywhere.
    init(path: String, policy: AddressPolicy = .standard, kinds: LayerKinds = .standard) {
        self.kinds = kinds
        name = path
        base = BaseURL(FileAddress.url(of: path), contents: .file(within: "/"), policy: policy)
        folder = URL(filePath: FileAddress.path(of: path)).deletingLastPathComponent().path
    }

    /// What a server sent, or a file by its address.
    init(base: BaseURL, kinds: LayerKinds) {
        self.kinds = kinds
        name = FetchError.redacted(base.url)
        self.base = base
        folder = (try? FileTransport.path(of: base.url)).map { URL(filePath: $0).deletingLastPathComponent().path }
    }

    /// Whether the document came from another machine.
    var isRemote: Bool { if case .document = base.contents { true } else { false } }

    /// The source of a layer made whole, and who is taken to have named it.
    ///
    /// - Parameter isTrusted: whether a file of this machine speaks for the user.
    /// - Throws: ``MapError`` with the cause `refused`, or of a path in a document from afar.
    func source(
        _ text: String, of kind: LayerKind, isTrusted: Bool
    ) throws(MapError) -> (source: String, origin: AddressOrigin) {
        let isWhole = text.contains("://") || text.hasPrefix("data:")
        guard isRemote else {
            let origin = isTrusted ? AddressOrigin.user : base.contents
            guard kind.hasPath, text != "-" else {
                try check(text, origin, kind)
                return (text, origin)
            }
            // Of a file its path is named, however its address is written.
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

    private func check(_ address: String, _ origin: AddressOrigin, _ kind: LayerKind) throws(MapError) {
        if let refusal = base.policy.refusal(of: NamedURL(address, namedBy: origin)) {
            throw MapError.layer(.refused(refusal), source: address, kind: kind)
        }
    }

    /// The path that a reference to a file means, relative or of a `file:` URL; `nil` for what is no path.
    static func path(ofReference text: String) -> String? {
        if let path = try? FileTransport.path(of: text) { return path }
        guard !text.contains("://"), !text.hasPrefix("data:") else { return nil }
        return PercentEncoding.decode(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// A path as it stands in a document here: relative where it lies in the folder of the document or beneath it.
    func written(_ path: String) -> String {
        guard let folder, path.hasPrefix("/") else { return path }
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        guard path.hasPrefix(start), path.count > start.count else { return path }
        let rest = String(path.dropFirst(start.count))
        // It must not be taken for an address, nor for standard input.
        return rest.contains("://") || rest.hasPrefix("data:") || rest == "-" ? path : rest
    }
}

/// A document that is read by where it stands.
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

    /// Reads a document for a program.
    static func read(_ bytes: [UInt8], _ place: DocumentLocation) throws(MapError) -> Self {
        do { return try Self(bytes, place) } catch { throw MapError(error) }
    }
}
