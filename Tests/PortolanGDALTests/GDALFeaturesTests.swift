#if GDAL
import Dispatch
import Foundation
import PortolanFeatures
import PortolanFormats
import PortolanGDAL
import PortolanGeo
import PortolanRaster
import TestHelpers
import PortolanWeb
import Synchronization
import Testing

@Suite(.withGDALPrograms) struct GDALFeaturesTests {
    private static let original = try? FeatureFormats.standard.read(Array(GDALSamples.areas.utf8))

    /// The area of a shape's rings, holes taken off, in square degrees.
    private static func area(_ feature: Feature) -> Double {
        guard let geometry = feature.geometry else { return .nan }
        return geometry.polygons.reduce(0) { sum, rings in
            let areas = rings.map { ring in
                abs(zip(ring, ring.dropFirst()).reduce(0) { $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) } / 2)
            }
            return sum + (areas.first ?? 0) - areas.dropFirst().reduce(0, +)
        }
    }

    @Test(arguments: GDALSamples.formats)
    func `files written by GDAL's own program are read unchanged`(format: GDALSamples.Format) throws {
        let folder = try TemporaryFolder(), path = try GDALSamples.make(format, in: folder)
        let dataset = try GDALFeatures(path: path)
        #expect(dataset.name == format.driver)
        let read = try dataset.read(FeatureQuery(), limits: FeatureLimits())
        let original = try #require(Self.original)
        #expect(read.warnings.allSatisfy { $0.effect == .note })
        // DXF draws each ring for itself.
        guard format.driver != "DXF" else {
            #expect(read.boundingBox == original.boundingBox)
            #expect(read.features.count >= 3)
            return
        }
        #expect(read.features.count == original.features.count)
        // FlatGeobuf has its own order.
        let features = read.features.sorted {
            ($0.geometry?.boundingBox?.minY ?? 0) > ($1.geometry?.boundingBox?.minY ?? 0)
        }
        let originals = original.features.sorted {
            ($0.geometry?.boundingBox?.minY ?? 0) > ($1.geometry?.boundingBox?.minY ?? 0)
        }
        for (one, other) in zip(features, originals) {
            #expect(one.geometry?.boundingBox == other.geometry?.boundingBox)
            #expect(abs(Self.area(one) - Self.area(other)) < 1e-9)
            #expect(one.properties["name"]?.stringValue == other.properties["name"]?.stringValue)
            #expect(one.properties["count"]?.doubleValue == other.properties["count"]?.doubleValue)
            #expect(one.properties["share"]?.doubleValue == other.properties["share"]?.doubleValue)
        }
        if ["OpenFileGDB", "GPKG", "FlatGeobuf"].contains(format.driver) {
            let dates = Set(
                read.features.compactMap { $0.properties["made"]?.stringValue.map { String($0.prefix(19)) } })
            #expect(
                dates == [
                    "2020-01-02T03:04:05", "1999-12-31T23:59:58", "2024-02-29T00:00:00",
                ])
        }
    }

    @Test(arguments: GDALSamples.formats)
    func `reading writes nothing into a file or beside it`(format: GDALSamples.Format) throws {
        let folder = try TemporaryFolder(), path = try GDALSamples.make(format, in: folder)
        func contents() throws -> [String: Data] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return Dictionary(
                uniqueKeysWithValues: names.map {
                    ($0, (try? Data(contentsOf: URL(filePath: folder.path + "/" + $0))) ?? Data())
                })
        }
        let before = try contents()
        for _ in 0..<2 { _ = try GDALFeatures(path: path).read(FeatureQuery(), limits: FeatureLimits()) }
        #expect(try contents() == before)
    }

    @Test(arguments: [
        ("a.gpkg", "GPKG"), ("a.tab", "MapInfo File"), ("a.shp", "ESRI Shapefile"), ("a.gdb", "OpenFileGDB"),
    ])
    func `coordinates are x first in any CRS`(file: String, driver: String) throws {
        for code in ["EPSG:4258", "EPSG:3067", "EPSG:31467"] {
            let folder = try TemporaryFolder()
            try folder.write(Array(GDALSamples.areas.utf8), to: "source.geojson")
            let path = folder.path + "/" + file
            let status = try GDALSamples.run(
                "ogr2ogr", ["-f", driver, "-t_srs", code, path, folder.path + "/source.geojson"])
            try #require(status == 0)
            let dataset = try GDALFeatures(path: path)
            let read = try dataset.read(FeatureQuery(), limits: FeatureLimits())
            let back = try CoordinateTransform(from: read.effectiveCRS, to: .crs84)
            let corner = try #require(read.features.first?.geometry?.coordinates.first.flatMap { back($0) })
            // Datum shifts of GDAL are those of its grids; 1e-3° is a hundred metres.
            #expect(abs(corner.x - 8.5) < 0.51 && abs(corner.y - 47.5) < 0.51, "\(code) \(read.effectiveCRS)")
        }
    }

    @Test func `a bounding box query gives the features that touch it`() throws {
        let folder = try TemporaryFolder()
        let path = try GDALSamples.make(GDALSamples.formats[0], in: folder)
        let dataset = try GDALFeatures(path: path)
        let box = try #require(BoundingBox(minX: 18, minY: 50, maxX: 19.5, maxY: 51.5))
        let some = try dataset.read(FeatureQuery(box: box), limits: FeatureLimits())
        #expect(some.features.map { $0.properties["name"]?.stringValue } == ["Łódź"])
        #expect(try dataset.read(FeatureQuery(), limits: FeatureLimits()).features.count == 3)
    }

    @Test func `layers are listed, and one of several is read by name`() throws {
        let folder = try TemporaryFolder()
        let path = try GDALSamples.make(.init(driver: "GPKG", file: "a.gpkg", options: ["-nln", "one"]), in: folder)
        let source = folder.path + "/source.geojson"
        try #require(try GDALSamples.run("ogr2ogr", ["-f", "GPKG", "-update", path, source, "-nln", "two"]) == 0)
        let dataset = try GDALFeatures(path: path)
        #expect(dataset.layers.map(\.name) == ["one", "two"])
        #expect(dataset.layers.map(\.featureCount) == [3, 3])
        #expect(throws: FeatureFileError.self) { try dataset.read(FeatureQuery(), limits: FeatureLimits()) }
        #expect(throws: FeatureFileError.self) {
            try dataset.read(FeatureQuery(layer: "three"), limits: FeatureLimits())
        }
        #expect(try dataset.read(FeatureQuery(layer: "two"), limits: FeatureLimits()).features.count == 3)
    }

    @Test func `limits stop the reading`() throws {
        let folder = try TemporaryFolder()
        let dataset = try GDALFeatures(path: try GDALSamples.make(GDALSamples.formats[0], in: folder))
        func code(_ limits: FeatureLimits) -> FeatureFileError.Code? {
            do { _ = try dataset.read(FeatureQuery(), limits: limits) } catch {
                return (error as? FeatureFileError)?.code
            }
            return nil
        }
        #expect(code(FeatureLimits(maximumFeatureCount: 2)) == .limitExceeded)
        #expect(code(FeatureLimits(maximumCoordinateCount: 7)) == .limitExceeded)
        #expect(code(FeatureLimits(maximumFeatureCount: 3)) == nil)
    }

    @Test func `a cancelled task stops reading`() async throws {
        let folder = try TemporaryFolder()
        let points = (0..<2000).map {
            #"{"type":"Feature","properties":{"a":1},"geometry":{"type":"Point","coordinates":[\#($0 % 90),\#($0 % 45)]}}"#
        }
        let text = #"{"type":"FeatureCollection","features":[\#(points.joined(separator: ","))]}"#
        let path = try GDALSamples.make(.init(driver: "MapInfo File", file: "a.mif"), in: folder, of: text)
        let dataset = try GDALFeatures(path: path)
        let task = Task { () throws -> Int in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try dataset.read(FeatureQuery(), limits: FeatureLimits()).features.count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try dataset.read(FeatureQuery(), limits: FeatureLimits()).features.count == 2000)
    }

    @Test func `many threads read at once`() throws {
        let folder = try TemporaryFolder()
        let path = try GDALSamples.make(GDALSamples.formats[2], in: folder)
        let shared = try GDALFeatures(path: path)
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            let dataset = index % 2 == 0 ? shared : try? GDALFeatures(path: path)
            let count = try? dataset?.read(FeatureQuery(), limits: FeatureLimits()).features.count
            if count != 3 { wrong.withLock { $0 += 1 } }
        }
        #expect(wrong.withLock { $0 } == 0)
    }
}
#endif
