import ArgumentParser
import Portolan

/// `portolan document`: writes a map as a document.
struct DocumentCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Writes the layers and view of a map to a map document or OWS Context.",
        usage: "portolan document [<map.json>] [-l <layer>]... [<options>] -o <file>",
        discussion: """
            Takes the layers, view and furniture options of render and sends no requests. Writes a map document (JSON), or with --context an \
            OWS Context in GeoJSON (OGC 14-055r2). The input may be either. Files in or below the folder of the output get relative \
            paths. Names, passwords and keys in URLs are left out, with a warning.

            EXAMPLES
              Save the options of a render command:
                portolan document -l 'wms:https://example.org/wms;layers=base' \\
                  -l route.geojson --center 24.94,60.17 --zoom 12 \\
                  --title Helsinki --legend --scale-bar -o map.json
                portolan render map.json -o map.png

              Write an OWS Context for other programs:
                portolan document map.json --context --title 'Helsinki' \\
                  -o helsinki.owc.json

              Convert an OWS Context to a map document, with a layer on top:
                portolan document https://example.org/context.json \\
                  -l route.geojson -o map.json

            EXIT CODES
              0 written; others as in render.
            """)

    @OptionGroup var map: MapOptions

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "Write the document to this file; '-' is standard output.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var output: String?

    @Flag(help: "Write an OWS Context, whose title is --title, the existing one, or the file name.")
    var context = false

    @Flag(help: "Print no warnings.")
    var quiet = false

    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }

    func run() async throws {
        guard let output else {
            throw CommandFailure(
                .usage, "missing output file; add -o map.json (see portolan document --help)")
        }
        let file = OutputFile(path: output)
        try file.check()
        let map = map, network = network
        var (document, kept) = try await Interruption.cancelling { try await map.document(network) }
        var elements = furniture
        // An OWS Context has a title of its own.
        if context { elements.title = nil }
        try elements.write(to: &document.furniture)
        // A document on standard output may be saved in this folder.
        let place = file.isStandardOutput ? "map.json" : output
        let bytes: [UInt8], lost: [MapWarning]
        if context {
            var written = kept ?? OWSContext(document, title: file.isStandardOutput ? "Map" : file.stem)
            written.update(to: document)
            if let title = furniture.title { written.title = title }
            (bytes, lost) = written.encoded(relativeTo: place)
        } else {
            (bytes, lost) = document.encoded(relativeTo: place)
        }
        try file.write(bytes)
        if !quiet { StandardError.warn(document.warnings + lost) }
    }
}
