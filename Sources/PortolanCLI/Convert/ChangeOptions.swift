import ArgumentParser
import Portolan
import PortolanFeatures
import PortolanGeo
import PortolanStyles
import PortolanWeb

/// The options that choose and change features before they are written.
struct ChangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Add the columns of a CSV table to the features with the same key (see --on).", valueName: "table"))
    var join: String?

    @Option(
        help: ArgumentHelp(
            "The key of --join: one name, PROPERTY:COLUMN, or id for identifiers.", valueName: "key"))
    var on: String?

    @Option(
        help: ArgumentHelp(
            "Keep the features that a MapLibre expression accepts, as '[\">\", [\"get\", \"pop\"], 1000]'.",
            valueName: "expression"))
    var filter: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Keep what is inside a box, west,south,east,north, or inside the polygons of a file.",
            valueName: "box|file"))
    var clip: String?

    @Option(help: ArgumentHelp("The CRS of a box of --clip (default: degrees).", valueName: "crs"))
    var clipCrs: String?

    @Option(help: ArgumentHelp("Merge the polygons with the same value of a property.", valueName: "property"))
    var dissolve: String?

    @Option(
        help: ArgumentHelp(
            "Remove vertices within N metres of the new line, or all but N% of them. Neighbours stay neighbours.",
            valueName: "n|n%"))
    var simplify: String?

    @Flag(help: "Write centroids in place of shapes. They may be outside of bent shapes.")
    var centroids = false

    @Option(
        help: ArgumentHelp("Sort features by a property; largest first with ':desc'.", valueName: "property[:desc]"))
    var sort: String?

    @Option(help: ArgumentHelp("Keep these properties only, with commas, in this order.", valueName: "names"))
    var select: String?

    /// The changes, with the documents that they need.
    ///
    /// The options are checked before any document is read.
    func changes(_ network: NetworkOptions) async throws -> FeatureChanges {
        var changes = FeatureChanges()
        changes.dissolved = dissolve
        changes.hasCentroids = centroids
        changes.filter = try filter.map(Self.filter)
        changes.simplification = try simplify.map(Self.simplification)
        changes.order = sort.map(Self.order)
        changes.selected = try select.map(Self.names)
        if on != nil, join == nil { throw CommandFailure(.usage, "--on needs a table; add --join FILE.csv") }
        if join != nil, on == nil {
            throw CommandFailure(.usage, "--join needs the key of features and rows; add --on PROPERTY, or --on id")
        }
        let sides = clip.flatMap { ViewRequest.numbers($0, count: 4) }
        if clipCrs != nil, sides == nil { throw CommandFailure(.usage, "--clip-crs needs a box; add --clip") }
        if let sides {
            let crs = try clipCrs.map { text throws(CommandFailure) in try ViewRequest.crs(text, option: "--clip-crs") }
            changes.clip = try ClipSource(box: sides, in: crs ?? .crs84)
        } else if let clip {
            let areas = try await FeatureInput(source: clip, layer: nil).collection(network)
            changes.clip = try ClipSource(areas, named: clip)
        }
        if let join, let on { changes.join = try await table(join, on: on, network) }
        return changes
    }

    private static func filter(_ text: String) throws(CommandFailure) -> StyleExpression {
        let json: PropertyValue
        do { json = try JSONReader.value(bytes: Array(text.utf8)) } catch {
            throw CommandFailure(.usage, "--filter: not valid JSON: \(error.detail)")
        }
        let filter: StyleExpression
        do { filter = try StyleExpression(filter: json) } catch { throw CommandFailure(.usage, "--filter: \(error)") }
        guard filter.isZoomConstant else {
            throw CommandFailure(.usage, "--filter: features in a file have no zoom; remove [\"zoom\"]")
        }
        return filter
    }

    private static func simplification(_ text: String) throws(CommandFailure) -> Simplification {
        let isShare = text.hasSuffix("%")
        guard let number = Double(isShare ? text.dropLast() : text[...]), number.isFinite, number > 0,
            !isShare || number <= 100
        else {
            throw CommandFailure(.usage, "--simplify \(text): expected metres above 0, as 250, or a percentage, as 10%")
        }
        return isShare ? .share(number / 100) : .meters(number)
    }

    private static func order(_ text: String) -> FeatureChanges.Order {
        // Names of properties may contain colons.
        for (ending, isDescending) in [(":desc", true), (":asc", false)] where text.hasSuffix(ending) {
            return FeatureChanges.Order(property: String(text.dropLast(ending.count)), isDescending: isDescending)
        }
        return FeatureChanges.Order(property: text, isDescending: false)
    }

    private static func names(_ text: String) throws(CommandFailure) -> [String] {
        let names = text.split(separator: ",").map(String.init)
        guard !names.isEmpty else {
            throw CommandFailure(.usage, "--select: expected names of properties, with commas")
        }
        return names
    }

    private func table(_ source: String, on key: String, _ network: NetworkOptions) async throws -> FeatureJoin? {
        let client = ServiceClient(configuration: try network.configuration())
        let specification = try CommandFailure.layer { () throws(MapError) in
            try LayerSpecification(
                kind: .features, source: source, values: ["join": source, "on": key], kinds: .command)
        }
        return try await Interruption.cancelling {
            do throws(MapError) {
                var notes: [MapWarning] = []
                let join = try await LayerBuilder(client: client).join(of: specification, &notes)
                StandardError.warn(notes)
                return join
            } catch { throw CommandFailure(error) }
        }
    }
}
