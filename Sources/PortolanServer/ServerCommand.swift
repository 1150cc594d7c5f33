#if Server
import ArgumentParser
import CHeapSettings
import Foundation
import Logging
import Portolan
import PortolanCLI
import PortolanFormats
import PortolanServerCore
import PortolanWeb
import UnixSignals

/// The `portolan-server` command.
struct ServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "portolan-server", abstract: "Serves maps over HTTP.", version: BuildDescription.version,
        subcommands: [ServeCommand.self, CheckCommand.self, SeedTilesCommand.self],
        defaultSubcommand: ServeCommand.self)

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard !BuildDescription.isWanted(by: arguments) else {
            return print(BuildDescription.text(of: "portolan-server"))
        }
        guard !Self.asksForHelp(arguments) else { return print(ServeCommand.helpMessage()) }
        do {
            var command = try parseAsRoot(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as ServerFailure {
            ServerOutput.error(failure.message)
            Foundation.exit(failure.status.rawValue)
        } catch {
            guard exitCode(for: error) != .success else {
                print(fullMessage(for: error))
                return
            }
            ServerOutput.error(message(for: error) + "; see portolan-server --help")
            Foundation.exit(ExitStatus.usage.rawValue)
        }
    }

    /// Whether the arguments request the help of the serve command, which is also that of the whole command.
    private static func asksForHelp(_ arguments: [String]) -> Bool {
        if arguments == ["help"] || arguments == ["help", "serve"] { return true }
        let others: [any ParsableCommand.Type] = [CheckCommand.self, SeedTilesCommand.self]
        if let first = arguments.first, first == "help" || others.contains(where: { $0._commandName == first }) {
            return false
        }
        return arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }
}

/// The failure of the command.
struct ServerFailure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The failure of a map.
    init(_ error: MapBookError) {
        switch error.cause {
        case .document(let document) where document.documentError?.cause == .missing:
            self.init(.noInput, "\(error)")
        case .layer(let layer) where layer.layerError?.code == .missing: self.init(.noInput, "\(error)")
        case .name, .duplicate, .empty: self.init(.usage, "\(error)")
        case .layer(let layer):
            guard case .file? = layer.layerError?.cause else {
                self.init(.badData, "\(error)")
                return
            }
            self.init(
                .badData,
                "\(error); supported: features (GeoJSON, GPX, KML, GML, CSV, Shapefile, …), tiles (MBTiles, PMTiles, GeoPackage), a MapLibre "
                    + "style, a map document (JSON) or a configuration (YAML)")
        case .document: self.init(.badData, "\(error)")
        }
    }
}

/// The output of messages.
enum ServerOutput {
    static func error(_ text: String) { line("error", text) }
    static func warn(_ text: String) { line("warning", text) }
    static func note(_ text: String) { line("note", text) }

    private static func line(_ kind: String, _ text: String) {
        FileHandle.standardError.write(Data("portolan-server: \(kind): \(text.inOneLine(limit: 2000))\n".utf8))
    }
}

