/// The compressions of blocks.
enum TIFFCompression: Int, Sendable {
    case none = 1
    case lzw = 5
    case jpeg = 7
    case deflate = 8
    case packBits = 32773
    case oldDeflate = 32946
    case webP = 50001

    /// The names of compressions, for messages.
    static let names = [
        2: "CCITT", 3: "CCITT fax 3", 4: "CCITT fax 4", 6: "old JPEG", 34712: "JPEG 2000", 34887: "LERC", 34925: "LZMA",
        50000: "Zstandard", 50002: "JPEG XL",
    ]
}
