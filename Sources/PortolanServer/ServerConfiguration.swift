#if Server
import Foundation
import Portolan
import PortolanCLI
import PortolanRouteBook
import PortolanServerCore
import PortolanWeb
import Yams

/// The configuration of a server in YAML.
///
/// ```yaml
/// port: 8080
/// maps:
///   city: {title: The city, document: city.json, zooms: 10-18, max-age: 3600}
///   route: {layers: ["wms:https://example.org/wms;layers=base", route.geojson]}
/// ```
struct ServerConfiguration: Sendable {
    /// The address to listen on.
    var host = "127.0.0.1"
    /// The port; 0 for any free one.
    var port = 8080
    /// The port of health checks and metrics, or `nil` to serve them with the maps.
    var healthPort: Int?
    /// The drain time on shutdown, and the time limit for requests in progress.
    var noticeTime = Duration.zero, drainTime = Duration.seconds(25)
    /// The settings for responses.
    var settings = MapServer.Settings(processors: ProcessInfo.processInfo.activeProcessorCount)
    /// The cache, in the notation of `--cache`, or `nil` for the default.
    var cache: String?
    /// The configuration file, or `nil`.
    var file: String?
    /// Whether changed files are read again.
    var reloadsChanges = false
    /// The format and the file of the access log.
    var log = LogConfiguration()
    /// The folders whose files are maps.
    private(set) var folders: [String] = []
    /// The files that are not served, each with the reason.
    var skipped: [String] = []
    /// The errors of files in folders, by the names of their maps.
    var broken: [String: ServerFailure] = [:]
    /// The files and folders that the list of maps comes from.
    var watched: Set<String> = []
    /// The permissions and limits of viewers.
    var viewer = ViewerConfiguration()
    /// The folders of icons that are served as sprites, by identifier.
    var sprites: [String: SpriteFolder] = [:]
    /// The folder and the hosts of icons that clients may name, or `nil` for none.
    private var icons: (folder: String?, hosts: Set<String>)?
    /// The databases whose tables and functions are vector tiles.
    var databases: [DatabaseConfiguration] = []
    /// The maps.
    var maps: [MapSource]

    init(maps: [MapSource]) { self.maps = maps }

    /// The format and the file of the access log.
    struct LogConfiguration: Sendable {
        /// The format.
        var format = AccessEntry.Format.text
        /// The path of the file, or `nil` for standard error.
        var file: String?
    }

    /// Adds the maps of a folder.
    mutating func add(folder path: String) {
        let folder = ServedFolder(path)
        for var source in folder.sources {
            source.name = ServedFile.unused(source.name, Set(maps.map(\.name)))
            maps.append(source)
        }
        skipped += folder.skipped
        broken.merge(folder.broken) { first, _ in first }
        watched.formUnion(folder.watched)
    }

    /// Reads a file; paths in it are relative to it.
    ///
    /// - Throws: ``ServerFailure`` with the line.
    init(path: String) throws(ServerFailure) {
        let url = URL(filePath: path), bytes: [UInt8]
        do throws(LocalFileError) { bytes = try LocalFile(at: path).bytes(limit: 1 << 20) } catch {
            if case .tooLong = error.code { throw ServerFailure(.badData, "\(path): exceeds 1 MiB") }
            throw ServerFailure(.noInput, "\(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ServerFailure(.badData, "\(path): not UTF-8 text")
        }
        let root: Node?
        do { root = try compose(yaml: text) } catch let error as YamlError {
            throw ServerFailure(.badData, "\(path): not valid YAML: \(Self.words(error))")
        } catch { throw ServerFailure(.badData, "\(path): not valid YAML: \(error)") }
        guard let root else { throw ServerFailure(.badData, "\(path): the file is empty") }
        self.init(maps: [])
        file = path
        let reader = YAMLReader(path: path, folder: url.deletingLastPathComponent())
        try read(root, reader)
    }

    private static func words(_ error: YamlError) -> String {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "line \(mark.line), column \(mark.column): \(problem)"
        default: "\(error)"
        }
    }

