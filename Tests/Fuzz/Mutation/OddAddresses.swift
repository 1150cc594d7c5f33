import TestHelpers

/// Addresses that a document from afar may not lead to, in spellings that hide it, and some that it may lead to.
enum OddAddresses {
    private static let starts = [
        "http://", "https://", "HTTP://", "//", "http:/", "http:", "http:///", "http:\\\\", "\\\\", "\thttp://",
        "ht\ntp://",
        "ftp://", "unix://", "data://", "blob:http://", "http+unix://", "", "file://",
    ]
    private static let files = [
        "file://", "file://", "file://localhost", "FILE://", "file:", "file:/", "\tfile://", "fi\nle://", " file://",
        "view-source:file://", "jar:file://", "mbtiles:", "mbtiles://", "gpkg:", "gpkg://", "", "//localhost",
        "../../../../..",
    ]
    private static let names = [
        "localhost", "LOCALHOST", "localhost.", "a.localhost", "ⓛocalhost", "ｌocalhost", "local\u{AD}host", "printer",
        "db.internal", "nas.local", "router.home.arpa", "maps.example", "cdn.example", "",
    ]
    private static let private4: [UInt32] = [
        0x7F00_0001, 0x7F01_0203, 0, 0x0A00_0001, 0xC0A8_0101, 0xAC14_0001, 0x6440_0001, 0xA9FE_A9FE, 0xE000_0001,
        0xFFFF_FFFF, 0xC000_0201,
    ]
    private static let private6 = [
        "::1", "::", "fe80::1", "fe80::1%25eth0", "fc00::1", "fdff::2", "fec0::1", "ff02::1", "0:0:0:0:0:0:0:1",
        "::127.0.0.1", "100::1", "2001:db8::1",
    ]
    private static let users = [
        "", "", "", "", "", "", "", "", "", "", "maps.example@", "maps.example:80@", "a:b@", "a@b@", "%40", "#@", "?@",
    ]
    private static let tails = [
        "", "", "", "", "", "", ":80", ":8080", ".", ":", ":99999", "\\@maps.example", "#@maps.example", "%00",
    ]
    private static let paths = [
        "/a", "", "/", "/{z}/{x}/{y}.png", "/{TileMatrix}/{TileCol}/{TileRow}.png", "?a=b&amp;", "/../../etc/hostname",
        "/a b",
    ]

    /// One of them.
    static func next(_ generator: inout SeededGenerator) -> String {
        func one(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            return one(files)
                + one(WatchedFiles.paths) + one(["", "", "", "?table=a", "#a", "%20", "/0/0/0"])
        }
        let host =
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: one(names)
            case 1: "[" + one(private6) + "]"
            default: spelling(of: private4.randomElement(using: &generator) ?? 0, &generator)
            }
        return (Bool.random(using: &generator) ? "http://" : one(starts)) + one(users) + host + one(tails) + one(paths)
    }

    /// An IPv4 address as `inet_aton` reads it, as part of an IPv6 address, or in letters that mean its digits.
    static func spelling(of address: UInt32, _ generator: inout SeededGenerator) -> String {
        func number(_ value: UInt32) -> String {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: "0x" + String(value, radix: 16)
            case 1: "0" + String(value, radix: 8)
            case 2: "000" + String(value, radix: 8)
            default: String(value)
            }
        }
        let parts = (0..<4).map { address >> (24 - 8 * UInt32($0)) & 255 }
        let plain = parts.map(String.init).joined(separator: ".")
        let half = String(address >> 16, radix: 16) + ":" + String(address & 0xFFFF, radix: 16)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return number(address)
        case 1: return number(parts[0]) + "." + number(address & 0xFF_FFFF)
        case 2: return parts[0...1].map(number).joined(separator: ".") + "." + number(address & 0xFFFF)
        case 3: return parts.map(number).joined(separator: ".")
        case 4: return "[::ffff:\(plain)]"
        case 5: return "[::ffff:\(half)]"
        case 6: return "[64:ff9b::\(half)]"
        case 7: return "[2002:\(half)::1]"
        case 8: return String(String.UnicodeScalarView(plain.unicodeScalars.map(wide)))
        case 9: return plain.utf8.map { "%" + String($0, radix: 16) }.joined()
        case 10: return plain.replacing(".", with: "\u{3002}")
        default: return plain
        }
    }

    /// The digit in the width of a Chinese character, which host names know as the same.
    private static func wide(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        ("0"..."9").contains(scalar) ? Unicode.Scalar(scalar.value + 0xFEE0) ?? scalar : scalar
    }
}
