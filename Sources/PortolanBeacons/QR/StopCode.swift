public import Foundation

/// The stop that a code or a beacon identifies.
///
/// Codes are only looked up, never opened. They have the form `qbus:stop:ID?v=1`, or are a URL such as
/// `https://qbus.example/stop/0123?uuid=UUID&major=7&minor=123`, which phones without the app can open and which
/// contains the identity of the stop's beacon.
public enum StopCode: Hashable, Sendable {
    /// A stop identifier.
    case stop(id: String)
    /// The beacon of a stop.
    case beacon(BeaconAdvertisement.Identity)

    /// The maximum length of a code in bytes.
    public static let maximumByteCount = 2048
    /// The maximum length of an identifier in bytes.
    public static let maximumIdentifierByteCount = 64

    /// Parses the text of a code.
    ///
    /// - Throws: ``StopCode/ParseError``.
    public init(_ text: String) throws(StopCode.ParseError) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .tooLong(limit: Self.maximumByteCount) }
        guard let colon = text.firstIndex(of: ":") else { throw .otherCode }
        switch text[..<colon].lowercased() {
        case "qbus": self = try Self.stop(text[text.index(after: colon)...])
        case "https": self = try Self.address(text)
        default: throw .otherCode
        }
    }

    private static func stop(_ rest: Substring) throws(StopCode.ParseError) -> StopCode {
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].lowercased().hasPrefix("stop:") else { throw .otherCode }
        guard parts.count == 2 else { throw .malformed("missing version") }
        var versions: [Substring] = []
        for field in parts[1].split(separator: "&") where field.hasPrefix("v=") { versions.append(field.dropFirst(2)) }
        guard versions.count == 1 else { throw .malformed("missing version, or several versions") }
        guard versions[0] == "1" else { throw .unknownVersion(String(versions[0].prefix(16))) }
        guard let id = String(parts[0].dropFirst(5)).removingPercentEncoding, isIdentifier(id) else {
            throw .malformed("missing stop identifier")
        }
        return .stop(id: id)
    }

    private static func address(_ text: String) throws(StopCode.ParseError) -> StopCode {
        guard let parts = URLComponents(string: text), parts.host?.isEmpty == false else {
            throw .malformed("invalid URL")
        }
        let items = (parts.queryItems ?? []).filter { ["uuid", "major", "minor"].contains($0.name) }
        guard !items.isEmpty else { throw .otherCode }
        func only(_ name: String) -> String? {
            let values = items.filter { $0.name == name }
            return values.count == 1 ? values[0].value : nil
        }
        guard let uuid = only("uuid").flatMap(UUID.init(uuidString:)),
            let major = only("major").flatMap({ UInt16($0) }),
            let minor = only("minor").flatMap({ UInt16($0) })
        else { throw .malformed("expected one UUID, one major and one minor") }
        return .beacon(BeaconAdvertisement.Identity(uuid: uuid, major: major, minor: minor))
    }

    /// Returns whether a text is a valid stop identifier: 1 to 64 bytes without white space and control characters.
    public static func isIdentifier(_ text: String) -> Bool {
        (1...maximumIdentifierByteCount).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                !$0.properties.isWhitespace && $0.properties.generalCategory != .control
            }
    }

    /// Returns the text of the code, or `nil` for a stop with an invalid identifier and for a beacon without a site.
    ///
    /// - Parameter site: the URL of a stop page, for beacon codes.
    public func text(site: URL? = nil) -> String? {
        switch self {
        case .stop(let id):
            var letters = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
            letters.insert(charactersIn: "-._~:")
            guard Self.isIdentifier(id) else { return nil }
            return id.addingPercentEncoding(withAllowedCharacters: letters).map { "qbus:stop:\($0)?v=1" }
        case .beacon(let identity):
            guard let site, site.scheme == "https", var parts = URLComponents(url: site, resolvingAgainstBaseURL: true)
            else { return nil }
            let items = [
                ("uuid", identity.uuid.uuidString), ("major", "\(identity.major)"), ("minor", "\(identity.minor)"),
            ]
            parts.queryItems = items.map { URLQueryItem(name: $0.0, value: $0.1) }
            return parts.string
        }
    }
}

extension StopCode {
    /// The reason why a text is not a stop code.
    public enum ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The text is a different kind of code.
        case otherCode
        /// The text exceeds this number of bytes.
        case tooLong(limit: Int)
        /// The version is unknown.
        case unknownVersion(String)
        /// The code is malformed.
        case malformed(String)

        /// A one-line message.
        public var description: String {
            switch self {
            case .otherCode: "not the code of a stop"
            case .tooLong(let limit): "the code exceeds \(limit) bytes"
            case .unknownVersion(let version): "unknown code version \(version.debugDescription)"
            case .malformed(let what): "damaged stop code: \(what)"
            }
        }
    }
}
