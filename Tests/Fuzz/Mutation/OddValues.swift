/// Values that readers stumble over.
enum OddValues {
    static let numbers = [
        "0", "-0", "1", "-1", "0.5", "1e308", "-1e308", "1.7976931348623157e308", "1e309", "-1e400", "5e-324", "1e-400",
        "NaN", "nan", "inf", "-Infinity", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "18446744073709551616", "2147483647", "2147483648", "4294967295", "4294967296", "65535", "65536", "16777217",
        "0x7fffffff", "0x1p1023", "1,5", "1.5.5", "1e", "-", "+5", "1e+99999999999", "٣", "", " 7 ", "180", "-180",
        "90",
        "-90", "360", "540", "1000000000000", "0.0000000000001",
        "99999999999999999999999999999999999999999999999999999999999999999999999999999999",
    ]

    static let texts = [
        "", " ", "\u{0}", "\u{7F}", "\u{FEFF}", "\u{202E}", "é", "e\u{301}", "日本", "😀", "\u{10FFFF}", "\u{FFFD}",
        "EPSG:4326", "EPSG:3857", "EPSG:0", "EPSG:-1", "EPSG:99999999999999999999", "CRS:84", "AUTO:42001",
        "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:OGC:1.3:CRS84", "http://www.opengis.net/def/crs/EPSG/0/4326",
        "http://[", "http://a:99999999999/", "http://user:pw@h:80/?a=1&&b", "//h/p", "?", "&", "%", "%zz", "http://",
        "https://h/{z}/{x}/{y}", "{TileMatrix}/{TileCol}/{TileRow}", "{", "}", "{}", "image/png", "image/jpeg",
        "1.3.0", "1.1.1", "99.99.99", "1.", "GetMap", "default", "true", "2020-01-01/2021-01-01/P1D", "\n\n", "]]>",
        "1 2 3 4", "1,2,3,4", "-180,-90,180,90", "0 0", "1e400 1e400",
    ]

    static let markup = [
        "<!-- x -->", "<![CDATA[ <a> ]]>", "<?pi x?>", "&lt;", "&#0;", "&#x110000;", "&#65;", "&x;", "<!DOCTYPE a>",
        "<!DOCTYPE a [<!ENTITY x 'y'>]>", "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/x'>", "<a", "</a>", "<a/>", "<p:a/>",
        "<Layer>", "</Layer>", "<Layer/>", "<Name>a</Name>", " a='b'", " xmlns='u'", " xmlns:a=''", "]]>", "<!", "<?",
        "<?xml version='1.0' encoding='UTF-16'?>", "<?xml version='1.0' encoding='ISO-8859-1'?>", "<>",
    ]

    static let json = [
        "null", "true", "[]", "{}", "\"\"", "\"\\ud800\"", "\"\\ud83d\\ude00\"", "\"\\u0000\"", "\"\\x\"", "[[[[]]]]",
        "-", "01", "1e", ".5", "tru", "{\"a\":1,\"a\":2}", ",", ":", "\"", "[1,2", "[0,0]", "[1e400,0]", "[null,null]",
        "{\"type\":\"Point\",\"coordinates\":[1,2]}", "{\"type\":\"Feature\"}", "/* c */", "\u{FEFF}", "'a'",
    ]

    static let words = [
        "{z}", "{x}", "{y}", "{-y}", "{s}", "{r}", "{q}", "{quadkey}", "{", "}", ";", ";;", "=", ":", ",", "%3B", "%",
        "wms:", "xyz:", "wmsc:", "wmts:", "tms:", "http://", "https://h", "file://", "#", "[", "]", "/DEF/CRS/", "URN:",
        "{TileMatrix}", "{tilerow}", "{TileCol}", "{Time}", "%7B", "%7d", "\u{0}", "é", "ﬁ", "İ",
    ]

    static let sqlite = [
        "\u{0}", "\u{7F}\u{7F}", "tiles", "metadata", "maxzoom", "minzoom", "bounds", "CREATE VIEW tiles AS SELECT ",
        "pbf", "gpkg_contents", "portolan:job", "WHERE 1=0", "-- ", "'", "\"", "é", "20", "30", "-1", "INTEGER",
    ]

    static func insertions(for grammar: Grammar) -> [String] {
        switch grammar {
        case .xml: markup
        case .json: json
        case .words: words
        case .sqlite: sqlite
        case .png, .jpeg: ["\u{0}", "IDAT", "IEND", "\u{7F}"]
        case .gif: ["\u{0}", ";", ",", "!", "GIF87a", "\u{7F}"]
        case .riff: ["\u{0}", "VP8X", "VP8L", "VP8 ", "ALPH", "ANIM", "ANMF", "\u{7F}"]
        }
    }
}
