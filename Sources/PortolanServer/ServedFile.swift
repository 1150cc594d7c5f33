#if Server
import Foundation
import Portolan
import PortolanArchives
import PortolanCLI
import PortolanFeatures
import PortolanServing
import PortolanWeb

/// A file that is named without a word of how to serve it: its content tells.
enum ServedFile: Equatable {
    /// A configuration of several maps.
    case configuration
    /// A map document.
    case document
    /// Layers as `-l` takes them, bottom first.
    case layers([String])

    /// Looks at a file, or takes an address and `KIND:SOURCE` as a layer.
    ///
    /// - Throws: ``ServerFailure`` if there is no file, or nothing that can be served.
    init(at path: String) throws(ServerFailure) {
        let isLayer: Bool
        do throws(LayerError) { isLayer = try LayerSpecification.Parts.ofKind(path) != nil } catch {
            throw ServerFailure(.usage, "\(error)")
        }
        guard FileAddress.isLocal(path), !isLayer else {
            self = .layers([path])
            return
        }
        let head = try Self.head(of: path)
        if ["yaml", "yml"].contains(URL(filePath: path).pathExtension.lowercased()) {
            self = .configuration
            return
        }
        switch ContentKind(recognizing: head) {
        case .json: self = try Self.json(path)
        case .sqlite: self = try Self.database(path)
        case .markup where String(decoding: head, as: UTF8.self).contains("StyledLayerDescriptor"):
            throw ServerFailure(
                .badData,
                "\(path): a style sheet has no features of its own; serve them with -l 'FEATURES;style=\(path)'")
        case nil where head.starts(with: "PMTiles".utf8) && LayerKind.named("pmtiles") != nil:
            self = .layers([Self.layer(path, "pmtiles:")])
        default: self = .layers([Self.layer(path)])
        }
    }

    /// The first kilobyte of a regular file.
    private static func head(of path: String) throws(ServerFailure) -> [UInt8] {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        switch attributes?[.type] as? FileAttributeType {
        case nil:
            throw ServerFailure(.noInput, "\(path): there is no such file; a layer is given with -l")
        case .typeDirectory?: throw ServerFailure(.badData, "\(path): this is a folder; name a file")
        case .typeRegular?: break
        default: throw ServerFailure(.badData, "\(path): this is not a regular file")
        }
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            return [UInt8](try file.read(upToCount: 1024) ?? Data())
        } catch { throw ServerFailure(.badData, "\(path): the file cannot be read; check its permissions") }
    }

    /// A style, a map document, or features.
    private static func json(_ path: String) throws(ServerFailure) -> ServedFile {
        if let bytes = Self.bytes(of: path, limit: MapDocument.maximumByteCount),
            let members = try? JSONReader.value(bytes: bytes).objectValue,
            case .object? = members["sources"], case .array? = members["layers"]
        {
            return .layers([layer(path, "style:")])
        }
        do throws(DocumentError) {
            _ = try MapDocument(path: path)
            return .document
        } catch {
            switch error.cause {
            // What is longer than any document, and what is GeoJSON or not even JSON, is left to the readers of features.
            case .features, .tooLarge, .json: return .layers([layer(path)])
            default: throw ServerFailure(.badData, "\(error)")
            }
        }
    }

    private static func bytes(of path: String, limit: Int) -> [UInt8]? {
        guard let file = try? FileHandle(forReadingFrom: URL(filePath: path)),
            let data = try? file.read(upToCount: limit + 1), data.count <= limit
        else { return nil }
        return [UInt8](data)
    }

    /// The tiles of an MBTiles file, or those of a GeoPackage under its features.
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
                "\(path): this SQLite file has neither the tiles of MBTiles nor those or features of a GeoPackage")
        }
        return .layers(layers)
    }

    private static func layer(_ path: String, _ kind: String = "") -> String {
        kind + path.replacing(";", with: "%3B")
    }

    /// The name of a file without its extension, or `nil` of what is no file.
    static func title(of path: String) -> String? {
        guard FileAddress.isLocal(path), (try? LayerSpecification.Parts.ofKind(path)) == nil else { return nil }
        let stem = URL(filePath: path).deletingPathExtension().lastPathComponent
        return stem.isEmpty ? nil : stem
    }

    /// The name of a file's map in addresses: its own, in which letters have no marks and all else is a hyphen; `nil` if nothing
    /// is left.
    static func mapName(for path: String) -> String? {
        guard let stem = title(of: path) else { return nil }
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
}
#endif
