import Foundation
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@Suite struct ShapefileTests {
    private func shapefile(
        _ shapes: [UInt8] = AreaSample.shapes, table: [UInt8]? = AreaSample.table, encoding: String? = "ISO-8859-1",
        projection: String? = AreaSample.projection
    ) -> Shapefile {
        Shapefile(name: "areas", shapes: shapes, table: table, projection: projection, encoding: encoding)
    }

    private func read(
        _ file: Shapefile, _ box: BoundingBox? = nil, _ limits: FeatureLimits = FeatureLimits()
    ) throws -> FeatureCollection { try file.read(FeatureQuery(box: box), limits: limits) }

    /// The same area, whichever way its rings turn and wherever they begin.
    private static func area(_ geometry: Geometry?) -> [[Set<Coordinate>]]? {
        geometry?.polygons.map { $0.map { Set($0) } }
    }

    @Test func `shapes and rows written by another program become features`() throws {
        let collection = try read(shapefile())
        #expect(collection.features.count == 2)
        #expect(collection.warnings.isEmpty)
        #expect(collection.crs == nil)
        for (feature, text) in zip(collection.features, AreaSample.texts) {
            let wanted = try WKT.read(text).geometry
            #expect(feature.geometry?.kind == wanted.kind)
            #expect(Self.area(feature.geometry) == Self.area(wanted))
        }
        let first = collection.features[0].properties, second = collection.features[1].properties
        #expect(first["name"] == "Hä")
        #expect(first["n"] == 3)
        #expect(first["x"] == 1.5)
        #expect(second["name"] == PropertyValue.null)
        #expect(second["n"] == -7)
        #expect(second["x"] == PropertyValue.null)
    }

    @Test(
        arguments: [
            ("UTF-8", "Hä", 1), (nil, "Hä", 1), ("1252", "Hä", 0), ("BIG5", "Hä", 1),
        ] as [(String?, String, Int)])
    func `a wrong or unknown encoding is reported`(_ name: String?, _ text: String, _ count: Int) throws {
        let collection = try read(shapefile(encoding: name))
        #expect(collection.features[0].properties["name"] == .string(text))
        #expect(collection.warnings.count == count)
    }

    @Test func `a bounding box filters features, and missing files are reported`() throws {
        let box = try #require(BoundingBox(minX: 30, minY: 1, maxX: 41, maxY: 2))
        let found = try read(shapefile(), box)
        #expect(found.features.map { $0.properties["n"] } == [-7])
        let bare = try read(shapefile(table: nil, projection: nil))
        #expect(bare.features.allSatisfy { $0.properties.isEmpty })
        #expect(bare.warnings.map(\.effect) == [.note, .note])
        let unknown = try read(shapefile(projection: "PROJCS[\"Elsewhere\",GEOGCS[\"x\"]]"))
        #expect(unknown.crs?.name == "Elsewhere")
        #expect(unknown.crs?.projection == nil)
    }

    @Test(arguments: [
        [], [3, 124, 1, 1], [3, 124, 1, 1, 2, 0, 0, 0, 0xFF, 0xFF, 9, 0] + [UInt8](repeating: 0, count: 30),
    ])
    func `a damaged table loses the properties, not the shapes`(table: [UInt8]) throws {
        let collection = try read(shapefile(table: table))
        #expect(
            collection.features.count == 2
                && collection.features.allSatisfy { $0.geometry != nil && $0.properties.isEmpty })
        #expect(collection.warnings.map(\.effect) == [.omitted])
    }

    @Test func `companion files are found in any case`() throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in [
            ("a.shp", AreaSample.shapes), ("a.DBF", AreaSample.table), ("a.prj", Array(AreaSample.projection.utf8)),
            ("a.cpg", Array("ISO-8859-1".utf8)),
        ] { try Data(bytes).write(to: URL(filePath: folder.path + "/" + name)) }
        let file = try Shapefile(path: folder.path + "/a.shp")
        let names = try read(file).features.map { $0.properties["name"] }
        #expect(file.layers.map(\.name) == ["a"])
        #expect(names.first == "Hä")
        let error = #expect(throws: FeatureFileError.self) { try Shapefile(path: folder.path + "/none.shp") }
        #expect(error?.code == .unreadable)
    }

    @Test func `points with heights and multipart lines are read`() throws {
        func shape(_ type: UInt32, _ content: [UInt8]) -> [UInt8] {
            func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
            func little(_ value: UInt32) -> [UInt8] { Array(big(value).reversed()) }
            let record = little(type) + content
            let header =
                big(9994) + [UInt8](repeating: 0, count: 20) + big(UInt32(108 + record.count) / 2)
                + little(1000) + little(type) + [UInt8](repeating: 0, count: 64)
            return header + big(1) + big(UInt32(record.count) / 2) + record
        }
        func doubles(_ values: Double...) -> [UInt8] {
            values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) } }
        }
        func counts(_ values: UInt8...) -> [UInt8] { values.flatMap { [$0, 0, 0, 0] } }
        func text(_ bytes: [UInt8]) throws -> String {
            let geometry = try read(shapefile(bytes, table: nil)).features.first?.geometry
            return geometry.map { WKT.write(EncodedGeometry($0)) } ?? ""
        }
        #expect(try text(shape(11, doubles(1, 2, 3, 0))) == "POINT Z (1 2 3)")
        #expect(
            try text(shape(3, doubles(0, 0, 9, 9) + counts(2, 4, 0, 2) + doubles(0, 0, 1, 1, 5, 5, 9, 9)))
                == "MULTILINESTRING((0 0,1 1),(5 5,9 9))")
        #expect(
            try text(shape(13, doubles(0, 0, 9, 9) + counts(1, 2, 0) + doubles(0, 0, 1, 1, 7, 8, 7, 8)))
                == "LINESTRING Z (0 0 7,1 1 8)")
        #expect(try text(shape(8, doubles(0, 0, 9, 9) + counts(1) + doubles(4, 5))) == "MULTIPOINT((4 5))")
        #expect(try text(shape(0, [])).isEmpty)
        let unknown = #expect(throws: FeatureFileError.self) { try text(shape(99, [])) }
        #expect(unknown?.code == .unsupported)
    }

    @Test func `damaged or truncated files give features or an error`() throws {
        for (index, whole) in [AreaSample.shapes, AreaSample.table].enumerated() {
            func check(_ bytes: [UInt8]) {
                do {
                    let file = index == 0 ? shapefile(bytes) : shapefile(table: bytes)
                    let collection = try read(file)
                    #expect(collection.features.count <= 1000)
                } catch let error as FeatureFileError { #expect(error.description.isEmpty == false) } catch {
                    Issue.record("\(error)")
                }
            }
            for length in 0..<whole.count { check(Array(whole[..<length])) }
            for place in whole.indices {
                for value in [0, 0x7F, 0xFF] as [UInt8] {
                    var bytes = whole
                    bytes[place] = value
                    check(bytes)
                }
            }
        }
        let error = #expect(throws: FeatureFileError.self) {
            try read(shapefile(), nil, FeatureLimits(maximumFeatureCount: 1))
        }
        #expect(error?.code == .limitExceeded)
        let memory = #expect(throws: FeatureFileError.self) {
            try read(shapefile(), nil, FeatureLimits(memory: MemoryBudget(byteLimit: 100)))
        }
        #expect(memory?.code == .memory)
    }
}
