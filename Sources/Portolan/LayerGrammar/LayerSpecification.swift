import PortolanArchives
public import PortolanFetch
import PortolanGeo
import PortolanRaster
import PortolanServices
public import PortolanWeb

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A layer as text: `[KIND:]SOURCE[;key=value]…`, for a command line or a map document.
///
/// ```swift
/// let specification = try LayerSpecification("wms:https://maps.example.org/wms;layers=depths;opacity=0.8")
/// let added = try await map.addLayer(specification)
/// ```
///
/// A ``LayerBuilder`` creates layers from specifications. The valid keys are those of the kind and the common keys
/// `name`, `opacity`, `visible`, `min-resolution`, `max-resolution`, `group`, `group-opacity`, `legend` and `cache`.
public struct LayerSpecification: Hashable, Sendable, CustomStringConvertible {
    /// The layer kind.
    public let kind: LayerKind
    /// The source: a URL, a template or a path; `-` is standard input.
    public let source: String
    /// The values by key.
    public let values: [String: String]
    /// The origin of the source, which limits its access rights (``/PortolanWeb/AddressPolicy``).
    ///
    /// It is not part of the text.
    public let origin: NamedURL.Origin
    /// The kinds for layers in its values, such as the sources of a style.
    ///
    /// They are not part of the text.
    let kinds: LayerKinds

    /// Creates a specification from its parts and validates it, before any service is contacted.
    ///
    /// - Parameters:
    ///   - origin: the origin of the source, if it is not the user.
    ///   - kinds: the kinds that its values may name.
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public init(
        kind: LayerKind, source: String, values: [String: String] = [:], namedBy origin: NamedURL.Origin = .user,
        kinds: LayerKinds = .standard
    ) throws(MapError) {
        self.kind = kind
        self.kinds = kinds
        self.source = source
        self.values = values
        self.origin = origin
        for key in values.keys.sorted() where !kind.takes(key) {
            let known = kind.allKeys
            let meant = LayerKeySynonyms.key(for: key, among: known) ?? NearName.nearest(to: key, in: known)
            let near = meant.map { "did you mean '\($0)'? " } ?? ""
            throw invalid(
                "layer '\(source)': unknown key '\(key)' for \(kind); \(near)available: "
                    + known.joined(separator: ", "))
        }
        for key in ["opacity", "group-opacity"] {
            if let opacity = try number(key), !(0...1).contains(opacity) {
                throw invalid(key, "must be between 0 and 1")
            }
        }
        if values["group-opacity"] != nil, values["group"] == nil {
            throw invalid("group-opacity", "needs 'group'; add it")
        }
        _ = try colorKey()
        for key in ["min-resolution", "max-resolution"] {
            if let resolution = try number(key), resolution <= 0 { throw invalid(key, "must be more than zero") }
        }
        _ = try cacheRule()
        _ = try emptyStatuses()
        _ = try isVisible
        _ = try flag("legend")
        try kind.check(self)
        if kind.source == .service || kind.source == .featureService, Self.isTemplate(source) {
            throw invalid("layer '\(kind):\(source)': this is a tile template; write xyz:\(source) instead")
        }
        let schemes = kind.source.schemes
        guard schemes.isEmpty || schemes.contains(where: source.lowercased().hasPrefix) else {
            throw invalid("layer '\(source)': the URL of \(kind) must begin with \(schemes.joined(separator: " or "))")
        }
    }

    /// Parses the text form.
    ///
    /// A `;` in the source or a value is written as `%3B`.
    ///
    /// - Parameter kinds: the kinds that may precede the colon.
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public init(_ text: String, kinds: LayerKinds = .standard) throws(MapError) {
        let parts = try Parts(text, kinds)
        try self.init(kind: parts.kind, source: parts.source, values: parts.values, kinds: kinds)
    }