/// `portolan-server serve`, the default subcommand.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serves maps over HTTP: a viewer, tiles, static maps, WMS, WMTS and OGC APIs.",
        usage: """
            portolan-server [<options>] <file> ...
            portolan-server [<options>] -l <layer> ...
            portolan-server check <file>     Checks a configuration and its maps.
            portolan-server seed <file> ...  Draws tiles before they are requested.
            """,
        discussion: """
            Serves files of features (GeoJSON, GPX, KML, Shapefile, …), MapLibre
            styles, GeoPackages, MBTiles, PMTiles and map documents, and folders of
            them. Each file is a map with the name of the file. The first page in a
            browser shows the only map, or lists all. A YAML file configures maps,
            keys, limits and logs. Tiles of MBTiles and PMTiles are also at /data as
            they are stored, and the addresses of tileserver-gl work.

            The first line on standard output is the server's URL. SIGTERM ends the
            server after the requests in progress; SIGHUP reloads maps and timetables
            and opens the log file again. With --watch, maps reload when their files
            change. An error in a file keeps all maps as they were.

            EXAMPLES
              Show a file in the browser, on a free port:
                portolan-server streets.geojson --port 0

              All files of a folder, again whenever they change:
                portolan-server ~/maps --watch

              A route over a map service:
                portolan-server -l 'wms:https://example.org/wms;layers=base' \\
                  -l route.geojson

              Vector tiles of an archive, behind a proxy that passes /maps on:
                portolan-server city.pmtiles --prefix /maps

              Several maps, after a check of their configuration:
                portolan-server check maps.yaml && portolan-server maps.yaml

              One of several workers that share pictures and responses:
                portolan-server maps.yaml --cache redis://127.0.0.1:6379

            EXIT CODES
              0   ended by a signal
              64  usage: invalid command line
              65  bad input data
              66  input file missing
              69  the port is in use or not available
              73  the log file cannot be written
            """,
        shouldDisplay: false)

    @OptionGroup(title: "Maps") var maps: ServedMapOptions

    @OptionGroup(title: "Server") var door: DoorOptions

    @OptionGroup(title: "Network") var network: NetworkOptions

    func run() async throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        var configuration = try maps.configuration()
        if let port = door.port { configuration.port = port }
        if let host = door.host { configuration.host = host }
        if let text = door.prefix {
            guard let prefix = MapServer.Settings.prefix(text) else {
                throw ServerFailure(.usage, "--prefix \(text): must be a path like /maps")
            }
            configuration.settings.prefix = prefix
        }
        if let text = door.logFormat {
            guard let format = AccessEntry.Format(rawValue: text) else {
                throw ServerFailure(.usage, "--log-format \(text): must be text, json or combined")
            }
            configuration.log.format = format
        }
        if let file = door.logFile { configuration.log.file = file }
        if door.watch { configuration.reloadsChanges = true }
        configuration.settings.version = BuildDescription.version
        guard (0...65_535).contains(configuration.port) else {
            throw ServerFailure(.usage, "--port \(configuration.port): must be between 0 and 65535")
        }
        let renderers = try network.rendererConfiguration(cache: configuration.cache)
        configuration.settings.store = renderers.store
        let log = try door.quiet ? nil : Self.log(configuration.log), watch = FileWatch()
        let server = try await Self.server(configuration, renderers, watch)
        var service = HTTPService(server)
        (service.host, service.port) = (configuration.host, configuration.port)
        service.healthPort = configuration.healthPort
        (service.noticeTime, service.drainTime) = (configuration.noticeTime, configuration.drainTime)
        service.log = log
        let shown = configuration.host, prefix = configuration.settings.prefix
        let tidying = Task.detached { await Self.giveMemoryBack(server) }
        defer { tidying.cancel() }
        let reload = Task { [maps, renderers, reloadsChanges = configuration.reloadsChanges] in
            await Self.reload(server, maps, renderers, log, reloadsChanges ? watch : nil)
        }
        defer { reload.cancel() }
        @Sendable func address(_ port: Int, _ path: String = "/") -> String {
            "http://\(shown.contains(":") ? "[\(shown)]" : shown):\(port)\(path)"
        }
        do throws(HTTPService.Failure) {
            try await service.run(healthReady: { port in
                ServerOutput.note("health checks and metrics at \(address(port))")
            }) { port in
                // The parent process waits for this line, so it is flushed.
                FileHandle.standardOutput.write(Data("\(address(port, prefix + "/"))\n".utf8))
            }
        } catch { throw ServerFailure(.unavailable, "\(error)") }
    }

    /// Returns free memory to the system whenever the server has been idle for some seconds after rendering.
    private static func giveMemoryBack(_ server: MapServer) async {
        var tidy = 0, last = 0
        while (try? await Task.sleep(for: .seconds(5))) != nil {
            let figures = server.gateFigures
            // A busy server reuses the memory for the next picture.
            if figures.admitted == last, figures.running == 0, figures.admitted != tidy {
                heap_gives_back()
                tidy = last
            }
            last = figures.admitted
        }
    }

    /// Opens the access log.
    private static func log(_ configuration: ServerConfiguration.LogConfiguration) throws(ServerFailure) -> AccessLog {
        do { return try AccessLog(configuration.format, path: configuration.file) } catch {
            throw ServerFailure(
                .cannotCreate,
                "\(configuration.file ?? "log"): the log cannot be written; check the folder and its permissions")
        }
    }

    /// The server of a configuration.
    private static func server(
        _ configuration: ServerConfiguration, _ renderers: RendererConfiguration, _ watch: FileWatch
    ) async throws(ServerFailure) -> MapServer {
        var settings = configuration.settings
        let book: MapBook, begin = Date()
        (book, settings.offer) = try await contents(of: configuration, renderers)
        watch.files(of: configuration, book, readSince: begin)
        settings.offer.city?.listen()
        settings.icons = configuration.icons(renderers)
        return MapServer(book, settings: settings)
    }

    /// Opens the maps and the services of the viewers.
    static func contents(
        of configuration: ServerConfiguration, _ renderers: RendererConfiguration
    ) async throws(ServerFailure) -> (MapBook, ViewerOffer) {
        var renderers = renderers
        // Hosts named in the file are trusted in any network.
        if case .of(let hosts) = configuration.viewer.services { renderers.addressPolicy.allowedHosts.formUnion(hosts) }
        var book = try await book(configuration, renderers)
        book.providers = try await DatabaseConfiguration.open(configuration.databases)
        for tiles in book.providers where (try? book.tiles(tiles.id)) != nil {
            throw ServerFailure(.badData, "tiles '\(tiles.id)': a map with tiles has the same name; rename one")
        }
        return (book, try await configuration.viewer.offer(renderers))
    }

    /// Opens the maps and prints warnings.
    static func book(
        _ configuration: ServerConfiguration, _ renderers: RendererConfiguration
    ) async throws(ServerFailure) -> MapBook {
        let book: MapBook
        do {
            book = try await MapBook.open(
                configuration.maps, configuration: renderers, file: configuration.file, sprites: configuration.sprites)
        } catch {
            throw ServerFailure(error)
        }
        for words in configuration.skipped + book.skipped.map(\.description) { ServerOutput.warn("left out: \(words)") }
        guard !book.maps.isEmpty else {
            throw book.skipped.first.map(ServerFailure.init) ?? configuration.broken.values.first
                ?? ServerFailure(.badData, "no map to serve: no file of the folder can be a map")
        }
        for map in book.maps { for warning in map.warnings { ServerOutput.warn("map '\(map.name)': \(warning)") } }
        for (name, folder) in book.sprites.sorted(by: { $0.key < $1.key }) {
            do throws(SpriteFolder.Failure) {
                for warning in try folder.packed(ratio: 1).warnings {
                    ServerOutput.warn("sprite '\(name)': \(warning)")
                }
            } catch { throw ServerFailure(.badData, "sprite '\(name)': \(error)") }
        }
        return book
    }

    /// Reloads maps and viewers on SIGHUP, and when watched files change: all of them, or none if a part is invalid.
    ///
    /// - Parameter watch: the files to watch, or `nil` for none.
    private static func reload(
        _ server: MapServer, _ maps: ServedMapOptions, _ renderers: RendererConfiguration, _ log: AccessLog?,
        _ watch: FileWatch?
    ) async {
        let (events, event) = AsyncStream.makeStream(of: ReloadCause.self, bufferingPolicy: .bufferingNewest(16))
        let signals = Task {
            for await _ in await UnixSignalsSequence(trapping: .sighup) { event.yield(.signal) }
        }
        let changes = watch.map { watch in Task { await watch.report { event.yield(.change) } } }
        defer {
            signals.cancel()
            changes?.cancel()
        }
        for await cause in events {
            if cause == .signal {
                do { try log?.reopen() } catch {
                    ServerOutput.error("the log file cannot be opened again; the log continues in the open file")
                }
            }
            let begin = Date()
            do throws(ServerFailure) {
                let configuration = try maps.configuration()
                // Also a reload that fails may depend on new files.
                watch?.files(of: configuration, nil, readSince: begin)
                let (book, offer) = try await contents(of: configuration, renderers)
                if let failure = Self.loss(from: server.book, in: book, configuration) { throw failure }
                offer.city?.listen()
                server.replace(book, offer: offer)
                watch?.files(of: configuration, book, readSince: begin)
                ServerOutput.note("maps reloaded: \(book.maps.map(\.name).joined(separator: ", "))")
            } catch {
                ServerOutput.error("maps not reloaded; \(error.message)")
            }
        }
    }

    /// Returns the error of a file in a folder whose map was served before, or `nil`.
    private static func loss(
        from old: MapBook, in new: MapBook, _ configuration: ServerConfiguration
    ) -> ServerFailure? {
        if let error = new.skipped.first(where: { old[$0.map] != nil }) { return ServerFailure(error) }
        return configuration.broken.first { old[$0.key] != nil }?.value
    }

    private enum ReloadCause {
        case signal, change
    }
}