    private mutating func read(_ root: Node, _ reader: YAMLReader) throws(ServerFailure) {
        for (key, node) in try reader.members(
            root, "the configuration",
            known: [
                "host", "port", "base-url", "prefix", "maps", "limits", "rate", "pictures", "label-reach",
                "tile-gutter",
                "signing-keys",
                "trusted-proxies", "exceptions-status", "routes", "viewer", "health-port", "shutdown",
                "cache", "memory-mib", "sprites", "icons", "postgis", "folders", "reload", "cors", "log",
            ])
        {
            switch key {
            case "host": host = try reader.text(node, key)
            case "port": port = try reader.whole(node, key, in: 0...65_535)
            case "health-port": healthPort = try reader.whole(node, key, in: 0...65_535)
            case "shutdown": try readShutdown(node, reader)
            case "cache":
                let place = try reader.text(node, key)
                cache = NetworkOptions.namesServer(place) ? place : reader.path(place)
            case "base-url":
                let base = try reader.text(node, key)
                guard let parts = URLParts(base), ["http", "https"].contains(parts.scheme) else {
                    throw reader.failure(node, "'base-url' must be a URL like https://maps.example.org")
                }
                settings.base = base.hasSuffix("/") ? String(base.dropLast()) : base
            case "prefix":
                guard let prefix = MapServer.Settings.prefix(try reader.text(node, key)) else {
                    throw reader.failure(node, "'prefix' must be a path like /maps")
                }
                settings.prefix = prefix
            case "folders":
                guard let list = node.sequence else { throw reader.failure(node, "'folders' must be a list") }
                for entry in list { folders.append(reader.path(try reader.text(entry, key))) }
            case "reload": reloadsChanges = try reader.choice(node, key, ["on-signal", "on-change"]) == 1
            case "cors": settings.crossOrigins = try Self.crossOrigins(node, reader)
            case "log": try readLog(node, reader)
            case "memory-mib":
                settings.pictures.memoryByteCount = try reader.whole(node, key, in: 8...(1 << 20)) << 20
            // The second name is that of older versions.
            case "label-reach", "tile-gutter": settings.labelReach = try reader.whole(node, key, in: 0...512)
            case "routes": try readRoutes(node, reader)
            case "icons": try readIcons(node, reader)
            case "exceptions-status":
                let status = try reader.whole(node, key, in: 200...400)
                guard status == 200 || status == 400 else {
                    throw reader.failure(node, "'exceptions-status' must be 200 or 400")
                }
                settings.exceptionsAreSuccesses = status == 200
            case "trusted-proxies":
                guard let list = node.sequence else { throw reader.failure(node, "'trusted-proxies' must be a list") }
                for entry in list { settings.trustedProxies.insert(try reader.text(entry, key)) }
            case "signing-keys":
                guard let list = node.sequence else { throw reader.failure(node, "'signing-keys' must be a list") }
                var keys: [[UInt8]] = []
                for entry in list { keys.append(Array(try reader.text(entry, key).utf8)) }
                guard let signature = URLSignature(keys: keys) else {
                    throw reader.failure(node, "'signing-keys' must be strings of 16 bytes or more")
                }
                settings.signature = signature
            case "viewer":
                try viewer.read(node, reader)
                settings.viewers = viewer.budget
            case "limits": try readLimits(node, reader)
            case "pictures": try readPictures(node, reader)
            case "postgis": databases = try DatabaseConfiguration.all(node, reader)
            case "rate": try readRate(node, reader)
            case "sprites": try readSprites(node, reader)
            default:
                for (name, map) in try reader.members(node, "'maps'", known: nil) {
                    maps.append(try Self.source(name, map, reader))
                }
            }
        }
        guard !maps.isEmpty || !folders.isEmpty || !databases.isEmpty else {
            throw reader.failure(root, "missing 'maps'")
        }
        for folder in folders {
            guard case .folder = try ServedFile(at: folder) else {
                throw ServerFailure(.badData, "\(folder): not a folder; list files under 'maps'")
            }
            add(folder: folder)
        }
    }

