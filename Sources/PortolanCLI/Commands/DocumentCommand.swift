import ArgumentParser
import Portolan

/// `portolan document`: writes a map as a document.
struct DocumentCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Writes a map as a document: its view and layers, to be drawn again or given away.",
        usage: "portolan document [<map.json>] [-l <layer>]... [<options>] -o <file>",
        discussion: """
            Layers and view are those of render. What is written is a map document, or with --context an OWS Context in \
            GeoJSON (OGC 14-055r2), which other programs read; either may be what it begins with. No service is asked. Files \
            beneath the folder of the document are named relative to it. Names, passwords and keys in addresses are not \
            written; a warning says of which layer.

            EXAMPLES
              A line of render, to be kept:
                portolan document -l 'wms:https://example.org/wms;layers=base' \\
                  -l route.geojson --center 24.94,60.17 --zoom 12 -o map.json
                portolan render map.json -o map.png

              A map document for others, with a title:
                portolan document map.json --context --title 'Helsinki' \\
                  -o helsinki.owc.json

              A context from elsewhere as a map document, with a layer on top:
                portolan document https://example.org/context.json \\
                  -l route.geojson -o map.json

            EXIT CODES
              0 written; the others are those of render.
            """)

    @OptionGroup var map: MapOptions

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The document, written whole or not at all, or '-' for standard output.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var output: String?

    @Flag(help: "Write an OWS Context.")
    var context = false

    @Option(help: "The title of an OWS Context (default: the one that it has, or the name of the file).")
    var title: String?

    @Flag(help: "Show no warnings.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }

    func run() async throws {
        guard let output else {
            throw CommandFailure(
                .usage, "say where the document goes, as in -o map.json; see portolan document --help")
        }
        if title != nil, !context { throw CommandFailure(.usage, "--title goes with --context; give that too") }
        let file = OutputFile(path: output)
        try file.check()
        let map = map, network = network
        let (document, kept) = try await Interruption.cancelling { try await map.document(network) }
        // What goes to standard output may be kept in this folder.
        let place = file.isStandardOutput ? "map.json" : output
        let bytes: [UInt8], lost: [MapWarning]
        if context {
            var written = kept ?? OWSContext(document, title: file.isStandardOutput ? "Map" : file.stem)
            written.update(to: document)
            if let title { written.title = title }
            (bytes, lost) = written.encoded(at: place)
        } else {
            (bytes, lost) = document.encoded(at: place)
        }
        try file.write(bytes)
        if !quiet { StandardError.warn(document.warnings + lost) }
    }
}