/// `portolan-server check`: reads a configuration and everything it refers to.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Checks a configuration and its maps.")

    @OptionGroup var maps: ServedMapOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    func run() async throws {
        let configuration = try maps.configuration(),
            renderers = try network.rendererConfiguration(cache: configuration.cache)
        let (book, _) = try await ServeCommand.contents(of: configuration, renderers)
        for tiles in book.providers {
            let known = tiles.description
            print(
                "\(tiles.id): vector tiles of \(known.name), levels \(known.levels.lowerBound) to \(known.levels.upperBound)"
            )
        }
        for map in book.maps {
            print(
                "\(map.name): \(map.layers.count) layers, \(map.crs), levels \(map.zooms.lowerBound) to \(map.zooms.upperBound)"
            )
        }
    }
}

/// The address and port.
struct DoorOptions: ParsableArguments {
    @Option(help: "Listen on this port; 0 picks a free one (default: 8080, or that of the configuration).") var port:
        Int?

    @Option(help: "Listen on this address (default: 127.0.0.1, or that of the configuration).") var host: String?

    @Option(
        help: ArgumentHelp(
            "Serve under this path, such as /maps (default: that of the configuration, or none).", valueName: "path"))
    var prefix: String?

    @Flag(help: "Reload maps when their files change, as SIGHUP does.") var watch = false

