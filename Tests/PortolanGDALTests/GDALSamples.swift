#if GDAL
import Foundation
import PortolanFeatures
import TestHelpers
import Testing

/// Files of other formats, made by GDAL's own programs of features that are written out here.
enum GDALSamples {
    /// Three areas with holes, accents and dates; coordinates are exact in single precision and in hundredths.
    static let areas = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"name":"Zürich","count":42,"share":0.25,"made":"2020-01-02T03:04:05Z"},
         "geometry":{"type":"Polygon","coordinates":[[[8,47],[8,48],[9,48],[9,47],[8,47]],
          [[8.25,47.25],[8.75,47.25],[8.75,47.75],[8.25,47.75],[8.25,47.25]]]}},
        {"type":"Feature","properties":{"name":"Łódź","count":-7,"share":1.5,"made":"1999-12-31T23:59:58Z"},
         "geometry":{"type":"Polygon","coordinates":[[[19,51],[19,52],[20,52],[20,51],[19,51]]]}},
        {"type":"Feature","properties":{"name":"plain","count":0,"share":-2,"made":"2024-02-29T00:00:00Z"},
         "geometry":{"type":"Polygon","coordinates":[[[-3,40],[-3,41],[-2,41],[-2,40],[-3,40]]]}}]}
        """

    /// A file of one of GDAL's formats.
    struct Format: CustomTestStringConvertible, Sendable {
        var driver: String
        var file: String
        var options: [String] = []
        /// Whether the format keeps properties.
        var keepsProperties = true
        var testDescription: String { "\(driver) \(file)" }
    }

    static let formats = [
        Format(driver: "MapInfo File", file: "a.tab", options: ["-lco", "ENCODING=UTF-8"]),
        Format(driver: "MapInfo File", file: "a.mif", options: ["-lco", "ENCODING=UTF-8"]),
        Format(driver: "OpenFileGDB", file: "a.gdb"),
        Format(driver: "GPKG", file: "a.gpkg"),
        Format(driver: "FlatGeobuf", file: "a.fgb"),
        Format(driver: "ESRI Shapefile", file: "a.shp", options: ["-lco", "ENCODING=UTF-8"]),
        Format(driver: "JML", file: "a.jml"),
        Format(driver: "OGR_GMT", file: "a.gmt"),
        Format(driver: "DXF", file: "a.dxf", keepsProperties: false),
    ]

    /// Runs one of GDAL's programs and gives its status.
    @discardableResult static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Makes a file of a format in a folder, of the areas or of other GeoJSON, and gives its path.
    static func make(_ format: Format, in folder: TemporaryFolder, of text: String = areas) throws -> String {
        try folder.write(Array(text.utf8), to: "source.geojson")
        let path = folder.path + "/" + format.file
        let fields = format.keepsProperties ? [] : ["-select", ""]
        let status = try run(
            "ogr2ogr", ["-f", format.driver, path, folder.path + "/source.geojson"] + format.options + fields)
        try #require(status == 0, "ogr2ogr of GDAL must be installed (Debian: gdal-bin)")
        return path
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test where GDAL's programs are not installed.
    static var withGDALPrograms: Self {
        .enabled(if: TestRig.has(program: "ogr2ogr"), "needs ogr2ogr of GDAL, which Scripts/install more installs")
    }
}
#endif
