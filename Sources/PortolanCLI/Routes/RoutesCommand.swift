import ArgumentParser
import Foundation
import Portolan
import PortolanRouteBook

/// `portolan routes`: a book of routes.
struct RoutesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Manages a book of routes: import, list, show, draw, export, record.",
        discussion: """
            Routes are stored as imported, GPX or GeoJSON, in the folder of --book (default: \
            \(RouteBook.standardFolder.replacingOccurrences(of: NSHomeDirectory(), with: "~"))).

            EXAMPLES
              portolan routes import walk.gpx https://example.org/tour.geojson
              portolan routes list
              portolan routes show walk
              portolan routes next walk
              portolan routes snapshot walk -o walk.png \\
                -l 'xyz:https://example.org/{z}/{x}/{y}.png'
              portolan routes export walk -o walk.geojson
              portolan routes record /dev/ttyUSB0 --name 'Today'

            EXIT CODES
              0   done
              65  not a valid route, or already in the book
              66  no such route, place or file
              69  no response from the server, or an error
              73  cannot write the book or the output
            """,
        subcommands: [
            RoutesImportCommand.self, RoutesListCommand.self, RoutesShowCommand.self, RoutesSearchCommand.self,
            RoutesNextCommand.self, RoutesPreviousCommand.self, RoutesSnapshotCommand.self, RoutesRecordCommand.self,
            RoutesRenameCommand.self, RoutesRemoveCommand.self, RoutesExportCommand.self,
        ])
}

/// The options of the book and the output.
struct BookOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Use the book in this folder (default: the user's own).", valueName: "dir"),
        completion: .directory)
    var book: String?

    @Flag(help: "Print JSON.")
    var json = false

    var routes: RouteBook { book.map { RouteBook(folder: $0) } ?? RouteBook() }

    /// Prints a value as JSON, or a text.
    func print(_ value: some Encodable, or text: @autoclosure () -> String) throws(CommandFailure) {
        try OutputFile(path: "-").write(json ? try JSONText.bytes(value) : Array(text().utf8))
    }

    /// Routes as a table.
    static func table(_ routes: [RouteBook.Summary]) -> String {
        let rows = routes.map { route in
            [
                route.id, route.name, route.kilometers.map { String(format: "%.1f km", $0) } ?? "",
                route.minutes.map(RouteFacts.hours) ?? "", route.placeCount > 0 ? "\(route.placeCount)" : "",
                route.date.prefix(10).description,
            ]
        }
        return rows.isEmpty ? "" : TextTable.text([["ID", "NAME", "LENGTH", "TIME", "PLACES", "SINCE"]] + rows)
    }

    /// Runs an operation on the book and converts its errors.
    func asking<Result>(_ work: (RouteBook) throws(MapError) -> Result) throws(CommandFailure) -> Result {
        do { return try work(routes) } catch { throw CommandFailure(ofBook: error) }
    }
}

extension CommandFailure {
    /// The failure of a book.
    init(ofBook error: MapError) {
        let status: ExitStatus =
            switch error.code {
            case .malformedDocument, .nothingFound, .tooLarge, .duplicate: .badData
            case .notFound: .noInput
            default: .cannotCreate
            }
        self.init(status, error.description)
    }
}

/// `portolan routes list`.
struct RoutesListCommand: ParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the routes of the book, oldest import first.",
        usage: "portolan routes list [<options>]",
        discussion: """
            EXAMPLES
              portolan routes list
              portolan routes list --book ~/tours --json
            """)

    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        let (routes, warnings) = try book.asking { (book) throws(MapError) in try book.routes() }
        StandardError.warn(warnings)
        try book.print(routes, or: routes.isEmpty ? "the book is empty\n" : BookOptions.table(routes))
    }
}

/// `portolan routes search`.
struct RoutesSearchCommand: ParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Searches the names, descriptions and places of the routes.",
        usage: "portolan routes search <text> [<options>]",
        discussion: """
            Ignores case and accents. The exit code is 66 if nothing is found.

            EXAMPLES
              portolan routes search harbour
            """)

    @Argument(help: "The text to find.") var text: String
    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        let found = try book.asking { (book) throws(MapError) in try book.search(text) }
        if found.isEmpty, !book.json { throw CommandFailure(.noInput, "no route contains '\(text)'") }
        try book.print(found, or: BookOptions.table(found))
    }
}
