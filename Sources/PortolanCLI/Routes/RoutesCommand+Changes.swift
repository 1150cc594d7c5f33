import ArgumentParser
import Foundation
import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanRouteBook

/// `portolan routes import`.
struct RoutesImportCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Imports routes into the book, from files or URLs.",
        discussion: """
            A route is a GPX or GeoJSON file with a line or a place. Icons and pictures next to the file are imported, too. \
            Invalid files are reported and not imported.

            EXAMPLES
              portolan routes import walk.gpx tour.geojson
              portolan routes import https://example.org/tour.geojson --name 'City tour'
            """)

    @Argument(help: ArgumentHelp("Files or URLs, or '-' for standard input.", valueName: "file|url"))
    var sources: [String]

    @Option(help: "Set the name of the route; with one source only (default: the name in the file).")
    var name: String?

    @OptionGroup var book: BookOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }

    func run() async throws {
        guard name == nil || sources.count == 1 else {
            throw CommandFailure(.usage, "--name needs exactly one source; use portolan routes rename for others")
        }
        let client = ServiceClient(configuration: try network.configuration())
        var added: [RouteBook.Summary] = [], failure: CommandFailure?
        for source in sources {
            do { added.append(try await add(source, by: client)) } catch {
                if sources.count == 1 { throw error }
                StandardError.warn(error.message)
                failure = failure ?? error
            }
        }
        await client.flush()
        try book.print(added, or: BookOptions.table(added))
        if let failure {
            throw failure.saying("\(sources.count - added.count) of \(sources.count) routes not imported")
        }
    }

    private func add(_ source: String, by client: ServiceClient) async throws(CommandFailure) -> RouteBook.Summary {
        let book = book.routes, name = name
        do {
            if source == "-" {
                return try book.add(
                    try StandardInput.bytes(), named: name, from: RouteBook.Source(file: "standard input"))
            }
            return try await Interruption.cancelling(consequence: "the book is unchanged") {
                try await book.add(from: source, named: name, by: client)
            }
        } catch let error as MapError {
            guard let error = error.inner as? ServiceError else { throw CommandFailure(ofBook: error) }
            throw CommandFailure(error, of: source)
        } catch let failure as CommandFailure { throw failure } catch {
            throw CommandFailure(.badData, "\(source): \(error)")
        }
    }
}

/// `portolan routes rename`.
struct RoutesRenameCommand: ParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Renames a route; its identifier stays the same.",
        usage: "portolan routes rename <id> <name> [<options>]",
        discussion: """
            EXAMPLES
              portolan routes rename walk 'Walk along the shore'
            """)

    @Argument(help: "The identifier of the route.") var id: String
    @Argument(help: "The new name.") var name: String
    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        try Self.check(name)
        let route = try book.asking { (book) throws(MapError) in try book.rename(id, to: name) }
        try book.print(route, or: BookOptions.table([route]))
    }
}

extension RoutesRenameCommand {
    /// Whether a name is valid for a route.
    static func check(_ name: String) throws(CommandFailure) {
        guard !name.allSatisfy(\.isWhitespace), name.utf8.count <= 1000 else {
            throw CommandFailure(.usage, "a name must have 1 to 1000 bytes")
        }
    }
}

/// `portolan routes remove`.
struct RoutesRemoveCommand: ParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes routes from the book; imported files stay.",
        usage: "portolan routes remove <ids> ... [<options>]",
        discussion: """
            EXAMPLES
              portolan routes remove walk
            """)

    @Argument(help: "The identifiers of the routes.") var ids: [String]
    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        for id in ids { try book.asking { (book) throws(MapError) in try book.remove(id) } }
    }
}

/// `portolan routes export`.
struct RoutesExportCommand: ParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Writes a route as GPX, GeoJSON or CSV.",
        usage: "portolan routes export <id> --output <file> [<options>]",
        discussion: """
            The extension chooses the format: .gpx, .geojson, .json or .csv. In the imported format, the original file is written. \
            GPX cannot hold areas.

            EXAMPLES
              portolan routes export walk -o walk.gpx
              portolan routes export walk -o - | jq .
            """)

    @Argument(help: "The identifier of the route.") var id: String
    @Option(
        name: [.short, .long],
        help: ArgumentHelp("Write this file; '-' is GeoJSON on standard output.", valueName: "file"))
    var output: String
    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        let file = OutputFile(path: output)
        let wantsGPX = file.pathExtension == "gpx", wantsTable = file.pathExtension == "csv"
        guard wantsGPX || wantsTable || file.isStandardOutput || ["geojson", "json"].contains(file.pathExtension) else {
            throw CommandFailure(.usage, "\(output): unknown extension; use .gpx, .geojson or .csv")
        }
        try file.check()
        let route = try book.asking { (book) throws(MapError) in try book.route(id) }
        var format: any FeatureFormat = GeoJSONFormat()
        if wantsGPX { format = GPXFormat() } else if wantsTable { format = CSVFormat() }
        if FeatureFormats.standard.format(recognizing: route.document)?.name == format.name {
            return try file.write(route.document)
        }
        try file.write(format.write(route.collection) ?? [])
        let areas = route.collection.features.count {
            $0.geometry?.kind == .polygon || $0.geometry?.kind == .multiPolygon
        }
        if wantsGPX, areas > 0 { StandardError.warn("\(areas) areas left out: not supported by GPX") }
    }
}
