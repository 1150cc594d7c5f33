import Portolan
import PortolanFeatures
import PortolanWeb

/// `help layers` and `help layers KIND`: the kinds of layers and their keys, as tables.
package enum LayerHelp {
    /// The names of the heatmap ramps.
    static let ramps = HeatmapSymbol.Ramp.allCases.map(\.rawValue).joined(separator: ", ")

    /// The text for a command line that begins with `help layers`, or `nil` for others.
    ///
    /// - Throws: ``CommandFailure`` for an unknown kind.
    static func text(for arguments: some Collection<String>, program: String) throws(CommandFailure) -> String? {
        let words = Array(arguments)
        guard words.prefix(2) == ["help", "layers"], words.count <= 3 else { return nil }
        guard words.count == 3 else { return overview(program) }
        let name = words[2].hasSuffix(":") ? String(words[2].dropLast()) : words[2]
        guard let kind = LayerKinds.command.kind(named: name) else {
            let names = LayerKinds.command.kinds.map(\.name)
            let near = NearName.nearest(to: name, in: names).map { "did you mean '\($0)'? " } ?? ""
            throw CommandFailure(
                .usage, "unknown kind '\(name)'; \(near)available: \(names.joined(separator: ", "))")
        }
        return keys(of: kind)
    }

    private static func overview(_ program: String) -> String {
        var text = """
            A layer is [KIND:]SOURCE[;key=value]…, as in

              -l 'wms:https://example.org/wms;layers=roads;opacity=0.5'

            Write a ';' in a source or value as %3B. A map document (JSON) has layers with
            the same keys, a view and furniture; its paths are relative to the document:

              {"center": [-0.88, 41.65], "zoom": 15, "size": [800, 600],
               "furniture": {"title": "Roads", "legend": true, "scale-bar": true},
               "layers": [{"wms": "https://example.org/wms", "layers": "a,b"},
                          {"source": "route.geojson", "stroke": "#f00"}]}

            KINDS

            """
        for kind in LayerKinds.command.kinds {
            let (form, summary) = parts(of: kind)
            text += Wrapping.lines(summary, first: "  \(form)".padding(to: 24), rest: String(repeating: " ", count: 24))
        }
        let common = LayerKind.xyz.allKeys.filter { !LayerKind.xyz.keys.contains($0) }
        text += "\nKEYS OF ALL LAYERS\n" + table(common, of: .xyz)
        text += "\ntransparent-color and transparent-tolerance are for images, empty-status for tiles.\n"
        return text + "The keys of one kind: \(program) help layers KIND, as in \(program) help layers features.\n"
    }

    private static func keys(of kind: LayerKind) -> String {
        let (form, summary) = parts(of: kind)
        var text = Wrapping.lines(summary, first: "\(form)  ", rest: "  ")
        let appearance = kind.takes("fill") ? kind.keys.filter(LayerKind.appearanceKeys.contains) : []
        let own = kind.keys.filter { !appearance.contains($0) }
        if !own.isEmpty { text += "\nKEYS\n" + table(own, of: kind) }
        if !appearance.isEmpty { text += "\nAPPEARANCE\n" + table(appearance, of: kind) }
        return text + "\nKEYS OF ALL LAYERS\n" + table(kind.allKeys.filter { !kind.keys.contains($0) }, of: kind)
    }

    /// The source and the summary in the help of a kind, which two spaces separate.
    private static func parts(of kind: LayerKind) -> (form: String, summary: String) {
        guard let gap = kind.help.firstRange(of: "  ") else { return (kind.name + ":", kind.help) }
        return (String(kind.help[..<gap.lowerBound]), String(kind.help[gap.upperBound...]))
    }

    private static func table(_ keys: [String], of kind: LayerKind) -> String {
        let rows = keys.map { key in
            let help = LayerKeyHelp(key, of: kind)
            return ["  \(key)", help?.values ?? "", help?.standard ?? "", help?.effect ?? ""]
        }
        return TextTable.text([["  KEY", "VALUES", "DEFAULT", "EFFECT"]] + rows, hasWholeEnd: true)
    }
}

extension String {
    /// The text with spaces up to a width, and with two at least.
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 2))
    }
}
