#if GDAL
import Foundation
import PortolanFeatures
import PortolanFormats
import PortolanGDAL
import TestHelpers
import Testing

/// The behaviour of GDAL with untrusted files, and the result here.
@Suite(.withGDALPrograms) struct GDALTrapTests {
    /// The reason why a path is not opened, or `nil` if it is opened.
    private static func code(_ path: String, driver: String? = nil) -> FeatureFileError.Code? {
        do { _ = try GDALFeatures(path: path, driver: driver) } catch { return error.code }
        return nil
    }

    private static func withServer(_ work: (_ address: String) throws -> Void) throws -> Int {
        let server = try LoopbackListener()
        server.start { _ in }
        defer { server.stop() }
        try work("http://127.0.0.1:\(server.port)")
        return server.connectionCount
    }

    private static func virtual(_ address: String) -> [UInt8] {
        Array(
            """
            <OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>/vsicurl/\(address)/a.shp</SrcDataSource>
            </OGRVRTLayer></OGRVRTDataSource>
            """.utf8)
    }

    @Test func `a virtual file with another extension makes no requests`() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/a.geojson"
        let count = try Self.withServer { address in
            try folder.write(Self.virtual(address), to: "a.geojson")
            #expect(Self.code(path) == .unsupported)
        }
        #expect(count == 0)
        // GDAL's own program does ask.
        let control = try Self.withServer { address in
            try folder.write(Self.virtual(address), to: "a.geojson")
            try GDALSamples.run("ogrinfo", ["-al", path])
        }
        #expect(control > 0)
    }

    @Test func `virtual files in the folder of a dataset make no requests`() throws {
        let folder = try TemporaryFolder()
        let count = try Self.withServer { address in
            for name in ["a.tab", "a.mif", "a.dxf", "a.topojson", "a.gpkg", "a.shp", "a.vrt"] {
                try folder.write(Self.virtual(address), to: name)
                #expect(Self.code(folder.path + "/" + name) != nil, "\(name)")
            }
        }
        #expect(count == 0)
    }

    @Test func `names other than file paths are not opened`() throws {
        let folder = try TemporaryFolder()
        let real = try GDALSamples.make(GDALSamples.formats[3], in: folder)
        let count = try Self.withServer { address in
            for name in [
                "\(address)/a.geojson", "/vsicurl/\(address)/a.geojson", "/vsicurl_streaming/\(address)/a.json",
                "/vsizip//vsicurl/\(address)/a.zip", "ESRIJSON:\(address)/a", "TOPOJSON:\(address)/a", "WFS:\(address)",
                "PG:host=127.0.0.1", "MVT:\(address)", "GPKG:\(real):a", "/vsizip/\(real)", "/vsimem/a", "", "\0",
                "\(real)\0.gpkg",
                #"{"type":"Topology"}"#, "<OGRVRTDataSource></OGRVRTDataSource>", "/vsistdin/",
            ] {
                #expect(Self.code(name) == .unreadable, "\(name)")
            }
        }
        #expect(count == 0)
        #expect(Self.code(real) == nil)
    }

    @Test(arguments: ["GML", "KML", "SQLite", "CSV"])
    func `formats with unsafe or redundant drivers are rejected, and leave no files`(driver: String) throws {
        let folder = try TemporaryFolder()
        let path = try GDALSamples.make(
            .init(driver: driver, file: "a." + driver.lowercased()), in: folder)
        let before = folder.files
        #expect(Self.code(path) == .unsupported)
        #expect(folder.files == before)
        #expect(Self.code(path, driver: driver) == .unsupported)
    }

    @Test func `only the named driver is used`() throws {
        let folder = try TemporaryFolder(), path = try GDALSamples.make(GDALSamples.formats[0], in: folder)
        #expect(Self.code(path, driver: "MapInfo File") == nil)
        #expect(Self.code(path, driver: "DXF") != nil)
        #expect(Self.code(path, driver: "OGR_VRT") == .unsupported)
    }

    @Test func `a file that no driver recognises has another format`() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("nothing that is known".utf8), to: "a.txt")
        #expect(Self.code(folder.path + "/a.txt") == .otherFormat)
        #expect(Self.code(folder.path) == .otherFormat)
    }

    @Test(arguments: GDALSamples.formats.filter { $0.driver != "OpenFileGDB" })
    func `damaged files give features or an error`(format: GDALSamples.Format) throws {
        let folder = try TemporaryFolder(), path = try GDALSamples.make(format, in: folder)
        let whole = try folder.bytes(format.file)
        var generator = SeededGenerator(seed: 11)
        for round in 0..<60 {
            var bytes = whole
            if round % 3 == 0 { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator)) }
            for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            try folder.write(bytes, to: format.file)
            do {
                let read = try GDALFeatures(path: path)
                for layer in read.layers {
                    _ = try read.read(
                        FeatureQuery(layer: layer.name), limits: FeatureLimits(maximumFeatureCount: 10_000))
                }
            } catch let error as FeatureFileError { #expect(!error.detail.contains("\n")) }
        }
    }
}
#endif
