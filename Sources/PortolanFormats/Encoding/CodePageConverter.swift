#if canImport(Glibc)
import Glibc
import PortolanFeatures
#endif

/// A converter to UTF-8 with the system's `iconv`.
///
/// If the C library has no `iconv`, or does not support the code page, there is no converter, and texts are read as if
/// no encoding was named.
@safe final class CodePageConverter {
    #if canImport(Glibc)
    private let handle: iconv_t
    /// Whether each character is one byte.
    private(set) var isSingleByte = true

    /// Opens a converter for a code page, or returns `nil` if the system does not support it.
    init?(_ name: String) {
        // The C library reports failure as a pointer of -1.
        guard let handle = unsafe iconv_open("UTF-8", name), Int(bitPattern: handle) != -1 else { return nil }
        unsafe self.handle = handle
        isSingleByte = !["CP932", "GB18030", "CP949", "CP950", "BIG5-HKSCS", "EUC-TW", "EUC-JP", "JOHAB"].contains(name)
    }

    deinit { unsafe iconv_close(handle) }

    /// Returns the text of bytes, or `nil` in strict mode if some are invalid in the code page.
    ///
    /// - Parameter isLenient: whether invalid bytes become U+FFFD.
    /// - Complexity: linear in the bytes.
    func text(_ bytes: ArraySlice<UInt8>, isLenient: Bool) -> String? {
        unsafe iconv(handle, nil, nil, nil, nil)
        var input = Array(bytes), output: [UInt8] = []
        // A character takes at most four bytes in UTF-8, and an invalid byte three.
        var buffer = [UInt8](repeating: 0, count: 4 * input.count + 16), start = 0
        while start < input.count {
            var left = input.count - start, room = buffer.count
            let (result, failure) = unsafe input.withUnsafeMutableBytes { source in
                unsafe buffer.withUnsafeMutableBytes { target in
                    var from = unsafe source.baseAddress.map { unsafe ($0 + start).assumingMemoryBound(to: CChar.self) }
                    var to = unsafe target.baseAddress.map { unsafe $0.assumingMemoryBound(to: CChar.self) }
                    let result = unsafe iconv(handle, &from, &left, &to, &room)
                    return (result, errno)
                }
            }
            output += buffer[..<(buffer.count - room)]
            start = input.count - left
            guard result == -1 else { break }
            guard isLenient, failure == EILSEQ || failure == EINVAL else { return nil }
            output += [0xEF, 0xBF, 0xBD]
            start += 1
            unsafe iconv(handle, nil, nil, nil, nil)
        }
        return String(decoding: output, as: UTF8.self)
    }
    #else
    let isSingleByte = true

    init?(_ name: String) { return nil }

    func text(_ bytes: ArraySlice<UInt8>, isLenient: Bool) -> String? { nil }
    #endif
}