    @Option(help: ArgumentHelp("Log requests as text, json or combined (default: text).", valueName: "format"))
    var logFormat: String?

    @Option(
        help: ArgumentHelp(
            "Append the log of requests to FILE, opened again on SIGHUP (default: standard error).", valueName: "file"),
        completion: .file())
    var logFile: String?

    @Flag(help: "Log no requests.") var quiet = false
}

/// The maps to serve.
struct ServedMapOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Features, MapLibre styles, GeoPackages, MBTiles, PMTiles, map documents (JSON), folders, or a configuration "
                + "(YAML).", valueName: "file"),
        completion: .file())
    var files: [String] = []

    @Option(
        name: [.short, .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Add a layer, bottom first, above those of the file. Repeatable; see portolan help layers.",
            valueName: "layer"))
    var layer: [String] = []

    @Option(help: "Name the map in URLs (default: after the file, or 'map').") var name: String?

    /// The configuration of the files and the options.
    func configuration() throws(ServerFailure) -> ServerConfiguration {
        guard let first = files.first else {
            guard !layer.isEmpty else {
                throw ServerFailure(.usage, "nothing to serve; add a file, or a layer with -l")
            }
            return ServerConfiguration(maps: [MapSource(name: name ?? "map", layers: layer)])
        }
        let kind = try ServedFile(at: first)
        if kind == .configuration {
            guard files.count == 1 else {
                throw ServerFailure(.usage, "\(first) defines its own maps; name it alone, and list other files in it")
            }
            guard layer.isEmpty, name == nil else {
                throw ServerFailure(
                    .usage, "\(first) defines its own maps and layers; remove --layer and --name")
            }
            return try ServerConfiguration(path: first)
        }
        guard files.count == 1 && kind != .folder || layer.isEmpty && name == nil else {
            throw ServerFailure(.usage, "--layer and --name are for a single file")
        }
        var configuration = ServerConfiguration(maps: [])
        for file in files { try add(file, to: &configuration) }
        return configuration
    }

    private func add(_ file: String, to configuration: inout ServerConfiguration) throws(ServerFailure) {
        let names = Set(configuration.maps.map(\.name))
        var source = MapSource(name: name ?? ServedFile.unused(ServedFile.mapName(for: file) ?? "map", names))
        source.title = ServedFile.title(of: file)
        switch try ServedFile(at: file) {
        case .configuration:
            throw ServerFailure(.usage, "\(file) defines its own maps; name it alone, and list other files in it")
        case .folder: return configuration.add(folder: file)
        case .document: source.document = file
        case .layers(let own): source.layers = own
        }
        source.layers += layer
        configuration.maps.append(source)
    }
}

extension NetworkOptions {
    /// - Parameter cache: the default cache.
    func rendererConfiguration(cache: String?) throws(ServerFailure) -> RendererConfiguration {
        do throws(CommandFailure) { return try configuration(cache: cache) } catch {
            throw ServerFailure(error.status, error.message)
        }
    }
}
#endif