    /// The parts of the text form, without validation of the keys.
    package struct Parts: Equatable {
        /// The kind before the colon, or the default kind if none exists.
        package var kind: LayerKind
        /// The source.
        package var source: String
        /// The values by key.
        package var values: [String: String] = [:]

        init(_ text: String, _ kinds: LayerKinds, default kind: LayerKind = .features) throws(MapError) {
            self.kind = kind
            func wrong(_ words: String) -> MapError { .layer(.specification(words), source: text) }
            var parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
            source = parts.removeFirst()
            if let colon = source.firstIndex(of: ":") {
                let prefix = String(source[..<colon]), rest = source[source.index(after: colon)...]
                if let named = kinds.kind(named: prefix), named != .features {
                    self.kind = named
                    source = String(rest)
                } else if Self.looksLikeKind(prefix, before: rest) {
                    throw wrong("layer '\(text)': \(Self.unknown(prefix, rest, kinds))")
                }
            }
            source = LayerSpecification.unescaped(source)
            if self.kind == .features, Self.looksLikeImage(source),
                let images = kinds.kind(named: LayerKind.geoTIFF.name)
            {
                self.kind = images
            }
            if self.kind == .features, source.hasPrefix("http"), LayerSpecification.isTemplate(source) {
                throw wrong("layer '\(text)': this is a tile template; write xyz:\(source)")
            }
            guard !source.isEmpty else {
                throw wrong("layer '\(text)': missing source; write [KIND:]SOURCE[;key=value]…")
            }
            for part in parts where !part.isEmpty {
                guard let equals = part.firstIndex(of: "="), equals > part.startIndex else {
                    throw wrong(
                        "layer '\(text)': '\(part)': expected key=value; write a ';' in the source as %3B")
                }
                let key = String(part[..<equals])
                guard
                    values.updateValue(LayerSpecification.unescaped(part[part.index(after: equals)...]), forKey: key)
                        == nil
                else {
                    throw wrong("layer '\(text)': duplicate key '\(key)'")
                }
            }
        }

        /// Returns the parts of a source that is written as a layer of a kind, or `nil` for a plain address.
        package static func ofKind(_ text: String, _ kinds: LayerKinds) throws(MapError) -> Parts? {
            let prefix = String(text.prefix { $0 != ":" })
            guard prefix.utf8.count < text.utf8.count else { return nil }
            if let kind = kinds.kind(named: prefix) { return kind == .features ? nil : try Parts(text, kinds) }
            let rest = text.dropFirst(prefix.count + 1)
            guard looksLikeKind(prefix, before: rest) else { return nil }
            throw MapError.layer(.specification("'\(text)': \(unknown(prefix, rest, kinds))"), source: text)
        }

        /// Returns whether the text before a colon is meant as a kind, and not as the start of a URL or file name.
        private static func looksLikeKind(_ prefix: String, before rest: Substring) -> Bool {
            // A single letter is a drive.
            guard (2...20).contains(prefix.utf8.count), prefix.utf8.first.map({ ($0 | 0x20) >= 0x61 }) == true,
                prefix.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D }
                )
            else { return false }
            if rest.hasPrefix("http://") || rest.hasPrefix("https://") { return true }
            // URLs with other schemes are rejected by the client.
            return !rest.hasPrefix("//")
                && !["data", "file", "http", "https", "features"].contains(prefix.lowercased())
                && !FileManager.default.fileExists(atPath: "\(prefix):\(rest)")
        }

        /// Returns whether a source without a kind is a TIFF: a file that begins like one, or an address that ends like one.
        private static func looksLikeImage(_ source: String) -> Bool {
            if FileAddress.isLocal(source) { return GeoTIFFRaster.recognizes(path: FileAddress.path(of: source)) }
            let path = source.prefix { $0 != "?" && $0 != "#" }.lowercased()
            return path.hasSuffix(".tif") || path.hasSuffix(".tiff")
        }

        /// Returns the message for an unknown kind, with the most similar name and the kind of the file.
        private static func unknown(_ prefix: String, _ rest: Substring, _ kinds: LayerKinds) -> String {
            let names = kinds.prefixes
            let near = NearName.nearest(to: prefix, in: names).map { "did you mean '\($0):'? " } ?? ""
            let plain =
                FileManager.default.fileExists(atPath: String(rest)) ? "; write a feature file without a kind" : ""
            return "unknown kind '\(prefix):'; \(near)available: "
                + names.map { "\($0):" }.joined(separator: " ") + plain
        }

        /// Returns the text with another source.
        func with(source: String) -> String { LayerSpecification.words(kind, source, values) }

        /// The names of the layers, from the key `layers` or `layer`.
        package var layerNames: [String] {
            if let list = values["layers"] { return list.split(separator: ",").map(String.init) }
            return values["layer"].map { [$0] } ?? []
        }
    }

    /// Returns whether two specifications are equal, without regard to their origins.
    public static func == (one: LayerSpecification, other: LayerSpecification) -> Bool {
        one.kind == other.kind && one.source == other.source && one.values == other.values
    }

    /// Hashes the compared parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(source)
        hasher.combine(values)
    }

    /// The text form.
    public var description: String { Self.words(kind, source, values) }

    private static func words(_ kind: LayerKind, _ source: String, _ values: [String: String]) -> String {
        let named = kind == .features ? "" : kind.name + ":"
        return ([named + escaped(source)] + values.sorted { $0.key < $1.key }.map { "\($0)=\(escaped($1))" })
            .joined(separator: ";")
    }

    private static func escaped(_ text: String) -> String { text.replacing(";", with: "%3B") }

    /// Returns whether a URL is a tile template.
    package static func isTemplate(_ source: String) -> Bool { XYZTemplate.isTemplate(source) }

    fileprivate static func unescaped(_ text: some StringProtocol) -> String {
        String(text).replacing("%3B", with: ";").replacing("%3b", with: ";")
    }

    /// Returns the value of a key, or `nil` if it is not set.
    public subscript(_ key: String) -> String? { values[key] }

    /// Returns the keys that begin with `prefix`, without it, in alphabetical order.
    package func values(after prefix: String) -> [(name: String, value: String)] {
        values.keys.filter { $0.hasPrefix(prefix) }.sorted()
            .map { (String($0.dropFirst(prefix.count)), values[$0] ?? "") }
    }

    /// Returns the comma-separated parts of a value, or `nil` if the key is not set.
    public func list(_ key: String) -> [String]? {
        values[key]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the value of a key as a number, or `nil` if it is not set.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public func number(_ key: String) throws(MapError) -> Double? {
        guard let text = values[key] else { return nil }
        guard let number = Double(text), number.isFinite else { throw invalid(key, "must be a number") }
        return number
    }

    /// Returns the value of a key as a number in a range, or `nil` if it is not set.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public func number(_ key: String, in range: ClosedRange<Double>) throws(MapError) -> Double? {
        guard let number = try number(key) else { return nil }
        guard range.contains(number) else {
            throw invalid(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the value of a key as an integer in a range, or `nil` if it is not set.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public func integer(_ key: String, in range: ClosedRange<Int>) throws(MapError) -> Int? {
        guard let text = values[key] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw invalid(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Returns the value of a key as a Boolean (`true`, `yes`, `1`, `false`, `no` or `0`), or `nil` if it is not set.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public func flag(_ key: String) throws(MapError) -> Bool? {
        switch values[key]?.lowercased() {
        case nil: nil
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: throw invalid(key, "must be true or false")
        }
    }

    /// Returns the HTTP statuses that mean an empty tile; `none` means only those of the standards.
    func emptyStatuses() throws(MapError) -> Set<Int>? {
        guard let words = list("empty-status") else { return nil }
        if words == ["none"] { return [] }
        var statuses: Set<Int> = []
        for word in words {
            guard let status = Int(word), (300...599).contains(status) else {
                throw invalid("empty-status", "must be a list of HTTP statuses, as 404 or 403,404")
            }
            statuses.insert(status)
        }
        return statuses
    }

    /// Returns the numbers of the key `resolutions`.
    func resolutions() throws(MapError) -> [Resolution] {
        let words = list("resolutions") ?? []
        let resolutions = words.compactMap { Double($0).flatMap { Resolution(unitsPerPixel: $0) } }
        guard !words.isEmpty, words.count <= 100, resolutions.count == words.count else {
            throw invalid("resolutions", "must be a list of numbers more than zero")
        }
        return resolutions
    }

    /// Returns the extent of a key with four comma-separated numbers.
    func box(_ key: String) throws(MapError) -> Extent? {
        guard let words = list(key) else { return nil }
        let sides = words.compactMap { Double($0) }
        guard sides.count == 4, words.count == 4,
            let extent = Extent(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3])
        else { throw invalid(key, "must be MINX,MINY,MAXX,MAXY") }
        return extent
    }

    /// Returns the axis order in requests and responses.
    func axisOrder() throws(MapError) -> WMSOptions.AxisOrderPolicy {
        try choice("axis", of: WMSOptions.AxisOrderPolicy.allCases) ?? .auto
    }

    /// Returns the policy for URLs in the documents of the service.
    func urlPolicy() throws(MapError) -> ServiceURLPolicy? {
        try choice("url-policy", of: ServiceURLPolicy.allCases)
    }

    /// Returns a value of a type by its raw value.
    func choice<Choice: RawRepresentable<String>>(
        _ key: String, of choices: [Choice]
    ) throws(MapError) -> Choice? {
        guard let text = values[key] else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = choices.map(\.rawValue)
        throw invalid(key, "must be one of \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")")
    }

    /// Returns the colour of images that is made transparent.
    func colorKey() throws(MapError) -> MapColor.Key? {
        guard let text = values["transparent-color"] else { return nil }
        guard let color = MapColor(css: text) else {
            throw invalid("transparent-color", "must be a colour, as #ffffff or white")
        }
        return MapColor.Key(color: color, tolerance: try integer("transparent-tolerance", in: 0...255) ?? 0)
    }

    /// Returns the error for an invalid value of a key.
    ///
    /// - Parameter why: the text after the key and its value, such as "is not a colour".
    public func invalid(_ key: String, _ why: String) -> MapError {
        error(.value("\(key)=\(values[key] ?? "") \(why)"))
    }

    /// Returns the error for an invalid specification.
    func invalid(_ words: String) -> MapError { error(.specification(words)) }

    /// Returns the error for a layer that cannot be created.
    package func error(_ cause: LayerError.Cause) -> MapError { .layer(cause, source: source, kind: kind) }

    /// Returns the result of a service request.
    ///
    /// A failure is an error of this layer.
    func asking<Value: Sendable>(
        _ work: () async throws(ServiceError) -> Value
    ) async throws(MapError) -> Value {
        do { return try await work() } catch { throw self.error(.service(error)) }
    }
}

extension LayerSpecification {
    /// Whether the layer is visible, from the key `visible`.
    ///
    /// Default: `true`.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public var isVisible: Bool { get throws(MapError) { try flag("visible") ?? true } }

    /// Returns the rule of the key `cache`: `off`, or comma-separated terms such as `at-least:1d`, `at-most:1h`,
    /// `fixed:7d` and `stale:30d`, each with a number of seconds, minutes (m), hours (h) or days (d).
    public func cacheRule() throws(MapError) -> CacheRule? {
        guard let terms = list("cache") else { return nil }
        if terms == ["off"] { return .disabled }
        var rule = CacheRule()
        for term in terms {
            let parts = term.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let seconds = Self.seconds(parts[1]) else {
                throw invalid("cache", "must be off or like at-least:1d,at-most:7d,fixed:1h,stale:30d")
            }
            switch parts[0] {
            case "at-least": rule.minimumLifetime = seconds
            case "at-most": rule.maximumLifetime = seconds
            case "fixed":
                rule.ignoresServer = true
                rule.defaultLifetime = seconds
            case "stale": rule.staleLifetime = seconds
            default:
                throw invalid("cache", "has an unknown term '\(parts[0])'; available: at-least at-most fixed stale")
            }
        }
        guard rule.minimumLifetime <= rule.maximumLifetime ?? .max else {
            throw invalid("cache", "has a longer at-least than at-most")
        }
        return rule
    }

    private static func seconds(_ text: String) -> Int? {
        let units = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[String($0)] }
        let digits = unit == nil ? text[...] : text.dropLast()
        guard digits.allSatisfy(\.isASCII), let number = Int(digits), (0...100_000_000).contains(number) else {
            return nil
        }
        return number * (unit ?? 1)
    }
}