    private static func crossOrigins(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) -> CrossOrigins {
        if let isAny = node.bool { return isAny ? .any : .none }
        let words = "'cors' must be true, false or a list of origins like https://example.org"
        guard let list = node.sequence else { throw reader.failure(node, words) }
        var origins: Set<String> = []
        for entry in list {
            guard let origin = CrossOrigins.origin(try reader.text(entry, "cors")) else {
                throw reader.failure(entry, words)
            }
            origins.insert(origin)
        }
        return .of(origins)
    }

    private mutating func readLog(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        for (key, node) in try reader.members(node, "'log'", known: ["format", "file"]) {
            if key == "file" {
                log.file = reader.path(try reader.text(node, key))
            } else {
                log.format =
                    AccessEntry.Format.allCases[
                        try reader.choice(node, key, AccessEntry.Format.allCases.map(\.rawValue))]
            }
        }
    }

    /// Reads the keys of an object: a name for each.
    static func keys(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) -> AccessKeys {
        var keys: [(name: String, key: String)] = []
        for (name, key) in try reader.members(node, "'keys'", known: nil) {
            keys.append((name, try reader.text(key, name)))
        }
        guard !keys.isEmpty, let keys = AccessKeys(keys) else {
            throw reader.failure(node, "'keys' must be strings of 16 bytes or more, a different one for each name")
        }
        return keys
    }

    private mutating func readLimits(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        for (key, node) in try reader.members(
            node, "'limits'", known: ["side", "pixels", "layers", "overlays", "vertices", "address", "body", "upload"])
        {
            switch key {
            case "side": settings.limits.sidePixels = try reader.whole(node, key, in: 1...16_384)
            case "pixels": settings.limits.pixels = try reader.whole(node, key, in: 1...(1 << 26))
            case "layers": settings.limits.layers = try reader.whole(node, key, in: 1...1000)
            case "overlays": settings.limits.overlays = try reader.whole(node, key, in: 0...100_000)
            case "vertices": settings.limits.vertices = try reader.whole(node, key, in: 0...10_000_000)
            case "address": settings.limits.targetBytes = try reader.whole(node, key, in: 256...(48 << 10))
            case "upload": settings.limits.uploadBytes = try reader.whole(node, key, in: 0...(512 << 20))
            default: settings.limits.bodyBytes = try reader.whole(node, key, in: 0...(64 << 20))
            }
        }
    }

    /// A folder, or an object with it and the keys of people who may change its contents.
    private mutating func readRoutes(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        guard node.scalar == nil else {
            settings.routes = RouteBook(folder: reader.path(try reader.text(node, "routes")))
            return
        }
        for (key, node) in try reader.members(node, "'routes'", known: ["folder", "keys"]) {
            switch key {
            case "folder": settings.routes = RouteBook(folder: reader.path(try reader.text(node, key)))
            default:
                settings.routeKeys = try Self.keys(node, reader)
            }
        }
        guard settings.routes != nil else { throw reader.failure(node, "'routes' needs 'folder'") }
    }

    /// A folder, or an object with it and a list of hosts.
    private mutating func readIcons(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        guard node.scalar == nil else {
            icons = (reader.path(try reader.text(node, "icons")), [])
            return
        }
        var folder: String?, hosts: Set<String> = []
        for (key, node) in try reader.members(node, "'icons'", known: ["folder", "hosts"]) {
            guard key == "hosts" else {
                folder = reader.path(try reader.text(node, key))
                continue
            }
            guard let list = node.sequence else { throw reader.failure(node, "'hosts' must be a list") }
            for entry in list { hosts.insert(try reader.text(entry, key).lowercased()) }
        }
        icons = (folder, hosts)
    }

    /// Returns the images that clients may name.
    func icons(_ configuration: RendererConfiguration) -> IconShelf? {
        icons.map { IconShelf(folder: $0.folder, hosts: $0.hosts, configuration: configuration) }
    }

