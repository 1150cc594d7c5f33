#if Server
import Foundation
import Portolan
import PortolanServerCore

/// The maps in the files of a folder and its subfolders.
struct ServedFolder {
    /// The limits of what is read.
    struct Limits {
        /// The number of maps.
        var maps = 1000
        /// The number of files and folders.
        var entries = 20_000
        /// The number of folders in each other.
        var depth = 8
    }

    /// The maps, sorted by path.
    private(set) var sources: [MapSource] = []
    /// The files that are not served, each with the reason.
    private(set) var skipped: [String] = []
    /// The errors of files that look like maps, by the names that these would have.
    private(set) var broken: [String: ServerFailure] = [:]
    /// The folder, its subfolders, and the files that may become maps.
    private(set) var watched: Set<String> = []

    private let root: String
    /// The path without symbolic links, which no file may leave.
    private let realRoot: String
    private let limits: Limits
    private var entryCount = 0
    private var isFull = false

    /// Reads the names of the files, and the beginnings of those that may be maps.
    init(_ path: String, limits: Limits = Limits()) {
        self.limits = limits
        root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        realRoot = URL(filePath: path).resolvingSymlinksInPath().path
        read(root, depth: 1)
        if isFull {
            skipped.append("\(path): only the first \(limits.maps) maps of \(limits.entries) files are served")
        }
    }

    /// The endings of files that can be maps.
    private static let endings: Set = [
        "geojson", "json", "geojsonl", "geojsons", "ndjson", "topojson", "gpx", "kml", "kmz", "gml", "csv", "tsv",
        "shp",
        "zip", "fgb", "parquet", "gpkg", "mbtiles", "pmtiles", "osm", "wkt", "georss",
    ]
    /// The endings of files that belong to others.
    private static let companions: Set = [
        "dbf", "shx", "prj", "cpg", "qix", "sbn", "sbx", "qpj", "cst", "aux", "ovr", "idx", "mbtiles-wal",
        "mbtiles-shm", "mbtiles-journal", "gpkg-wal", "gpkg-shm", "gpkg-journal",
    ]

    private mutating func read(_ folder: String, depth: Int) {
        watched.insert(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            skipped.append("\(folder): the folder cannot be read")
            return
        }
        var folders: [String] = []
        for name in names.sorted() where !name.hasPrefix(".") {
            entryCount += 1
            guard entryCount <= limits.entries, sources.count < limits.maps else {
                isFull = true
                return
            }
            let path = "\(folder)/\(name)"
            switch target(of: path) {
            case .file: add(path)
            case .folder: folders.append(path)
            case .outside: skipped.append("\(path): the link leads out of the folder")
            case .other: skipped.append("\(path): not a file")
            }
        }
        for path in folders where !isFull {
            guard depth < limits.depth else {
                skipped.append("\(path): more than \(limits.depth) folders in each other")
                continue
            }
            read(path, depth: depth + 1)
        }
    }

    private enum Target {
        case file, folder, outside, other
    }

    /// Returns the kind of a file; links count as their targets, and links to folders are not followed.
    private func target(of path: String) -> Target {
        let manager = FileManager.default
        guard let type = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType else { return .other }
        guard type == .typeSymbolicLink else {
            return type == .typeDirectory ? .folder : type == .typeRegular ? .file : .other
        }
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        guard real != realRoot else { return .other }
        guard real.hasPrefix(realRoot.hasSuffix("/") ? realRoot : realRoot + "/") else { return .outside }
        let end = try? manager.attributesOfItem(atPath: real)[.type] as? FileAttributeType
        return end == .typeRegular ? .file : .other
    }

    private mutating func add(_ path: String) {
        let ending = URL(filePath: path).pathExtension.lowercased()
        guard !Self.companions.contains(ending), !path.lowercased().hasSuffix(".shp.xml") else { return }
        guard Self.endings.contains(ending) else {
            skipped.append("\(path): not a map by its name")
            return
        }
        watched.insert(path)
        var source = MapSource(name: name(for: path))
        source.title = ServedFile.title(of: path)
        source.isOptional = true
        do throws(ServerFailure) {
            switch try ServedFile(at: path) {
            case .configuration, .folder: return
            case .document: source.document = path
            case .layers(let layers): source.layers = layers
            }
            sources.append(source)
        } catch {
            skipped.append(error.message)
            broken[source.name] = error
        }
    }

    /// Returns the name of a file's map: its own name, or with its folders or its ending if another map has that.
    private func name(for path: String) -> String {
        let inner = URL(filePath: "/" + path.dropFirst(root.count + 1)), ending = inner.pathExtension
        let own = ServedFile.mapName(for: path) ?? "map"
        let whole = ServedFile.mapName(forText: inner.deletingPathExtension().path) ?? own
        let names = Set(sources.map(\.name))
        return [own, whole, "\(whole)-\(ending)"].first { !names.contains($0) && MapSource.isName($0) }
            ?? ServedFile.unused(own, names)
    }
}
#endif
