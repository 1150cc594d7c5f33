import PortolanFeatures
import PortolanFormats
import PortolanWeb
import Testing

@Suite struct TextEncodingTests {
    /// A table of one text column.
    private func table(_ texts: [[UInt8]], language: UInt8) -> [UInt8] {
        var bytes: [UInt8] =
            [3, 100, 1, 1, UInt8(texts.count), 0, 0, 0, 65, 0, 21, 0] + [UInt8](repeating: 0, count: 20)
        bytes[29] = language
        bytes += Array("name".utf8) + [UInt8](repeating: 0, count: 7) + [0x43, 0, 0, 0, 0, 20, 0]
        bytes += [UInt8](repeating: 0, count: 14) + [0x0D]
        for text in texts { bytes += [0x20] + text + [UInt8](repeating: 0x20, count: 20 - text.count) }
        return bytes
    }

    /// As many points as there are rows.
    private func points(_ count: Int) -> [UInt8] {
        ShapefileSample.points((0..<count).map { (Double($0), 1) }).shapes
    }

    private func names(_ texts: [[UInt8]], language: UInt8 = 0, encoding: String? = nil) throws -> ([String], Int) {
        let file = Shapefile(
            name: "x", shapes: points(texts.count), table: table(texts, language: language), projection: "x",
            encoding: encoding)
        let collection = try file.read(FeatureQuery(), limits: FeatureLimits())
        // One is about the projection.
        return (collection.features.compactMap { $0.properties["name"]?.stringValue }, collection.warnings.count - 1)
    }

    private static let moscow: [UInt8] = [0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0]

    @Test(
        arguments: [
            ("CP1251", 0, moscow, "Москва"), ("windows-1251", 0, moscow, "Москва"), ("ANSI 1251", 0, moscow, "Москва"),
            (nil, 0xC9, moscow, "Москва"), ("LDID/201", 0, moscow, "Москва"),
            (nil, 0x26, [0x8C, 0xAE, 0xE1, 0xAA, 0xA2, 0xA0], "Москва"),
            ("866", 0, [0x8C, 0xAE, 0xE1, 0xAA, 0xA2, 0xA0], "Москва"),
            ("KOI8-R", 0, [0xED, 0xCF, 0xD3, 0xCB, 0xD7, 0xC1], "Москва"),
            ("Shift_JIS", 0, [0x93, 0x8C, 0x8B, 0x9E], "東京"),
            (nil, 0x13, [0x93, 0x8C, 0x8B, 0x9E], "東京"), (nil, 0x7B, [0x93, 0x8C, 0x8B, 0x9E], "東京"),
            ("GBK", 0, [0xB1, 0xB1, 0xBE, 0xA9], "北京"), ("936", 0, [0xB1, 0xB1, 0xBE, 0xA9], "北京"),
            (nil, 0x4D, [0xB1, 0xB1, 0xBE, 0xA9], "北京"), ("BIG5", 0, [0xBB, 0x4F, 0xA5, 0x5F], "臺北"),
            (nil, 0x78, [0xBB, 0x4F, 0xA5, 0x5F], "臺北"), ("EUC-KR", 0, [0xBC, 0xAD, 0xBF, 0xEF], "서울"),
            ("949", 0, [0xBC, 0xAD, 0xBF, 0xEF], "서울"), ("1361", 0, [0xAC, 0xE1, 0xB6, 0x89], "서울"),
            ("874", 0, [0xA1, 0xD2], "กา"), (nil, 0x02, [0x94], "ö"), ("437", 0, [0x94], "ö"), (nil, 0x03, [0xF6], "ö"),
            (nil, 0x04, [0x9A], "ö"), ("ISO-8859-2", 0, [0xB3], "ł"), ("8859_7", 0, [0xE1], "α"),
            ("1250", 0, [0xB3], "ł"),
        ] as [(String?, UInt8, [UInt8], String)])
    func `table text is decoded in the stated encoding`(
        _ name: String?, _ language: UInt8, _ bytes: [UInt8], _ text: String
    ) throws {
        let (names, count) = try names([bytes], language: language, encoding: name)
        #expect(names == [text])
        #expect(count == 0)
    }

    @Test(
        arguments: [
            (
                [moscow, [0xCA, 0xE0, 0xE7, 0xE0, 0xED, 0xFC], [0xD2, 0xE2, 0xE5, 0xF0, 0xFC]],
                ["Москва", "Казань", "Тверь"]
            ),
            ([[0x8C, 0xAE, 0xE1, 0xAA, 0xA2, 0xA0], [0x92, 0xA2, 0xA5, 0xE0, 0xEC]], ["Москва", "Тверь"]),
            ([[0x93, 0x8C, 0x8B, 0x9E], [0x91, 0xE5, 0x8D, 0xE3]], ["東京", "大阪"]),
            ([[0xB1, 0xB1, 0xBE, 0xA9], [0xC9, 0xCF, 0xBA, 0xA3]], ["北京", "上海"]),
            ([[0xBC, 0xAD, 0xBF, 0xEF], [0xBA, 0xCE, 0xBB, 0xEA]], ["서울", "부산"]),
            ([[0xBB, 0x4F, 0xA5, 0x5F], [0xB0, 0xAA, 0xB6, 0xAF]], ["臺北", "高雄"]),
            (
                [[0x4B, 0xF6, 0x6C, 0x6E], [0x5A, 0xFC, 0x72], [0xC5, 0x72, 0x68, 0x75, 0x73], [0x47, 0xE9, 0x72]],
                ["Köln", "Zür", "Århus", "Gér"]
            ),
        ] as [([[UInt8]], [String])])
    func `an encoding is detected from the bytes, with a warning`(_ texts: [[UInt8]], _ wanted: [String]) throws {
        let (names, count) = try names(texts)
        #expect(names == wanted)
        #expect(count == 1)
    }

    @Test(arguments: [CSVFormat() as any FeatureFormat, GeoJSONFormat()])
    func `text that is not UTF-8 is read as Windows-1252, with a warning`(format: any FeatureFormat) throws {
        let text =
            format is CSVFormat
            ? "name,lat,lon\nKöln,50,7\n"
            : #"{"type":"Feature","properties":{"name":"Köln"},"geometry":{"type":"Point","coordinates":[7,50]}}"#
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        let collection = try FeatureFormats.standard.read(bytes)
        #expect(collection.features.map { $0.properties["name"] } == ["Köln"])
        #expect(
            collection.warnings.map(\.effect) == [.repaired] && collection.warnings[0].message.contains("Windows-1252"))
    }

    @Test func `the encoding of a CSV table can be given`() throws {
        let bytes = Array("name,lat,lon\n".utf8) + Self.moscow + Array(",55,37\n".utf8)
        let collection = try CSVFormat(encoding: "windows-1251").read(bytes, limits: FeatureLimits())
        #expect(collection.features[0].properties["name"] == "Москва")
        #expect(collection.warnings.isEmpty)
        #expect(throws: FeatureFileError.self) {
            try CSVFormat(encoding: "nowhere-1").read(bytes, limits: FeatureLimits())
        }
    }
}
