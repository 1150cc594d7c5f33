import Portolan
import PortolanWeb

/// A layer as the command line or a map document names it: `[KIND:]SOURCE[;key=value]…`.
package struct LayerSpecification: Equatable {
    /// The kinds of source.
    package enum Kind: String, CaseIterable {
        case wms, wmsc, wmts, xyz, tms, mbtiles, gpkg
        /// A file or URL with features.
        case features

        /// Whether the source is a file of tiles.
        var isArchive: Bool { self == .mbtiles || self == .gpkg }
    }

    package var kind: Kind
    package var source: String
    private var values: [String: String] = [:]

    /// Makes a specification of its parts, and finds what is wrong with them before any service is asked.
    package init(kind: Kind, source: String, values: [String: String] = [:]) throws(CommandFailure) {
        self.kind = kind
        self.source = source
        self.values = values
        for key in values.keys.sorted() where !Self.isKnown(key, for: kind) {
            let known = Self.commonKeys + (kind == .features ? [] : Self.imageKeys) + Self.keys(of: kind)
            let near = NearName.nearest(to: key, in: known).map { "did you mean '\($0)'? " } ?? ""
            throw CommandFailure(
                .usage,
                "layer '\(source)': there is no key '\(key)' for \(kind.rawValue); \(near)there are: "
                    + known.joined(separator: ", "))
        }
        if let opacity = try number("opacity"), !(0...1).contains(opacity) {
            throw bad("opacity", "is not between 0 and 1")
        }
        _ = try colorKey()
        for key in ["min-resolution", "max-resolution"] {
            if let resolution = try number(key), resolution <= 0 { throw bad(key, "is not more than zero") }
        }
        _ = try cacheRule()
        if kind == .wms, try flag("tiled") != true,
            let key = ["tile-size", "gutter", "tile-set"].first(where: { values[$0] != nil })
        {
            throw bad(key, "goes with tiled=true")
        }
        if [.wms, .wmsc, .wmts].contains(kind), source.contains("{z}") || source.contains("{x}") {
            throw CommandFailure(
                .usage, "layer '\(kind.rawValue):\(source)': this is a template of tiles; write xyz:\(source) instead")
        }
        // Tiles may lie in files; a service is asked over HTTP.
        let schemes = kind == .xyz || kind == .tms ? ["http://", "https://", "file://"] : ["http://", "https://"]
        guard kind == .features || kind.isArchive || schemes.contains(where: source.lowercased().hasPrefix) else {
            throw CommandFailure(
                .usage,
                "layer '\(source)': the address of \(kind.rawValue) begins with \(schemes.joined(separator: " or "))")
        }
    }

    /// Reads the form of the command line.
    ///
    /// A `;` inside the source or a value is written `%3B`.
    package init(_ text: String) throws(CommandFailure) {
        var parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        var source = parts.removeFirst()
        var kind = Kind.features
        if let colon = source.firstIndex(of: ":") {
            let prefix = String(source[..<colon]), rest = source[source.index(after: colon)...]
            if prefix != Kind.features.rawValue, let named = Kind(rawValue: prefix) {
                kind = named
                source = String(rest)
            } else if rest.hasPrefix("http://") || rest.hasPrefix("https://") {
                let kinds = Kind.allCases.filter { $0 != .features }.map { "\($0.rawValue):" }
                throw CommandFailure(
                    .usage, "layer '\(text)': there is no kind '\(prefix):'; there are: \(kinds.joined(separator: " "))"
                )
            }
        }
        source = Self.unescaped(source)
        if kind == .features, source.hasPrefix("http"), source.contains("{z}") || source.contains("{x}") {
            throw CommandFailure(.usage, "layer '\(text)': for a template of tiles write xyz:\(source)")
        }
        guard !source.isEmpty else {
            throw CommandFailure(.usage, "layer '\(text)' names no source; write [KIND:]SOURCE[;key=value]…")
        }
        var values: [String: String] = [:]
        for part in parts where !part.isEmpty {
            guard let equals = part.firstIndex(of: "="), equals > part.startIndex else {
                throw CommandFailure(
                    .usage,
                    "layer '\(text)': '\(part)' is not of the form key=value; a ';' in the source is written %3B")
            }
            let key = String(part[..<equals])
            guard values.updateValue(Self.unescaped(part[part.index(after: equals)...]), forKey: key) == nil else {
                throw CommandFailure(.usage, "layer '\(text)': the key '\(key)' is given twice")
            }
        }
        try self.init(kind: kind, source: source, values: values)
    }

    private static func unescaped(_ text: some StringProtocol) -> String {
        String(text).replacing("%3B", with: ";").replacing("%3b", with: ";")
    }

    /// The value of a key, or `nil` when it is not given.
    package subscript(_ key: String) -> String? { values[key] }

    /// The keys that begin with `prefix`, without it, in alphabetical order.
    package func values(after prefix: String) -> [(name: String, value: String)] {
        values.keys.filter { $0.hasPrefix(prefix) }.sorted()
            .map { (String($0.dropFirst(prefix.count)), values[$0] ?? "") }
    }

    /// The parts of a value between commas, or `nil` when the key is not given.
    package func list(_ key: String) -> [String]? {
        values[key]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// A number.
    package func number(_ key: String) throws(CommandFailure) -> Double? {
        guard let text = values[key] else { return nil }
        guard let number = Double(text), number.isFinite else { throw bad(key, "is not a number") }
        return number
    }

    /// A whole number of a range.
    package func integer(_ key: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
        guard let text = values[key] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw bad(key, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// `true` or `false`.
    package func flag(_ key: String) throws(CommandFailure) -> Bool? {
        switch values[key]?.lowercased() {
        case nil: nil
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: throw bad(key, "is neither true nor false")
        }
    }

    /// The colour of images that is shown as transparent.
    func colorKey() throws(CommandFailure) -> ColorKey? {
        guard let text = values["transparent-color"] else { return nil }
        guard let color = Color(css: text) else {
            throw bad("transparent-color", "is not a colour, as #ffffff or white")
        }
        return ColorKey(color: color, tolerance: try integer("transparent-tolerance", in: 0...255) ?? 0)
    }

    /// The failure that a value is.
    func bad(_ key: String, _ why: String) -> CommandFailure {
        CommandFailure(.usage, "layer '\(source)': \(key)=\(values[key] ?? "") \(why)")
    }

    static let commonKeys = ["name", "opacity", "min-resolution", "max-resolution", "cache"]

    private static let imageKeys = ["transparent-color", "transparent-tolerance"]

    static let styleKeys = [
        "stroke", "stroke-width", "stroke-opacity", "fill", "fill-opacity", "marker-color", "marker-size",
        "marker-symbol",
    ]

    private static func keys(of kind: Kind) -> [String] {
        switch kind {
        case .wms:
            [
                "layers", "styles", "version", "format", "transparent", "crs", "tiled", "tile-size", "gutter",
                "tile-set",
                "params.NAME", "axis", "url-policy",
            ]
        case .wmsc: ["layers", "styles", "format", "crs", "extent", "resolutions", "tile-size"]
        case .wmts: ["layer", "matrix-set", "style", "format", "dim.NAME"]
        case .xyz: ["min-zoom", "max-zoom", "tile-size", "subdomains", "attribution"]
        case .tms: ["layer", "min-zoom", "max-zoom", "tile-size", "subdomains", "attribution"]
        case .mbtiles: []
        case .gpkg: ["layers"]
        case .features: styleKeys + ["label", "label-background", "label-padding", "crs"]
        }
    }

    private static func isKnown(_ key: String, for kind: Kind) -> Bool {
        if commonKeys.contains(key) || keys(of: kind).contains(key) { return true }
        if kind != .features, imageKeys.contains(key) { return true }
        return (kind == .wms && key.hasPrefix("params.")) || (kind == .wmts && key.hasPrefix("dim."))
    }
}
