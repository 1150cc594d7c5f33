#if os(Linux) && Drivers
import CCurl
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
#elseif canImport(Darwin)
import Foundation
#endif

/// Conversion of non-ASCII host names.
enum InternationalHost {
    /// Returns the name in lower-case ASCII, `xn--…` (IDNA, RFC 5891), or `nil` if it is invalid or the system library
    /// fails.
    ///
    /// Compatibility forms of ASCII characters, such as full-width digits, are mapped to ASCII.
    ///
    /// - Throws: ``FetchError/Code/needsTrait`` on Linux without the trait `Drivers`.
    static func ascii(_ name: String, of url: String) throws(FetchError) -> String? {
        #if os(Linux) && !Drivers
        throw .needsDrivers("a host name outside ASCII", url: url)
        #else
        guard let host = systemName(name), host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") })
        else { return nil }
        return host.lowercased()
        #endif
    }

    #if os(Linux) && Drivers
    private static func systemName(_ name: String) -> String? {
        guard let url = unsafe curl_url(), let locale = unsafe newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else {
            return nil
        }
        // libcurl interprets the bytes in the thread's locale, which is UTF-8 during the call.
        let before = unsafe uselocale(locale)
        defer {
            _ = unsafe uselocale(before)
            unsafe freelocale(locale)
            unsafe curl_url_cleanup(url)
        }
        // libcurl copies its input; its result is null-terminated and must be freed here.
        guard unsafe curl_url_set(url, CURLUPART_URL, "http://\(name)/", 0) == CURLUE_OK else { return nil }
        var found: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(url, CURLUPART_HOST, &found, portolan_curl_punycode) == CURLUE_OK,
            let found = unsafe found
        else { return nil }
        defer { unsafe curl_free(found) }
        return unsafe String(cString: found)
    }
    #elseif canImport(Darwin)
    private static func systemName(_ name: String) -> String? {
        URL(string: "http://\(name)/")?.host(percentEncoded: true)
    }
    #endif
}