    private mutating func readPictures(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        for (key, node) in try reader.members(
            node, "'pictures'", known: ["concurrency", "queue", "deadline", "kept-mib"])
        {
            switch key {
            case "concurrency": settings.pictures.concurrency = try reader.whole(node, key, in: 1...256)
            case "queue": settings.pictures.room = try reader.whole(node, key, in: 0...100_000)
            case "deadline": settings.pictures.deadline = .seconds(try reader.whole(node, key, in: 1...600))
            default: settings.pictures.keptByteCount = try reader.whole(node, key, in: 0...(1 << 16)) << 20
            }
        }
    }

    private mutating func readShutdown(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        for (key, node) in try reader.members(node, "'shutdown'", known: ["notice", "drain"]) {
            let time = Duration.seconds(try reader.whole(node, key, in: 0...3600))
            if key == "notice" { noticeTime = time } else { drainTime = time }
        }
    }

    /// A folder of icons, whose name is the identifier, or an object of identifiers and folders.
    private mutating func readSprites(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        guard node.scalar == nil else {
            let path = reader.path(try reader.text(node, "sprites")), name = URL(filePath: path).lastPathComponent
            guard MapSource.isName(name) else {
                throw reader.failure(node, "'\(name)' is not a valid sprite name; write 'sprites: {NAME: FOLDER}'")
            }
            sprites[name] = SpriteFolder(path: path)
            return
        }
        for (name, node) in try reader.members(node, "'sprites'", known: nil) {
            guard MapSource.isName(name) else {
                throw reader.failure(
                    node, "'\(name)' is not a valid sprite name: 1 to 64 letters, digits, '-', '_' and '.'")
            }
            guard node.scalar == nil else {
                sprites[name] = SpriteFolder(path: reader.path(try reader.text(node, name)))
                continue
            }
            var folder: SpriteFolder?, isDistanceField = false
            for (key, node) in try reader.members(node, "sprite '\(name)'", known: ["folder", "sdf"]) {
                if key == "folder" {
                    folder = SpriteFolder(path: reader.path(try reader.text(node, key)))
                } else {
                    guard let flag = node.bool else { throw reader.failure(node, "'sdf' must be true or false") }
                    isDistanceField = flag
                }
            }
            folder?.isDistanceField = isDistanceField
            guard let folder else { throw reader.failure(node, "sprite '\(name)' needs 'folder'") }
            sprites[name] = folder
        }
    }

    private mutating func readRate(_ node: Node, _ reader: YAMLReader) throws(ServerFailure) {
        var perSecond = 10.0, burst = 50
        for (key, node) in try reader.members(node, "'rate'", known: ["per-second", "burst"]) {
            switch key {
            case "per-second": perSecond = try reader.number(node, key)
            default: burst = try reader.whole(node, key, in: 1...1_000_000)
            }
        }
        guard let rate = TokenBuckets.Rate(perSecond: perSecond, burst: burst) else {
            throw reader.failure(node, "'per-second' must be more than zero")
        }
        settings.rate = rate
    }

    private static func source(_ name: String, _ node: Node, _ reader: YAMLReader) throws(ServerFailure) -> MapSource {
        var source = MapSource(name: name)
        source.folder = reader.folder.path
        guard MapSource.isName(name) else {
            throw reader.failure(node, "'\(name)' is not a valid map name: 1 to 64 letters, digits, '-', '_' and '.'")
        }
        if node.scalar != nil {
            source.document = reader.path(try reader.text(node, name))
            return source
        }
        for (key, node) in try reader.members(
            node, "map '\(name)'", known: ["title", "document", "layers", "zooms", "max-age", "keys"])
        {
            switch key {
            case "title": source.title = try reader.text(node, key)
            case "keys": source.keys = try keys(node, reader)
            case "document": source.document = reader.path(try reader.text(node, key))
            case "layers":
                guard let list = node.sequence else { throw reader.failure(node, "'layers' must be a list") }
                for layer in list { source.layers.append(try reader.text(layer, key)) }
            case "zooms": source.zooms = try reader.levels(node)
            default: source.maximumAge = try reader.whole(node, key, in: 0...31_536_000)
            }
        }
        return source
    }
}
#endif
