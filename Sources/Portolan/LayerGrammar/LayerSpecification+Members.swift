public import PortolanFeatures
import PortolanFetch
import PortolanServices
import PortolanWeb

/// The specification as an object in a map document.
extension LayerSpecification {
    /// The members: the source under the name of its kind, the keys in alphabetical order, and the host of the document
    /// that named the source if it is from a server.
    public var members: Properties {
        var members = Properties()
        members[kind == .features ? Self.sourceMember : kind.name] = .string(source)
        for (key, text) in values.sorted(by: { $0.key < $1.key }) { members[key] = Self.value(text, of: key) }
        // A layer from a server keeps its limited rights in a local file.
        if case .document(let document) = origin { members[Self.hostMember] = .string(document.host) }
        return members
    }

    /// Returns the layer with relative paths resolved against a folder.
    package func standing(in folder: String) throws(MapError) -> LayerSpecification {
        try resolved { text, _ in FileAddress.path(of: text, in: folder) }
    }

    /// Returns the layer with other paths, in its source, its style and the sources of its style.
    func resolved(
        with resolve: (String, LayerKind) throws(MapError) -> String
    ) throws(MapError) -> LayerSpecification {
        try LayerSpecification(
            kind: kind, source: kind.hasPath && hasAddress ? resolve(source, kind) : source,
            values: Self.resolved(values, of: kind, kinds, with: resolve), namedBy: origin, kinds: kinds)
    }

    /// Returns the values with other paths.
    private static func resolved(
        _ values: [String: String], of kind: LayerKind, _ kinds: LayerKinds,
        with resolve: (String, LayerKind) throws(MapError) -> String
    ) throws(MapError) -> [String: String] {
        var resolved = values
        // For services, the key is the name of one of their styles.
        let hasSheet = kind.readsFeatures || kind.drawsPlainFeatures
        if hasSheet, let style = values[styleMember], StyleReference.isAddress(style) {
            resolved[styleMember] = try resolve(style, .features)
        }
        if let table = values[joinMember], kind.takes(joinMember) {
            resolved[joinMember] = try resolve(table, .features)
        }
        for (key, text) in values where key.hasPrefix("sources.") {
            let parts = try Parts(text, kinds)
            guard parts.kind.hasPath, parts.source != "-" else { continue }
            resolved[key] = try parts.with(source: resolve(parts.source, parts.kind))
        }
        return resolved
    }

    /// Whether the source is a path, a URL or standard input, and not an inline or built-in style.
    var hasAddress: Bool { kind != .style || StyleReference.isAddress(source) }

    /// Reads the members of an object.
    ///
    /// - Parameters:
    ///   - isNewer: whether the document has a newer version, so that unknown keys are ignored.
    ///   - resolving: resolves a source that may be relative to the document.
    /// - Returns: the layer, or `nil` if no member is a source. The ignored keys are appended to `passedOver`.
    init?(
        members: Properties, of kinds: LayerKinds, isNewer: Bool = false, passedOver: inout [String],
        resolving: (String, LayerKind) throws(MapError) -> (source: String, origin: NamedURL.Origin)
    ) throws(MapError) {
        var kind: LayerKind?
        var source: String?
        // Next to a source, a style is the style of that source; on its own, it has its own sources.
        let isWholeStyle = Self.sources(in: members, of: kinds) == [Self.styleMember]
        var values: [String: String] = [:], namer: NamedURL.Origin?
        for member in members {
            if member.name == Self.fileMember {
                namer = .file(within: member.value.stringValue ?? "")
                continue
            }
            if member.name == Self.hostMember, let host = member.value.stringValue {
                namer = .document(NamedURL.RemoteDocument(host: host))
                continue
            }
            let key = member.name, named = Self.kind(ofMember: key, of: kinds, isWholeStyle)
            // A style may be inline.
            let mayBeInline = [Self.styleMember, FeatureLook.key, FeatureLook.selectedKey].contains(key)
            let inline = mayBeInline ? member.value.objectValue : nil
            guard let text = inline.map(Self.json) ?? member.value.keyText else {
                if isNewer, named == nil {
                    passedOver.append(key)
                    continue
                }
                throw MapError.layer(
                    .specification("the value of '\(key)' must be a string, a number or a list of them"),
                    source: source ?? "")
            }
            if let named {
                guard source == nil else {
                    throw MapError.layer(.specification("more than one source"), source: text)
                }
                kind = named
                source = text
            } else {
                values[key] = text
            }
        }
        guard let kind, let source, !source.isEmpty else { return nil }
        if isNewer {
            for key in values.keys.sorted() where !kind.takes(key) {
                values[key] = nil
                passedOver.append(key)
            }
        }
        let hasAddress = kind != .style || StyleReference.isAddress(source)
        let address =
            hasAddress ? try resolving(source, kind) : (source: source, origin: try resolving(".", kind).origin)
        values = try Self.resolved(values, of: kind, kinds) { (text, kind) throws(MapError) in
            try resolving(text, kind).source
        }
        // A document may restrict its rights, but never extend them.
        let origin: NamedURL.Origin =
            switch (address.origin, namer) {
            // States of earlier versions omit the folder.
            case (.user, .file("")?): .file(at: address.source)
            case (.user, let namer?): namer
            case (.file, .document(let document)?): .document(document)
            default: address.origin
            }
        try self.init(kind: kind, source: address.source, values: values, namedBy: origin, kinds: kinds)
    }

