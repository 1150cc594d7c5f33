import PortolanFeatures
import PortolanFormats
import PortolanWeb
import Testing

@Suite struct CSVTableTests {
    private static func table(_ text: String) throws -> CSVTable { try CSVTable(bytes: Array(text.utf8)) }

    private static func values(_ text: String, _ column: String, for key: PropertyValue) throws -> Properties? {
        let join = try #require(try table(text).join(property: "k", column: column, named: "t"))
        return join.values(for: Feature(geometry: nil, properties: ["k": key]))
    }

    @Test(arguments: [
        "code,n,name\nES,47.5,Spain\nFI,5,Finland\n", "code;n;name\r\nES;47.5;Spain\r\nFI;5;Finland",
        "sep=|\ncode|n|name\nES|47.5|Spain\nFI|5|Finland\n",
        "\u{FEFF}code\tn\tname\nES\t47.5\tSpain\n\nFI\t5\tFinland\n",
        "\"code\",\"n\",\"name\"\n\"ES\",\"47.5\",\"Spain\"\n\"FI\",\"5\",\"Finland\"\n",
    ])
    func `a table has a line of column names and any separator`(_ text: String) throws {
        let table = try Self.table(text)
        #expect(table.columns == ["code", "n", "name"])
        #expect(table.rowCount == 2)
        #expect(table.warnings.isEmpty)
        #expect(try Self.values(text, "code", for: "ES") == ["n": 47.5, "name": "Spain"])
        #expect(try Self.values(text, "code", for: "FI")?["n"] == 5.0)
    }

    @Test func `codes keep their zeros, empty cells and the keys are no values`() throws {
        let text = "fips,rate,note,k\n01001,5,,x\n12086,6.5,a,y\n,7,b,z\n"
        #expect(try Self.values(text, "fips", for: "01001") == ["rate": 5.0])
        #expect(try Self.values(text, "fips", for: 1001) == ["rate": 5.0])
        #expect(try Self.values(text, "fips", for: "12086") == ["rate": 6.5, "note": "a"])
        #expect(try Self.table(text).join(property: "k", column: "fips", named: "t")?.rowCount == 2)
    }

    @Test func `another column has no join`() throws {
        #expect(try Self.table("a,b\n1,2\n").join(property: "k", column: "c", named: "t") == nil)
    }

    @Test(arguments: ["", "<html>", "{\"a\": 1}", "[1]"])
    func `other documents are not tables`(_ text: String) {
        let error = #expect(throws: FeatureFileError.self) { try Self.table(text) }
        #expect(error?.code == .otherFormat)
    }

    @Test func `limits hold`() {
        let bytes = Array("a\n1\n2\n3\n".utf8)
        for limits in [FeatureLimits(maximumByteCount: 3), FeatureLimits(maximumFeatureCount: 2)] {
            let error = #expect(throws: FeatureFileError.self) { try CSVTable(bytes: bytes, limits: limits) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test func `another encoding is named and read`() throws {
        let bytes: [UInt8] = Array("k,n\na,caf".utf8) + [0xE9, 0x0A]
        let table = try CSVTable(bytes: bytes)
        #expect(table.warnings.map(\.effect) == [.repaired])
        #expect(try CSVTable(bytes: bytes, encoding: "windows-1252").warnings.isEmpty)
    }
}
