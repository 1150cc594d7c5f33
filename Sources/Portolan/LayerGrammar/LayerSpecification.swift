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

/// A layer in words: `[KIND:]SOURCE[;key=value]…`, as a command line or a map document names it.
///
/// A ``LayerBuilder`` makes layers of specifications. The keys are those of the kind, and for all kinds `name`, `opacity`,
/// `visible`, `min-resolution`, `max-resolution`, `group`, `group-opacity`, `legend` and `cache`.
public struct LayerSpecification: Hashable, Sendable, CustomStringConvertible {
    /// What the source is.
    public let kind: LayerKind
    /// The address: a URL, a template or a path; `-` is standard input.
    public let source: String
    /// The values by their keys.
    public let values: [String: String]
    /// Who named the source, and so where it may lead (``/PortolanWeb/AddressPolicy``); it is no part of the words.
    public let origin: AddressOrigin
    /// The kinds by which its values name other layers, as the sources of a style; they are no part of the words.
    let kinds: LayerKinds

    /// Makes a specification of its parts, and finds what is wrong with them before any service is asked.
    ///
    /// - Parameters:
    ///   - origin: who names the source; say so where it is no person.
    ///   - kinds: those that its values may name.
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public init(
        kind: LayerKind, source: String, values: [String: String] = [:], namedBy origin: AddressOrigin = .user,
        kinds: LayerKinds = .standard
    ) throws(MapError) {
        self.kind = kind
        self.kinds = kinds
        self.source = source
        self.values = values
        self.origin = origin
        for key in values.keys.sorted() where !kind.takes(key) {
            let known = kind.allKeys
            let near = NearName.nearest(to: key, in: known).map { "did you mean '\($0)'? " } ?? ""
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

    /// Reads the form of a line; a `;` inside the source or a value is written `%3B`.
    ///
    /// - Parameter kinds: those that may stand before the colon.
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public init(_ text: String, kinds: LayerKinds = .standard) throws(MapError) {
        let parts = try Parts(text, kinds)
        try self.init(kind: parts.kind, source: parts.source, values: parts.values, kinds: kinds)
    }

    /// The parts of a line; whether the kind takes its keys, or wants more, is not looked at.
    package struct Parts: Equatable {
        /// The kind before the colon, features where there is none.
        package var kind = LayerKind.features
        /// The address.
        package var source: String
        /// The values by their keys.
        package var values: [String: String] = [:]

        init(_ text: String, _ kinds: LayerKinds) throws(MapError) {
            func wrong(_ words: String) -> MapError { .layer(.specification(words), source: text) }
            var parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
            source = parts.removeFirst()
            if let colon = source.firstIndex(of: ":") {
                let prefix = String(source[..<colon]), rest = source[source.index(after: colon)...]
                if let named = kinds.kind(named: prefix), named != .features {
                    kind = named
                    source = String(rest)
                } else if Self.looksLikeKind(prefix, before: rest) {
                    throw wrong("layer '\(text)': \(Self.unknown(prefix, rest, kinds))")
                }
            }
            source = LayerSpecification.unescaped(source)
            if kind == .features, source.hasPrefix("http"), LayerSpecification.isTemplate(source) {
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

        /// The parts of a source that is written as a layer of a kind, or `nil` when it is a plain address.
        package static func ofKind(_ text: String, _ kinds: LayerKinds) throws(MapError) -> Parts? {
            let prefix = String(text.prefix { $0 != ":" })
            guard prefix.utf8.count < text.utf8.count else { return nil }
            if let kind = kinds.kind(named: prefix) { return kind == .features ? nil : try Parts(text, kinds) }
            let rest = text.dropFirst(prefix.count + 1)
            guard looksLikeKind(prefix, before: rest) else { return nil }
            throw MapError.layer(.specification("'\(text)': \(unknown(prefix, rest, kinds))"), source: text)
        }

        /// Whether what stands before a colon is meant as a kind, and not the beginning of an address or of a file's name.
        private static func looksLikeKind(_ prefix: String, before rest: Substring) -> Bool {
            // One letter is a drive.
            guard (2...20).contains(prefix.utf8.count), prefix.utf8.first.map({ ($0 | 0x20) >= 0x61 }) == true,
                prefix.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || $0 == 0x2D }
                )
            else { return false }
            if rest.hasPrefix("http://") || rest.hasPrefix("https://") { return true }
            // Addresses of other schemes are for the client to refuse.
            return !rest.hasPrefix("//")
                && !["data", "file", "http", "https", "features"].contains(prefix.lowercased())
                && !FileManager.default.fileExists(atPath: "\(prefix):\(rest)")
        }

        /// That there is no kind of a name, and which is near; what its source is, says the file.
        private static func unknown(_ prefix: String, _ rest: Substring, _ kinds: LayerKinds) -> String {
            let names = kinds.prefixes
            let near = NearName.nearest(to: prefix, in: names).map { "did you mean '\($0):'? " } ?? ""
            let plain =
                FileManager.default.fileExists(atPath: String(rest)) ? "; write a feature file without a kind" : ""
            return "unknown kind '\(prefix):'; \(near)available: "
                + names.map { "\($0):" }.joined(separator: " ") + plain
        }

        /// The line with another address.
        func with(source: String) -> String { LayerSpecification.words(kind, source, values) }

        /// The names of the layers, or of the one layer, whichever the kind has.
        package var layerNames: [String] {
            if let list = values["layers"] { return list.split(separator: ",").map(String.init) }
            return values["layer"].map { [$0] } ?? []
        }
    }

    /// Whether two say the same, whoever names their sources.
    public static func == (one: LayerSpecification, other: LayerSpecification) -> Bool {
        one.kind == other.kind && one.source == other.source && one.values == other.values
    }

    /// Hashes what is said.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(source)
        hasher.combine(values)
    }

    /// The form of a line.
    public var description: String { Self.words(kind, source, values) }

    private static func words(_ kind: LayerKind, _ source: String, _ values: [String: String]) -> String {
        let named = kind == .features ? "" : kind.name + ":"
        return ([named + escaped(source)] + values.sorted { $0.key < $1.key }.map { "\($0)=\(escaped($1))" })
            .joined(separator: ";")
    }

    private static func escaped(_ text: String) -> String { text.replacing(";", with: "%3B") }

    /// Whether an address is a template of tiles.
    package static func isTemplate(_ source: String) -> Bool { XYZTemplate.isTemplate(source) }

    fileprivate static func unescaped(_ text: some StringProtocol) -> String {
        String(text).replacing("%3B", with: ";").replacing("%3b", with: ";")
    }

    /// The value of a key, or `nil` when it is not given.
    public subscript(_ key: String) -> String? { values[key] }

    /// The keys that begin with `prefix`, without it, in alphabetical order.
    package func values(after prefix: String) -> [(name: String, value: String)] {
        values.keys.filter { $0.hasPrefix(prefix) }.sorted()
            .map { (String($0.dropFirst(prefix.count)), values[$0] ?? "") }
    }

    /// The parts of a value between commas, or `nil` when the key is not given.
    public func list(_ key: String) -> [String]? {
        values[key]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// The number of a key, or `nil` when the key is not given.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public func number(_ key: String) throws(MapError) -> Double? {
        guard let text = values[key] else { return nil }
        guard let number = Double(text), number.isFinite else { throw invalid(key, "must be a number") }
        return number
    }

    /// The number of a key, which must lie in a range, or `nil` when the key is not given.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public func number(_ key: String, in range: ClosedRange<Double>) throws(MapError) -> Double? {
        guard let number = try number(key) else { return nil }
        guard range.contains(number) else {
            throw invalid(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The whole number of a key, which must lie in a range, or `nil` when the key is not given.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public func integer(_ key: String, in range: ClosedRange<Int>) throws(MapError) -> Int? {
        guard let text = values[key] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw invalid(key, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// What a key says of yes or no (`true`, `yes`, `1`, `false`, `no` or `0`), or `nil` when the key is not given.
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

    /// The HTTP statuses by which the source says that a tile is empty; `none` for no more than the standards have.
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

    /// The numbers of the key `resolutions`.
    func resolutions() throws(MapError) -> [Resolution] {
        let words = list("resolutions") ?? []
        let resolutions = words.compactMap { Double($0).flatMap { Resolution(unitsPerPixel: $0) } }
        guard !words.isEmpty, words.count <= 100, resolutions.count == words.count else {
            throw invalid("resolutions", "must be a list of numbers more than zero")
        }
        return resolutions
    }

    /// Four numbers between commas.
    func box(_ key: String) throws(MapError) -> Extent? {
        guard let words = list(key) else { return nil }
        let sides = words.compactMap { Double($0) }
        guard sides.count == 4, words.count == 4,
            let extent = Extent(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3])
        else { throw invalid(key, "must be MINX,MINY,MAXX,MAXY") }
        return extent
    }

    /// The order of coordinates in what a service is asked for and answers.
    func axisOrder() throws(MapError) -> AxisOrderPolicy {
        try choice("axis", of: AxisOrderPolicy.allCases) ?? .auto
    }

    /// Which of the addresses that a service names are asked.
    func urlPolicy() throws(MapError) -> ServiceURLPolicy? {
        try choice("url-policy", of: ServiceURLPolicy.allCases)
    }

    /// One of the values of a type, by the text that it has in specifications.
    func choice<Choice: RawRepresentable<String>>(
        _ key: String, of choices: [Choice]
    ) throws(MapError) -> Choice? {
        guard let text = values[key] else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = choices.map(\.rawValue)
        throw invalid(key, "must be one of \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")")
    }

    /// The colour of images that is shown as transparent.
    func colorKey() throws(MapError) -> ColorKey? {
        guard let text = values["transparent-color"] else { return nil }
        guard let color = Color(css: text) else {
            throw invalid("transparent-color", "must be a colour, as #ffffff or white")
        }
        return ColorKey(color: color, tolerance: try integer("transparent-tolerance", in: 0...255) ?? 0)
    }

    /// The error of a value that a key cannot have.
    ///
    /// - Parameter why: follows the key and its value, as in "is not a colour".
    public func invalid(_ key: String, _ why: String) -> MapError {
        error(.value("\(key)=\(values[key] ?? "") \(why)"))
    }

    /// The error of a specification that is wrong.
    func invalid(_ words: String) -> MapError { error(.specification(words)) }

    /// The error of a layer that cannot be made of this.
    package func error(_ cause: LayerError.Cause) -> MapError { .layer(cause, source: source, kind: kind) }

    /// What a service says; why it says nothing is an error of this layer.
    func asking<Value: Sendable>(
        _ work: () async throws(ServiceError) -> Value
    ) async throws(MapError) -> Value {
        do { return try await work() } catch { throw self.error(.service(error)) }
    }
}

extension LayerSpecification {
    /// Whether the layer is shown: what the key `visible` says.
    ///
    /// - Throws: ``MapError`` with the code ``MapError/Code/invalidArgument``.
    public var isVisible: Bool { get throws(MapError) { try flag("visible") ?? true } }

    /// The rule of the key `cache`: `off`, or terms between commas such as `at-least:1d`, `at-most:1h`, `fixed:7d` and
    /// `stale:30d`, each with a number of seconds, or of minutes (m), hours (h) or days (d).
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
