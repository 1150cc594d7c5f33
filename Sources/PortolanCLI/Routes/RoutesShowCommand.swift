import ArgumentParser
import Foundation
import Portolan
import PortolanFeatures
import PortolanRouteBook

/// A place of a route, for text and JSON.
struct PlaceDocument: Encodable {
    struct Attachment: Encodable {
        var kind: PlacePanel.Attachment.Kind
        var address: String
        var title: String?
    }

    var id: String?
    var name: String?
    var text: String?
    var coordinates: [Double]
    /// The number of the stop among the places, and their count.
    var number: Int?
    var of: Int
    var meters: Double?
    var progress: Double?
    var attachments: [Attachment]

    init(_ place: Feature, of route: BookedRoute) {
        let panel = PlacePanel(place, of: route.collection, baseURL: route.baseURL)
        id = place.identifier?.description
        name = panel.name
        text = panel.text
        coordinates = place.geometry?.coordinates.first.map { [$0.x, $0.y] } ?? []
        number = panel.number
        of = panel.count
        meters = panel.distance.map { $0.rounded() }
        progress = panel.progress.map { ($0 * 1000).rounded() / 1000 }
        attachments = panel.attachments.map {
            Attachment(kind: $0.kind, address: $0.address.text, title: $0.title)
        }
    }

    /// The place in a few lines.
    var panel: String {
        var lines = [name ?? id ?? "a place"]
        let way = [
            number.map { "\($0) of \(of)" }, meters.map { String(format: "%.1f km along", $0 / 1000) },
            progress.map { String(format: "%.0f %%", $0 * 100) },
        ].compactMap(\.self)
        if !way.isEmpty { lines.append(way.joined(separator: " · ")) }
        if let text { lines.append(text) }
        lines += attachments.map { "\($0.kind.rawValue): \($0.title.map { "\($0), " } ?? "")\($0.address)" }
        return lines.map(PlainText.oneLine).joined(separator: "\n") + "\n"
    }
}

/// `portolan routes show`.
struct RoutesShowCommand: ParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the facts and places of a route.",
        usage: "portolan routes show <id> [--place <place>] [<options>]",
        discussion: """
            EXAMPLES
              portolan routes show walk
              portolan routes show walk --place poi03
              portolan routes show walk --json
            """)

    struct Document: Encodable {
        var route: RouteBook.Summary
        /// Metres of ascent and descent, the lowest and the highest point, if there are altitudes.
        var ascent: Double?
        var descent: Double?
        var lowest: Double?
        var highest: Double?
        var places: [PlaceDocument]
    }

    @Argument(help: "The identifier of the route.") var id: String
    @Option(help: "Show this place only.") var place: String?
    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws {
        let route = try book.asking { (book) throws(MapError) in try book.route(id) }
        let places = route.collection.features.filter { $0.pointOfInterest != nil }
        if let place {
            guard let found = places.first(where: { $0.identifier?.description == place }) else {
                throw CommandFailure(.noInput, "\(id): no place '\(place)' in this route")
            }
            let document = PlaceDocument(found, of: route)
            return try book.print(document, or: document.panel)
        }
        let facts = route.facts, range = facts.elevation?.range
        let document = Document(
            route: route.summary, ascent: facts.elevation?.ascent, descent: facts.elevation?.descent,
            lowest: range?.lowerBound, highest: range?.upperBound,
            places: places.map { PlaceDocument($0, of: route) })
        try book.print(document, or: Self.text(document, facts))
    }

    private static func text(_ document: Document, _ facts: RouteFacts) -> String {
        let bar = facts.infoBar
        var lines = [bar.title, bar.facts.joined(separator: " · ")]
        if let text = document.route.description { lines.append(text) }
        if let lowest = document.lowest, let highest = document.highest {
            lines.append(String(format: "from %.0f m to %.0f m above sea level", lowest, highest))
        }
        lines.append("from \(document.route.source.place)")
        let head = lines.filter { !$0.isEmpty }.map { PlainText.oneLine($0) + "\n" }.joined()
        guard !document.places.isEmpty else { return head }
        let rows = document.places.map { place in
            [
                place.id == document.route.selectedPlace && place.id != nil ? "*" : "", place.id ?? "",
                place.name ?? "",
                place.meters.map { String(format: "%.1f km", $0 / 1000) } ?? "",
                place.attachments.isEmpty ? "" : "\(place.attachments.count)",
            ]
        }
        return head + "\n" + TextTable.text([["", "ID", "PLACE", "ALONG", "ATTACHED"]] + rows)
    }
}

