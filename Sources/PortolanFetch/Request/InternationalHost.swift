#if os(Linux)
import CCurl
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
#else
import Foundation
#endif

/// Names of hosts with letters other than those of ASCII.
enum InternationalHost {
    /// The name as the domain name system has it, `xn--…` (IDNA, RFC 5891), in small letters; `nil` when it is none, or the
    /// system's library cannot tell.
    ///
    /// Other spellings of ASCII, such as full-width digits, become what they mean.
    static func ascii(_ name: String) -> String? {
        #if os(Linux)
        guard let url = unsafe curl_url(), let locale = unsafe newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else {
            return nil
        }
        // libcurl takes the bytes for text of the locale; that of this thread is UTF-8 for as long as it is asked.
        let before = unsafe uselocale(locale)
        defer {
            _ = unsafe uselocale(before)
            unsafe freelocale(locale)
            unsafe curl_url_cleanup(url)
        }
        // libcurl copies what it is given; what it gives is terminated, and is ours to free.
        guard unsafe curl_url_set(url, CURLUPART_URL, "http://\(name)/", 0) == CURLUE_OK else { return nil }
        var found: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(url, CURLUPART_HOST, &found, portolan_curl_punycode) == CURLUE_OK,
            let found = unsafe found
        else { return nil }
        defer { unsafe curl_free(found) }
        let host = unsafe String(cString: found)
        #else
        guard let host = URL(string: "http://\(name)/")?.host(percentEncoded: true) else { return nil }
        #endif
        return host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") } ? host.lowercased() : nil
    }
}
