#if Server
import Foundation
import Portolan
import PortolanArchives
import PortolanCLI
import PortolanFeatures
import PortolanServerCore
import PortolanWeb

/// A file without a stated kind, recognized by its content.
enum ServedFile: Equatable {
    /// A configuration of several maps.
    case configuration
    /// A map document.
    case document
    /// A folder of files.
    case folder
    /// Layers in the notation of `-l`, bottom first.
    case layers([String])

    /// Recognizes a file, or takes a URL or `KIND:SOURCE` as a layer.
    ///
    /// - Throws: ``ServerFailure`` if the file is missing or cannot be served.
    init(at path: String) throws(ServerFailure) {
        let isLayer: Bool
        do throws(MapError) { isLayer = try LayerSpecification.Parts.ofKind(path, .command) != nil } catch {
            throw ServerFailure(.usage, error.sentence)
        }
        guard FileAddress.isLocal(path), !isLayer else {
            self = .layers([path])
            return
        }
        let file: LocalFile, head: [UInt8]
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        let type = try? FileManager.default.attributesOfItem(atPath: real)[.type] as? FileAttributeType
        guard type != .typeDirectory || Self.isDataset(path) else {
            self = .folder
            return
        }
        do throws(LocalFileError) {
            file = try LocalFile(at: path)
            head = try file.start(1024)
        } catch { throw Self.failure(error) }
        if ["yaml", "yml"].contains(URL(filePath: path).pathExtension.lowercased()) {
            self = .configuration
            return
        }
        switch ContentKind(recognizing: head) {
        case .json: self = try Self.json(file)
        case .sqlite: self = try Self.database(path)
        case .markup where String(decoding: head, as: UTF8.self).contains("StyledLayerDescriptor"):
            throw ServerFailure(
                .badData,
                "\(path): a style sheet has no features; serve them with -l 'FEATURES;style=\(path)'")
        case nil where head.starts(with: "PMTiles".utf8) && LayerKinds.command.kind(named: "pmtiles") != nil:
            self = .layers([Self.layer(path, "pmtiles:")])
        default: self = .layers([Self.layer(path)])
        }
    }

    /// Whether a folder is one map by its name: a file geodatabase.
    private static func isDataset(_ path: String) -> Bool { path.lowercased().hasSuffix(".gdb") }

    private static func failure(_ error: LocalFileError) -> ServerFailure {
        switch error.code {
        case .missing: ServerFailure(.noInput, "\(error)")
        case .folder:
            ServerFailure(.badData, "\(error); name a file, or the folder of several")
        case .notPermitted: ServerFailure(.badData, "\(error); check its permissions")
        case .notRegular, .refused, .tooLong, .cancelled, .system: ServerFailure(.badData, "\(error)")
        }
    }

    /// A style, a map document, or features.
    private static func json(_ file: LocalFile) throws(ServerFailure) -> ServedFile {
        let path = file.path
        // A file larger than any document is passed to the feature readers.
        guard let bytes = try? file.bytes(limit: MapDocument.maximumByteCount) else { return .layers([layer(path)]) }
        if let members = try? JSONReader.value(bytes: bytes).objectValue,
            case .object? = members["sources"], case .array? = members["layers"]
        {
            return .layers([layer(path, "style:")])
        }
        do throws(MapError) {
            _ = try MapDocument(bytes: bytes, path: path, kinds: .command)
            return .document
        } catch {
            switch error.documentError?.cause {
            // Large files, GeoJSON and files that are not JSON are passed to the feature readers.
            case .features, .tooLarge, .json: return .layers([layer(path)])
            default: throw ServerFailure(.badData, error.sentence)
            }
        }
    }

    /// The tiles of an MBTiles file, or those of a GeoPackage below its features.
    private static func database(_ path: String) throws(ServerFailure) -> ServedFile {
        let isNamed = URL(filePath: path).pathExtension.lowercased() == "mbtiles"
        if isNamed || (try? MBTilesFile(path: path)) != nil { return .layers([layer(path, "mbtiles:")]) }
        var layers: [String] = []
        if (try? GeoPackageFile(path: path)) != nil { layers.append(layer(path, "gpkg:")) }
        if let features = try? GeoPackageFeatures(path: path) {
            let names = features.layers.map { $0.name.replacing(";", with: "%3B") }
            layers += names.map { layer(path) + ";layer=\($0);name=\($0)" }
        }
        guard !layers.isEmpty else {
            throw ServerFailure(
                .badData,
                "\(path): this SQLite file is neither MBTiles nor a GeoPackage with tiles or features")
        }
        return .layers(layers)
    }

    private static func layer(_ path: String, _ kind: String = "") -> String {
        kind + path.replacing(";", with: "%3B")
    }

    /// The file name without extension, or `nil` if the source is not a file.
    static func title(of path: String) -> String? {
        guard FileAddress.isLocal(path), (try? LayerSpecification.Parts.ofKind(path, .command)) == nil else {
            return nil
        }
        let stem = URL(filePath: path).deletingPathExtension().lastPathComponent
        return stem.isEmpty ? nil : stem
    }

    /// The name of a file's map in URLs: letters without diacritics, other characters as hyphens; `nil` if nothing
    /// is left.
    static func mapName(for path: String) -> String? { title(of: path).flatMap(mapName(forText:)) }

    /// A text as the name of a map.
    static func mapName(forText stem: String) -> String? {
        var name = ""
        for scalar in stem.decomposedStringWithCanonicalMapping.unicodeScalars
        where !(0x300...0x36F).contains(scalar.value) {
            let letter = String(scalar)
            if MapSource.isName(letter) || letter == "." {
                name += letter
            } else if !name.hasSuffix("-") {
                name += "-"
            }
        }
        name = String(name.drop { $0 == "-" || $0 == "." }.prefix(64))
        while name.hasSuffix("-") { name.removeLast() }
        return MapSource.isName(name) ? name : nil
    }

    /// Returns a name with the first number that makes it different from others.
    static func unused(_ name: String, _ names: Set<String>) -> String {
        guard names.contains(name) else { return name }
        var number = 2
        while names.contains("\(name.prefix(56))-\(number)") { number += 1 }
        return "\(name.prefix(56))-\(number)"
    }
}
#endif