/// `portolan routes next`.
struct RoutesNextCommand: ParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Selects the next place of a route and shows it; after the last, the first.",
        usage: "portolan routes next <id> [<options>]",
        discussion: """
            Skips places whose property `navigable` is false.

            EXAMPLES
              portolan routes next walk
            """)

    @Argument(help: "The identifier of the route.") var id: String
    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws { try book.step(id, by: 1) }
}

/// `portolan routes previous`.
struct RoutesPreviousCommand: ParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "previous", abstract: "Selects the previous place of a route and shows it.",
        usage: "portolan routes previous <id> [<options>]",
        discussion: """
            EXAMPLES
              portolan routes previous walk --json
            """)

    @Argument(help: "The identifier of the route.") var id: String
    @OptionGroup var book: BookOptions

    @OptionGroup(title: "Limits") var limits: LimitOptions

    func run() throws { try book.step(id, by: -1) }
}

extension BookOptions {
    /// Selects another place of a route and shows it.
    fileprivate func step(_ id: String, by count: Int) throws {
        let (place, route) = try asking { (book) throws(MapError) in
            (try book.step(id, by: count), try book.route(id))
        }
        let document = PlaceDocument(place, of: route)
        try print(document, or: document.panel)
    }
}

/// `portolan routes snapshot`.
struct RoutesSnapshotCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Draws a route with an info bar, over other layers.",
        usage: "portolan routes snapshot <id> [-l <layer>]... [<options>] -o <file>",
        discussion: """
            Takes the options of render. The selected place is marked, and the info bar describes it. Without a selected place, \
            the bar has the name, length, time and places of the route.

            EXAMPLES
              portolan routes snapshot walk -o walk.png
              portolan routes snapshot walk -l 'xyz:https://example.org/{z}/{x}/{y}.png' \\
                --select poi03 --scale-bar -o walk.png
              portolan routes snapshot walk --profile -o walk.png
            """)

    @Argument(help: "The identifier of the route.") var id: String
    @Option(help: "Mark this place (default: the selected one).") var select: String?
    @Flag(help: "Draw no info bar.") var noInfoBar = false
    @Option(help: ArgumentHelp("Use the book in this folder (default: the user's own).", valueName: "dir")) var book:
        String?
    @OptionGroup var render: RenderCommand

    var limits: LimitOptions { render.network.limits }
    var timeLimit: TimeLimit { .draws }

    func run() async throws {
        let routes = book.map { RouteBook(folder: $0) } ?? RouteBook()
        let route: BookedRoute
        do { route = try routes.route(id) } catch { throw CommandFailure(ofBook: error) }
        var layer = MapLayer.route(route)
        if let select, var source = layer.features {
            guard let place = source.features.first(where: { $0.identifier?.description == select })?.identifier else {
                throw CommandFailure(.noInput, "\(id): no place '\(select)' in this route")
            }
            source.selection = place
            layer.source = source
        }
        let selected = layer.features.flatMap { source in
            source.selection.flatMap { id in route.collection.features.first { $0.isIdentified(by: id) } }
        }
        let bar = selected.map { PlacePanel($0, of: route.collection, baseURL: route.baseURL).infoBar }
        try await render.run(under: layer, infoBar: noInfoBar ? nil : bar ?? route.facts.infoBar)
    }
}
