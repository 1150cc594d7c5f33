import PortolanWeb

/// The secret values of requests, to be removed from messages, logs and reports.
///
/// A server may echo parts of the request in other encodings. Therefore values are recognised, not only parameter
/// names: literally, percent-encoded, in base 64 (alone and as part of a longer text), and as JSON, XML and HTML text,
/// ignoring case. Values shorter than ``shortest`` bytes are ignored, because they could match any text. Values in
/// other encodings are not recognised.
package struct Secrets: Hashable, Sendable {
    /// The minimum length in bytes of a recognised value.
    package static let shortest = 4

    /// The maximum number of values learned from documents.
    ///
    /// A map has one key for all its tiles, or a few.
    package static let mostLearned = 1000

    /// The forms in lower case, sorted by their bytes.
    private var forms: [[UInt8]] = []
    /// Whether a form begins with a byte; empty if there are no forms.
    private var isFirst: [Bool] = []
    /// The original values, to skip duplicates: each tile of a map adds the same ones.
    private var values: Set<String> = []

    /// Creates an empty set.
    package init() {}

    /// Creates the secrets of a request: those of its URL and of its header.
    package init(of request: HTTPRequest) {
        add(url: request.url)
        for header in request.headers { add(header) }
    }

    /// Whether there are no secrets.
    package var isEmpty: Bool { forms.isEmpty }

    /// Adds a value in all its forms.
    package mutating func add(_ value: some StringProtocol) {
        let value = String(value)
        guard values.insert(value).inserted else { return }
        for form in SecretForms.all(of: value) { insert(form) }
    }

    /// Adds the secrets of another set.
    package mutating func formUnion(_ other: Secrets) {
        guard !isEmpty else { return self = other }
        values.formUnion(other.values)
        for form in other.forms { insert(form) }
    }

    /// Adds the secrets of URLs from documents, up to ``mostLearned``.
    package mutating func learn(_ urls: some Sequence<String>) {
        for url in urls where values.count < Self.mostLearned { add(url: url) }
    }

    private mutating func insert(_ form: [UInt8]) {
        guard let first = form.first, form.count >= Self.shortest else { return }
        if isFirst.isEmpty { isFirst = Array(repeating: false, count: 256) }
        isFirst[Int(first)] = true
        let place = forms.firstPlace(in: forms.indices) { !$0.lexicographicallyPrecedes(form) }
        if place == forms.endIndex || forms[place] != form { forms.insert(form, at: place) }
    }

    /// Returns a text with `***` in place of each secret.
    ///
    /// - Complexity: O(*n*) in its length if nothing resembles a secret, plus O(longest secret × log(secrets)) for each
    ///   candidate.
    package func removed(from text: String) -> String {
        guard !isEmpty, let clean = removed(from: Array(text.utf8)) else { return text }
        return String(decoding: clean, as: UTF8.self)
    }

    /// Returns bytes with `***` in place of each secret, or `nil` if they contain none.
    ///
    /// A hostile server can choose secrets and text with long common prefixes. If the search takes more than about 32
    /// steps per byte, the rest of the text is treated as secret.
    package func removed(from bytes: [UInt8]) -> [UInt8]? {
        guard !isEmpty else { return nil }
        var clean: [UInt8] = [], kept = 0, index = 0, steps = 1_000_000 + 32 * bytes.count
        while index < bytes.count {
            guard steps > 0 else { return clean + bytes[kept..<index] + Array("***".utf8) }
            guard let length = lengthOfSecret(in: bytes[index...], &steps) else {
                index += 1
                continue
            }
            clean += bytes[kept..<index]
            clean += "***".utf8
            index += length
            kept = index
        }
        return kept == 0 ? nil : clean + bytes[kept...]
    }

    /// Returns the length in bytes of the longest secret at the start of a text, ignoring case, or `nil` if there is no
    /// match.
    ///
    /// Any byte may be percent-encoded, because programs differ in which ones they encode.
    private func lengthOfSecret(in text: ArraySlice<UInt8>, _ steps: inout Int) -> Int? {
        let first = text[text.startIndex]
        guard isFirst[Int(first.asciiLowercased)] || first == UInt8(ascii: "%") else { return nil }
        // The forms that match the text so far: two candidates if a percent sign can be literal or start an escape.
        var open = [(forms: forms.indices, place: text.startIndex)], depth = 0, length: Int?
        while !open.isEmpty {
            steps -= open.count
            var next: [(forms: Range<Int>, place: Int)] = []
            for (range, place) in open {
                var range = range
                if forms[range.lowerBound].count == depth {
                    length = max(length ?? 0, place - text.startIndex)
                    range = range.dropFirst()
                }
                guard place < text.endIndex else { continue }
                func follow(_ byte: UInt8, to place: Int) {
                    let start = forms.firstPlace(in: range) { $0[depth] >= byte.asciiLowercased }
                    let end = forms.firstPlace(in: start..<range.upperBound) { $0[depth] > byte.asciiLowercased }
                    if start < end, next.count < 8 { next.append((start..<end, place)) }
                }
                follow(text[place], to: place + 1)
                if text[place] == UInt8(ascii: "%"), let code = text[place...].percentCode {
                    follow(code, to: place + 3)
                }
            }
            open = next
            depth += 1
        }
        return length
    }
}

