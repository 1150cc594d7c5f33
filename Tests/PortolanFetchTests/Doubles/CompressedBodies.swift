/// Bodies compressed once with another program (Python's gzip and zlib, level 9).
enum CompressedBodies {
    static let plain = Array(String(repeating: "<Service>tile matrix</Service>\n", count: 8).utf8)

    static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 179, 9, 78, 45, 42, 203, 76, 78, 181, 43, 201, 204, 73, 85, 200, 77, 44, 41,
        202, 172, 176, 209, 135, 9, 114, 217, 12, 87, 105, 0, 163, 30, 110, 162, 248, 0, 0, 0,
    ]

    static let deflate: [UInt8] = [
        120, 218, 179, 9, 78, 45, 42, 203, 76, 78, 181, 43, 201, 204, 73, 85, 200, 77, 44, 41, 202, 172, 176, 209, 135,
        9, 114, 217, 12, 87, 105, 0, 188, 157, 89, 145,
    ]

    /// 8 MiB of zero bytes as gzip, 8 KB: written as its runs of equal bytes.
    static let eightMebibytesOfZero: [UInt8] = [
        (31, 1), (139, 1), (8, 1), (0, 5), (2, 1), (3, 1), (236, 1), (193, 1), (1, 2), (0, 3), (128, 1), (144, 1),
        (254, 1), (175, 1), (238, 1), (8, 1), (10, 1), (0, 4094), (128, 1), (219, 1), (131, 1), (3, 1), (2, 1),
        (0, 4), (33, 1), (255, 1), (95, 1), (55, 1), (36, 1), (0, 4033), (156, 1), (5, 1), (69, 1), (188, 1),
        (210, 1), (26, 1), (0, 2), (128, 1), (0, 1),
    ].flatMap { (byte: UInt8, count: Int) in [UInt8](repeating: byte, count: count) }
}