    private static let hostMember = "named-by-host"
    private static let styleMember = "style"
    private static let joinMember = "join"
    static let fileMember = "named-by-file"

    private static let sourceMember = "source"

    private static func json(_ members: Properties) -> String {
        String(decoding: GeoJSONWriter.json(.object(members)), as: UTF8.self)
    }

    /// Returns the kind whose source a member is, or `nil` for a key.
    private static func kind(ofMember name: String, of kinds: LayerKinds, _ isWholeStyle: Bool) -> LayerKind? {
        if name == sourceMember { return .features }
        return name == styleMember && !isWholeStyle ? nil : kinds.kind(named: name)
    }

    /// Returns the members of a layer that name a source.
    static func sources(in members: Properties, of kinds: LayerKinds) -> [String] {
        let known = sourceMembers(of: kinds), named = members.map(\.name).filter(known.contains)
        return named.count > 1 ? named.filter { $0 != styleMember } : named
    }

    /// Returns the names of all members that name a source.
    static func sourceMembers(of kinds: LayerKinds) -> [String] { [sourceMember] + kinds.prefixes }

    private static let numbers: Set = [
        "opacity", "group-opacity", "min-resolution", "max-resolution", "min-zoom", "max-zoom", "tile-size", "gutter",
        "stroke-width",
        "stroke-opacity", "fill-opacity", "label-size", "label-padding", "transparent-tolerance",
    ]
    private static let flags: Set = [
        "visible", "legend", "transparent", "tiled", "tile-set", "geodesic", OverriddenKeys.key,
    ]

    /// Returns the value of a key as JSON.
    ///
    /// Unusual spellings remain strings.
    private static func value(_ text: String, of key: String) -> PropertyValue {
        if flags.contains(key), text == "true" || text == "false" { return .bool(text == "true") }
        guard numbers.contains(key), let number = Double(text), number.isFinite, abs(number) < 1e15 else {
            return .string(text)
        }
        let value = Int(exactly: number).map(PropertyValue.integer) ?? .number(number)
        return value.displayText == text ? value : .string(text)
    }
}

extension LayerSpecification {
    /// The layer without the secrets in its source and values, or `nil` if nothing remains.
    var withoutSecrets: LayerSpecification? {
        let clean = Secrets.leftOut(of: source)
        var kept = values
        for (key, text) in values {
            let name = key.firstIndex(of: ".").map { key[$0...].dropFirst() } ?? key[...]
            if key.contains("."), SecretNames.contains(name) {
                kept[key] = nil
            } else if text.contains("://"), let clean = Secrets.leftOut(of: text) {
                kept[key] = clean
            }
        }
        guard clean != nil || kept != values else { return nil }
        return try? LayerSpecification(kind: kind, source: clean ?? source, values: kept, namedBy: origin, kinds: kinds)
    }

    /// Returns the layer with another value of a key; `nil` removes the key.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public func with(_ key: String, _ value: String?) throws(MapError) -> LayerSpecification {
        var values = values
        values[key] = value
        return try LayerSpecification(kind: kind, source: source, values: values, namedBy: origin, kinds: kinds)
    }
}

extension PropertyValue {
    /// The value as text of a key, lists with commas; `nil` for objects, null and lists that contain them.
    var keyText: String? {
        switch self {
        case .array(let values):
            let texts = values.compactMap(\.keyText)
            return texts.count == values.count ? texts.joined(separator: ",") : nil
        default: return displayText
        }
    }
}
