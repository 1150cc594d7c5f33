import Portolan
import PortolanCity
import PortolanFetch
import PortolanPlan
import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The identity of the content of a map, which decides whether two pictures of it are the same.
///
/// It covers the layer specifications, the documents, and the files that pictures need.
struct MapContent {
    /// The size in bytes above which a file is identified by its size and modification time alone.
    private static let hashedByteCount = 256 << 20

    /// The hash of all content read to open the map; the same on all machines with the same files.
    let revision: String
    /// Whether each picture needs requests to servers.
    let isChanging: Bool
    /// Whether the revision covers all content that was read.
    let isExact: Bool
    /// The state of the files of ``revision`` that are read while drawing.
    let files: ContentValidity
    /// The local files of ``revision``.
    let paths: [String]

    /// Determines the content of an opened map.
    ///
    /// - Parameter readings: the documents that were read for its layers.
    /// - Complexity: O(*n*) in the bytes of the files.
    init(
        _ specifications: [LayerSpecification], _ document: MapDocument, _ built: [LayerBuilder.Built],
        _ readings: DocumentReadings
    ) {
        var bytes: [UInt8] = [], paths: [String] = []
        func add(_ text: String) { bytes += Array(text.utf8) + [0] }
        add("\(document.view.values)\(document.fonts.map(\.text))")
        for case .file(let path) in document.fonts.map(\.source) {
            paths.append(path)
            bytes += Self.hash(ofFile: path, isHashed: true)
        }
        let read = readings.hashes
        for specification in specifications {
            add("\(specification.kind) \(specification.values.sorted { $0.key < $1.key })")
            guard FileAddress.isLocal(specification.source) else {
                add(specification.source)
                continue
            }
            // Paths differ between machines.
            add(URL(filePath: specification.source).lastPathComponent)
            let own = Self.files(at: specification.source)
            paths += own
            guard read[FileAddress.url(of: specification.source)] == nil else { continue }
            for path in own {
                bytes += Self.hash(ofFile: path, isHashed: specification.kind.readsFeatures)
            }
        }
        for (name, digest) in read.map({ (Self.name(of: $0.key), $0.value) }).sorted(by: {
            $0.0 != $1.0 ? $0.0 < $1.0 : $0.1.lexicographicallyPrecedes($1.1)
        }) {
            add(name)
            bytes += digest
        }
        paths += read.keys.filter(FileAddress.isLocal).compactMap { try? FileTransport.path(of: $0) }
        // These files are read while drawing.
        var files: [String: FileStamp] = [:]
        let shared = built.compactMap { $0.layer?.sharedResources }
        for archive in shared.flatMap(\.archives) { files[archive] = FileStamp(path: archive) }
        for address in Set(shared.flatMap(\.addresses)).map(\.text).sorted() {
            guard let path = try? FileTransport.path(of: address) else { continue }
            files[path] = FileStamp(path: path)
            add(URL(filePath: path).lastPathComponent)
            bytes += Self.hash(ofFile: path, isHashed: true)
            // A sprite may be packed from a folder of icons.
            guard let part = SpriteFolder.Part(ofFile: path) else { continue }
            for path in (try? SpriteFolder(path: part.folder).filePaths()) ?? [] where files[path] == nil {
                files[path] = FileStamp(path: path)
                add(String(path.dropFirst(part.folder.count)))
                bytes += Self.hash(ofFile: path, isHashed: true)
            }
        }
        self.files = ContentValidity(files: files)
        self.paths = paths + files.keys
        isChanging = specifications.contains { !FileAddress.isLocal($0.source) && !$0.kind.isReadOnce }
        isExact = !built.contains { $0.failure != nil } && !specifications.contains { $0.kind == .vehicles }
        if !isExact { add("\(Date().timeIntervalSince1970) \(UInt64.random(in: 0 ... .max))") }
        revision = EntityTag.hexadecimal(SHA256.hash(bytes).prefix(16))
    }

    /// Returns the name of a document in the hash: the whole URL for a remote document.
    private static func name(of url: String) -> String {
        FileAddress.isLocal(url) ? url.split(separator: "/").last.map(String.init) ?? url : url
    }

    /// Returns the files that belong to a path: the parts of a Shapefile, or the files in the folder of a timetable.
    private static func files(at path: String) -> [String] {
        let url = URL(filePath: path).resolvingSymlinksInPath(), manager = FileManager.default
        var isFolder = false
        if let type = try? manager.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType {
            isFolder = type == .typeDirectory
        }
        let folder = isFolder ? url : url.deletingLastPathComponent()
        guard isFolder || url.pathExtension.lowercased() == "shp" else { return [url.path] }
        let stem = url.deletingPathExtension().lastPathComponent
        let names = (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { isFolder || $0.hasPrefix(stem + ".") }.sorted().prefix(1000).map {
            folder.appending(path: $0).path
        }
    }

    /// Returns the hash of the content of a file, or of its size and modification time.
    private static func hash(ofFile path: String, isHashed: Bool) -> [UInt8] {
        let path = URL(filePath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return [0] }
        let size = attributes[.size] as? UInt64 ?? 0
        if isHashed, size <= hashedByteCount, let content = try? LocalFile(at: path).bytes(limit: hashedByteCount) {
            return SHA256.hash(content)
        }
        return Array("\(size) \(MapBook.modificationTime(path) ?? 0)".utf8)
    }
}

extension LayerKind {
    /// Whether the whole source is read when the layer is created, so that drawing needs no requests to servers.
    ///
    /// The sources of a style may still need some; the dependencies of its pictures are known once they are drawn.
    fileprivate var isReadOnce: Bool { readsFeatures || [.style, .transit, .vehicles].contains(self) }
}