extension [[UInt8]] {
    /// Returns the first index in a range whose element satisfies a monotonic condition, or the end of the range.
    fileprivate func firstPlace(in range: Range<Int>, where passes: ([UInt8]) -> Bool) -> Int {
        var low = range.lowerBound, high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if passes(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension ArraySlice<UInt8> {
    /// The byte of the percent-encoding at the start.
    fileprivate var percentCode: UInt8? {
        guard count >= 3, let high = self[startIndex + 1].hexadecimalValue,
            let low = self[startIndex + 2].hexadecimalValue
        else { return nil }
        return high << 4 | low
    }
}

// MARK: - Where secrets stand

extension Secrets {
    /// Adds the user information of a URL and the values of its secret parameters, including those of nested URLs.
    package mutating func add(url: String) { add(url: url, depth: 0) }

    private mutating func add(url: String, depth: Int) {
        guard depth < 4 else { return }
        let pieces = url.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "?" || $0 == "#" }
        if let slashes = pieces[0].firstRange(of: "//") {
            let authority = pieces[0][slashes.upperBound...].prefix { $0 != "/" }
            if let at = authority.lastIndex(of: "@") { add(userInformation: authority[..<at]) }
        }
        // Path parameters, as in /services;key=…/wms.
        for part in pieces[0].split(separator: ";").dropFirst() {
            let pair = part.prefix { $0 != "/" }
            guard let equals = pair.firstIndex(of: "="), SecretNames.contains(pair[..<equals]) else { continue }
            add(encoded: pair[pair.index(after: equals)...])
        }
        guard pieces.count == 2 else { return }
        let isDelimiter = { (character: Character) in "?#&;".contains(character) }
        for pair in pieces[1].split(whereSeparator: isDelimiter) {
            guard let equals = pair.firstIndex(of: "=") else { continue }
            let value = pair[pair.index(after: equals)...]
            if SecretNames.contains(pair[..<equals]) { add(encoded: value) }
            if let inner = Self.decoded(value), inner.contains("://") { add(url: inner, depth: depth + 1) }
        }
    }

    /// Adds the user name and password of `user:password`, or a single value for both.
    private mutating func add(userInformation: Substring) {
        let parts = userInformation.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        add(encoded: parts.last ?? userInformation)
    }

    /// Adds a value as it is encoded in a URL, and decoded.
    private mutating func add(encoded value: Substring) {
        add(value)
        if let meant = Self.decoded(value) { add(meant) }
        // Form encoding writes a space as `+`.
        if let meant = Self.decoded(value.replacing("+", with: " ")[...]) { add(meant) }
    }

    private static func decoded(_ text: Substring) -> String? {
        PercentEncoding.decode(text.utf8).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Adds the value of a header field and its components, unless the field does not identify the client.
    package mutating func add(_ header: HTTPHeader) {
        guard !Redirect.isHarmless(header), !header.isNamed("Referer"), !header.isNamed("Origin") else { return }
        add(header.value)
        if header.isNamed("Cookie") {
            for pair in header.value.split(separator: ";") {
                add((pair.split(separator: "=", maxSplits: 1).last ?? pair).trimmed)
            }
        }
        // A scheme with its credentials (RFC 9110, section 11.4).
        guard let blank = header.value.firstIndex(of: " ") else { return }
        let rest = header.value[blank...].trimmed
        add(rest)
        guard let bytes = try? Base64.decode(Array(rest.utf8)), let text = String(validating: bytes, as: UTF8.self),
            let colon = text.firstIndex(of: ":")
        else { return }
        add(text)
        add(text[text.index(after: colon)...])
    }

    /// Adds the secrets of a credential.
    package mutating func add(_ credential: Credential) {
        switch credential {
        case .basic(let name, let password):
            add(password)
            add("\(name):\(password)")
        case .bearer(let token): add(token)
        case .header(let header): add(header)
        case .query(_, let value): add(value)
        }
    }
}

/// The names of parameters with secret values.
package enum SecretNames {
    /// Whole names, in lower case and without other characters than letters and digits.
    ///
    /// These include names used by services: `appid` (OpenWeatherMap), `app_id` and `app_code` (HERE), `code` (Azure
    /// Functions), `sas` and `sig` (Azure), `tk` (Tianditu), `ak` (Baidu), `guid` (licences).
    private static let names: Set<String> = [
        "ak", "appcode", "appid", "auth", "bearer", "code", "credentials", "guid", "hmac", "jwt", "pass", "passphrase",
        "pw", "pwd", "sas", "session", "sessionid", "sid", "sig", "ticket", "tk",
    ]

    private static let parts = ["token", "secret", "password", "passwd", "signature", "credential", "authoriz"]

    /// Returns whether a name is that of a secret, percent-encoded or not, in any case and spelling.
    package static func contains(_ name: Substring) -> Bool {
        let decoded = PercentEncoding.decode(name.utf8) ?? Array(name.utf8)
        let letters = decoded.map(\.asciiLowercased).filter { $0.isASCIILetter || $0.isASCIIDigit }
        let word = String(decoding: letters, as: UTF8.self)
        return names.contains(word) || word.hasSuffix("key") || parts.contains { word.contains($0) }
    }
}
