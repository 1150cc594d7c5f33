import PortolanFeatures
import PortolanGeo
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanFormats

/// Files of pyarrow and geopandas, with their contents by Python (`Fixtures/geoparquet/make`).
@Suite struct GeoParquetTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let file: String
        let crs: String?
        let warningCount: Int
        let unsupported: String?
        let features: [Feature]

        var testDescription: String { file }
        func bytes() throws -> [UInt8] { try Fixture.bytes("geoparquet/" + file) }
    }

    static let samples: [Sample] = {
        guard let text = try? Fixture.bytes("geoparquet/expected.json"),
            let root = try? JSONReader.value(bytes: text).objectValue, let contents = root["contents"]?.objectValue
        else { return [] }
        return (root["files"]?.arrayValue ?? []).compactMap(\.objectValue).compactMap { file in
            guard let name = file["file"]?.stringValue, let content = file["content"]?.stringValue,
                let value = contents[content],
                let features = try? GeoJSONReader.read(GeoJSONWriter.json(value)).features
            else { return nil }
            return Sample(
                file: name, crs: file["crs"]?.stringValue, warningCount: file["warnings"]?.integerValue ?? 0,
                unsupported: file["error"]?.stringValue, features: features)
        }
    }()

    @Test func `there are files of each kind`() { #expect(samples.count == 35) }

    private var samples: [Sample] { Self.samples }

    @Test(arguments: samples) func `a file of another program has its values`(_ sample: Sample) throws {
        if let name = sample.unsupported, FeatureFormats.standard.format(recognizing: try sample.bytes()) != nil {
            let error = #expect(throws: FeatureFileError.self) { try FeatureFormats.standard.read(sample.bytes()) }
            #expect(error?.code == .unsupported)
            #expect(error.map { "\($0)".contains(name) } ?? false)
            return
        }
        #if !Images
        guard !sample.file.hasPrefix("zstandard") else {
            let error = #expect(throws: FeatureFileError.self) { try FeatureFormats.standard.read(sample.bytes()) }
            #expect(error?.code == .unsupported)
            return
        }
        #endif
        let read = try FeatureFormats.standard.read(sample.bytes())
        #expect(read.crs?.name == sample.crs)
        #expect(read.warnings.count == sample.warningCount, "\(read.warnings)")
        try #require(read.features.count == sample.features.count)
        for (one, other) in zip(read.features, sample.features) {
            #expect(one.geometry == other.geometry)
            #expect(one.properties.names == other.properties.names)
            for property in other.properties {
                #expect(
                    Self.isSame(one.properties[property.name], property.value), "\(sample.file), \(property.name)")
            }
        }
    }

    /// Whether two values are equal; a whole number may have lost its fraction in JSON.
    private static func isSame(_ one: PropertyValue?, _ other: PropertyValue) -> Bool {
        if case .number(let number)? = one, case .integer(let integer) = other { return number == Double(integer) }
        return one == other
    }

    #if Images
    @Test func `a page may be a thousandth of its content`() throws {
        let read = try FeatureFormats.standard.read(Fixture.bytes("geoparquet/zstandard-runs.parquet"))
        #expect(read.features.map { $0.properties["text"] } == [.string(String(repeating: "a", count: 60_000))])
    }
    #endif

    @Test func `a column of geometries is a layer`() throws {
        let file = try GeoParquet(Fixture.bytes("geoparquet/two-geometries.parquet"))
        #expect(file.layers.map(\.name) == ["geometry", "entrance"])
        #expect(file.layers.map { $0.crs?.name } == [nil, "EPSG:3067"])
        let entrances = try file.read(FeatureQuery(layer: "entrance"), limits: FeatureLimits())
        #expect(entrances.crs?.name == "EPSG:3067")
        #expect(entrances.features.first?.geometry == .point(Coordinate(x: 385_000, y: 6_670_000)))
        let error = #expect(throws: FeatureFileError.self) {
            try file.read(FeatureQuery(layer: "exit"), limits: FeatureLimits())
        }
        #expect(error?.code == .unreadable)
    }

    @Test(arguments: [(-1.0, -0.5, 0), (0.25, 0.3, 1), (0.5, 6, 7), (23.5, 99, 1), (23.6, 99, 0), (-9, 99, 24)])
    func `a box has the features that touch it`(west: Double, east: Double, count: Int) throws {
        let box = try #require(BoundingBox(minX: west, minY: 0.5, maxX: east, maxY: 0.75))
        for name in ["covering", "native-polygon"] where name == "covering" || count == 24 {
            let file = try GeoParquet(Fixture.bytes("geoparquet/\(name).parquet"))
            let found = try file.read(FeatureQuery(box: box), limits: FeatureLimits()).features
            if name == "covering" { #expect(found.count == count) }
        }
    }

    @Test(arguments: [("covering", true), ("plain", false), ("native-point", false)])
    func `a file with boxes is indexed`(name: String, isIndexed: Bool) throws {
        let file = try GeoParquet(Fixture.bytes("geoparquet/\(name).parquet"))
        #expect(file.isIndexed(layer: nil) == isIndexed)
        #expect(file.isIndexed(layer: "geometry") == isIndexed)
        #expect(!file.isIndexed(layer: "exit"))
    }

    @Test func `row groups outside a box are not read`() throws {
        var bytes = try Fixture.bytes("geoparquet/covering.parquet")
        let footer = try GeoParquet(bytes).footer
        #expect(footer.rowGroups.map(\.rowCount) == [6, 6, 6, 6])
        // Whatever is in the first three row groups makes no difference.
        for group in footer.rowGroups.dropLast() {
            for range in group.chunks.compactMap(\.range) { for place in range { bytes[place] = 0xFF } }
        }
        let box = try #require(BoundingBox(minX: 20.25, minY: 0, maxX: 99, maxY: 1))
        let found = try GeoParquet(bytes).read(FeatureQuery(box: box), limits: FeatureLimits())
        #expect(found.features.map { $0.properties["n"] } == [20, 21, 22, 23])
        #expect(throws: FeatureFileError.self) { try GeoParquet(bytes).read(FeatureQuery(), limits: FeatureLimits()) }
    }

    @Test(arguments: [
        "plain", "snappy-dictionary", "deltas-small-pages", "native-multipolygon", "covering", "zstandard-small-pages",
    ])
    func `damaged or truncated files give features or an error`(name: String) throws {
        let whole = try Fixture.bytes("geoparquet/\(name).parquet")
        let box = try #require(BoundingBox(minX: 0, minY: 0, maxX: 9, maxY: 99))
        func check(_ bytes: [UInt8]) {
            do {
                let file = try GeoParquet(bytes)
                _ = try file.read(FeatureQuery(), limits: FeatureLimits())
                _ = try file.read(FeatureQuery(box: box), limits: FeatureLimits())
            } catch let error as FeatureFileError {
                guard case .byte(let place)? = error.place else { return }
                #expect((0...bytes.count).contains(place), "\(error)")
            } catch { Issue.record("\(error)") }
        }
        for length in stride(from: 0, to: whole.count, by: 101) { check(Array(whole[..<length])) }
        var random = SeededGenerator(seed: 7)
        for _ in 0..<400 {
            var bytes = whole
            bytes[Int.random(in: 0..<whole.count, using: &random)] =
                [0, 1, 0x7F, 0x80, 0xFF].randomElement(
                    using: &random) ?? 0
            check(bytes)
        }
    }

    @Test(arguments: [
        (FeatureLimits(maximumFeatureCount: 10), FeatureFileError.Code.limitExceeded),
        (FeatureLimits(maximumCoordinateCount: 30), .limitExceeded),
        (FeatureLimits(maximumByteCount: 500), .limitExceeded),
        (FeatureLimits(memory: MemoryBudget(byteLimit: 4000)), .memory),
    ])
    func `limits are enforced`(limits: FeatureLimits, code: FeatureFileError.Code) {
        for name in ["plain", "snappy-dictionary"] {
            let error = #expect(throws: FeatureFileError.self) {
                try GeoParquet.Format().read(Fixture.bytes("geoparquet/\(name).parquet"), limits: limits)
            }
            #expect(error?.code == code)
        }
    }

    @Test(arguments: [
        ("PAR1", FeatureFileError.Code.malformed), ("PAR1 and more, but no end", .malformed),
        ("PARE\0\0\0\0PARE", .encrypted), ("PAR1\0\0\0\0PAR1", .malformed),
        ("PAR1\u{7F}\u{7F}\u{7F}\u{7F}PAR1", .limitExceeded),
    ])
    func `a file without a usable footer is refused`(text: String, code: FeatureFileError.Code) {
        let error = #expect(throws: FeatureFileError.self) { try FeatureFormats.standard.read(Array(text.utf8)) }
        #expect(error?.code == code)
    }

    @Test func `a table without geometries is refused with a remedy`() throws {
        let whole = try Fixture.bytes("geoparquet/required.parquet")
        // The name of the metadata, of which there is one in the footer.
        let place = try #require(whole.indices.last { whole[$0...].starts(with: "geo".utf8) && whole[$0 - 1] == 3 })
        var bytes = whole
        bytes[place] = UInt8(ascii: "G")
        let error = #expect(throws: FeatureFileError.self) { try GeoParquet(bytes) }
        #expect(error?.code == .unsupported)
    }
}
