/// The compressions of blocks.
enum TIFFCompression: Int, Sendable {
    case none = 1
    case lzw = 5
    case jpeg = 7
    case deflate = 8
    case packBits = 32773
    case oldDeflate = 32946
    case lerc = 34887
    case zstandard = 50000
    case webP = 50001

    /// The name.
    var title: String {
        switch self {
        case .none: "none"
        case .lzw: "LZW"
        case .jpeg: "JPEG"
        case .deflate, .oldDeflate: "Deflate"
        case .packBits: "PackBits"
        case .webP: "WebP"
        case .lerc: "LERC"
        case .zstandard: "Zstandard"
        }
    }

    /// The names of compressions that are not read, for messages.
    static let names = [
        2: "CCITT", 3: "CCITT fax 3", 4: "CCITT fax 4", 6: "old JPEG", 34712: "JPEG 2000", 34925: "LZMA",
        50002: "JPEG XL",
    ]
}
