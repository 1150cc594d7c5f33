#if PostGIS
import Testing

@testable import PortolanPostGIS

@Suite struct SQLTextTests {
    @Test(
        arguments: [
            ("roads", ["roads"]), ("city.roads", ["city", "roads"]),
            (#""my.schema"."my table""#, ["my.schema", "my table"]),
            (#"city."a""b""#, ["city", #"a"b"#]), (#""a"."#, nil), ("a.b.c", nil), (".a", nil), (#""a"#, nil),
            (#""a"b"#, nil),
            ("", nil),
        ] as [(String, [String]?)])
    func `names have one or two parts`(text: String, parts: [String]?) {
        #expect(SQLText.parts(of: text) == parts)
    }

    @Test func `quotes in names are doubled`() {
        #expect(SQLText.identifier(#"a"; DROP TABLE b; --"#) == #""a""; DROP TABLE b; --""#)
    }
}
#endif
