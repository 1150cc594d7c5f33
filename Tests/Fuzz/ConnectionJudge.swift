import Foundation

#if os(Linux) && Drivers
import CCurl
#endif

/// Whether libcurl would connect to a network that documents from afar do not lead to: told by its own parser and by the list of
/// special addresses (IANA, RFC 6890), so that it shares no line with what it judges.
enum ConnectionJudge {
    /// Why a URL is not to be asked, or `nil` when it is one of a host that anyone reaches.
    static func fault(of url: String) -> String? {
        guard let (scheme, host) = parts(of: url) else { return nil }
        guard scheme == "http" || scheme == "https" else { return "the scheme \(scheme)" }
        let bare = host.hasSuffix(".") ? String(host.dropLast()) : host
        if bare == "localhost" || bare.hasSuffix(".localhost") { return "this machine, '\(host)'" }
        if let four = bytes(of: bare, AF_INET, count: 4) { return isGlobal(four) ? nil : "the address '\(host)'" }
        let inside = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let address = inside.prefix { $0 != "%" }
        if let six = bytes(of: String(address), AF_INET6, count: 16) {
            return isGlobal(six) ? nil : "the address '\(host)'"
        }
        return nil
    }

    /// The scheme and the host that libcurl takes a URL for, or `nil` when it takes it for none.
    static func parts(of url: String) -> (scheme: String, host: String)? {
        #if os(Linux) && Drivers
        guard let handle = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(handle) }
        guard unsafe curl_url_set(handle, CURLUPART_URL, url, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK else {
            return nil
        }
        func part(_ part: CURLUPart) -> String? {
            // The text is libcurl's and freed here.
            var text: UnsafeMutablePointer<CChar>?
            guard unsafe curl_url_get(handle, part, &text, portolan_curl_punycode) == CURLUE_OK, let text = unsafe text
            else { return nil }
            defer { unsafe curl_free(text) }
            return unsafe String(cString: text).lowercased()
        }
        guard let scheme = part(CURLUPART_SCHEME) else { return nil }
        return (scheme, part(CURLUPART_HOST) ?? "")
        #else
        guard let parts = URLComponents(string: url), let scheme = parts.scheme else { return nil }
        return (scheme.lowercased(), (parts.host ?? "").lowercased())
        #endif
    }

    /// The URL that libcurl makes of a reference within a document, or `nil` when it makes none.
    static func resolved(_ reference: String, against base: String) -> String? {
        #if os(Linux) && Drivers
        guard let handle = unsafe curl_url() else { return nil }
        defer { unsafe curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
        // The text is libcurl's and freed here.
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_set(handle, CURLUPART_URL, base, 0) == CURLUE_OK,
            unsafe curl_url_set(handle, CURLUPART_URL, reference, flags) == CURLUE_OK,
            unsafe curl_url_get(handle, CURLUPART_URL, &text, 0) == CURLUE_OK, let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
        #else
        return URL(string: reference, relativeTo: URL(string: base))?.absoluteString
        #endif
    }

    private static func bytes(of host: String, _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        // `inet_aton` reads what `inet_pton` refuses: fewer parts, octal and hexadecimal ones. Both write `count` bytes.
        if family == AF_INET {
            var address = in_addr()
            guard unsafe inet_aton(host, &address) != 0 else { return nil }
            return (0..<4).map { UInt8(truncatingIfNeeded: address.s_addr >> (8 * UInt32($0))) }
        }
        return unsafe inet_pton(family, host, &bytes) == 1 ? bytes : nil
    }

    /// Networks of special use, with the bits that tell them.
    private static let special: [(bytes: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 168], 16),
        ([224], 3),
    ]
    private static let special6: [(bytes: [UInt8], bits: Int)] = [
        ([UInt8](repeating: 0, count: 15) + [1], 128), ([UInt8](repeating: 0, count: 16), 128), ([0xFC], 7),
        ([0xFE, 0x80], 10), ([0xFE, 0xC0], 10), ([0xFF], 8),
    ]

    private static func isGlobal(_ address: [UInt8]) -> Bool {
        func lies(_ network: (bytes: [UInt8], bits: Int)) -> Bool {
            (0..<network.bits).allSatisfy { bit in
                let mask = UInt8(0x80) >> UInt8(bit % 8)
                let wanted = bit / 8 < network.bytes.count ? network.bytes[bit / 8] : 0
                return address[bit / 8] & mask == wanted & mask
            }
        }
        if address.count == 4 { return !special.contains(where: lies) }
        if special6.contains(where: lies) { return false }
        // IPv4 within IPv6: mapped, compatible, NAT64, 6to4.
        let isMapped =
            address[..<10].allSatisfy { $0 == 0 } && address[10] == address[11] && [0, 0xFF].contains(address[10])
        if isMapped || address.starts(with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
            return isGlobal(Array(address[12...]))
        }
        return address.starts(with: [0x20, 0x02]) ? isGlobal(Array(address[2..<6])) : true
    }
}
