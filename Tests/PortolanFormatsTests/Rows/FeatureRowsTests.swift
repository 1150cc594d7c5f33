import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb
import Testing

@Suite struct FeatureRowsTests {
    /// The point 1, 2 in well-known binary, little-endian.
    private static let point: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0x40]

    private static func document() -> [UInt8] {
        var writer = FeatureRowsWriter([
            (.integerID, "gid"), (.geometry, ""), (.bool, "ok"), (.number, "x"), (.text, "näme"), (.json, "data"),
        ])
        // 9 as eight bytes, true, 1.5, a text, and JSON.
        writer.add(value: [0, 0, 0, 0, 0, 0, 0, 9])
        writer.add(value: point)
        writer.add(value: [1])
        writer.add(value: [0x3F, 0xF8, 0, 0, 0, 0, 0, 0])
        writer.add(value: Array("Ä".utf8))
        writer.add(value: Array(#"{"a": [1]}"#.utf8))
        for _ in 0..<6 { writer.add(value: nil) }
        return writer.bytes
    }

    @Test func `rows become features, and NULL is no attribute`() throws {
        let rows = try FeatureRows(Self.document(), limits: FeatureLimits())
        #expect(!rows.isCut)
        let features = rows.collection.features
        #expect(features.count == 2 && features[0].id == 9 && features[1].id == nil)
        #expect(features[0].geometry == .point(Coordinate(x: 1, y: 2)) && features[1].geometry == nil)
        #expect(features[0].properties == ["ok": true, "x": 1.5, "näme": "Ä", "data": ["a": [1]]])
        #expect(features[1].properties.isEmpty)
    }

    @Test func `a document states that rows were cut off`() throws {
        var writer = FeatureRowsWriter([(.geometry, "")])
        writer.cut()
        #expect(try FeatureRows(writer.bytes, limits: FeatureLimits()).isCut)
    }

    @Test func `a row with an unreadable geometry is left out with a warning`() throws {
        var writer = FeatureRowsWriter([(.geometry, "")])
        writer.add(value: [1, 99, 0, 0, 0])
        writer.add(value: Self.point)
        let collection = try FeatureRows(writer.bytes, limits: FeatureLimits()).collection
        #expect(collection.features.count == 1 && collection.warnings.map(\.effect) == [.omitted])
    }

    @Test func `a cut or changed document is an error or other features, never a crash`() throws {
        let document = Self.document(), whole = try FeatureRows(document, limits: FeatureLimits()).collection
        for count in 0..<document.count {
            do {
                let cut = try FeatureRows(Array(document.prefix(count)), limits: FeatureLimits()).collection
                #expect(cut.features.count < whole.features.count)
            } catch { #expect([.malformed, .otherFormat].contains(error.code)) }
        }
        for place in document.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var changed = document
                changed[place] = value
                do { _ = try FeatureRows(changed, limits: FeatureLimits()) } catch {
                    #expect([.malformed, .otherFormat, .unsupported, .limitExceeded].contains(error.code))
                }
            }
        }
    }

    @Test func `more rows than the limit are refused`() {
        var limits = FeatureLimits()
        limits.maximumFeatureCount = 1
        let error = #expect(throws: FeatureFileError.self) { try FeatureRows(Self.document(), limits: limits) }
        #expect(error?.code == .limitExceeded)
    }
}
