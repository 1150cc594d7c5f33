import PortolanFeatures
import TestHelpers
import Testing

@testable import PortolanFormats

@Suite struct FileKindTests {
    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    /// A table of dBASE with one column and no row.
    private static let table: [UInt8] =
        [3, 124, 11, 25, 0, 0, 0, 0, 65, 0, 11, 0] + zeros(20) + bytes("NAME") + zeros(28) + [0x0D]
    private static let header: [UInt8] = [0, 0, 0x27, 0x0A] + zeros(96)

    private static let binary: [([UInt8], FeatureFileError.FileKind)] = [
        ([], .empty), (bytes(" \n\t"), .empty), (zeros(20), .binary), (bytes("PMTiles") + [3], .pmtiles),
        (bytes("PAR1"), .parquet),
        (bytes("ARROW1\0\0"), .arrow), ([0, 0, 0, 0x0D, 0x0A, 9] + bytes("OSMHeader"), .osmPBF),
        ([0x89] + bytes("HDF\r\n\u{1A}\n"), .hdf5), (bytes("CDF\u{1}"), .netCDF), (bytes("GRIB\0"), .grib),
        (bytes("LASF"), .pointCloud), ([14, 16, 0, 0, 0, 0, 0, 0] + bytes(".FIT"), .fit), (bytes("AC1032\0"), .dwg),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .archive), (bytes("Rar!\u{1A}\u{7}\u{1}\0"), .archive),
        ([0x28, 0xB5, 0x2F, 0xFD], .archive), (bytes("BZh9"), .archive), ([0x1F, 0x8B, 8], .gzip),
        ([0x49, 0x49, 0x2A, 0], .tiff), (bytes("%PDF-1.7"), .pdf), (bytes("GIF89a"), .image),
        (bytes("SQLite format 3\0") + zeros(52) + bytes("GPKG"), .geoPackage),
        (bytes("SQLite format 3\0") + zeros(52) + bytes("MPBX"), .mbtiles),
        (bytes("SQLite format 3\0") + zeros(84), .sqlite), (header + [0, 0, 0, 1], .shapefile),
        (header + [0, 0, 0, 50], .shapefileIndex), (table, .dBase),
        (ZipSample.archive, .zip), (ZipSample.wideArchive, .zippedTimetable),
        // One layer named "a" of version 2.
        ([0x1A, 0x05, 0x0A, 0x01, 0x61, 0x78, 0x02], .vectorTile),
        ([0x0A, 0x0D, 0x0A, 0x03, 0x32, 0x2E, 0x30] + zeros(8), .gtfsRealtime),
        ([0x08, 0x01, 0x12, 0x01, 0x00], .protobuf), ([0x7F, 0x45, 0x4C, 0x46, 0, 0, 0xFF], .binary),
        ([0xFF, 0xFE, 0x7B, 0, 0x7D, 0], .utf16),
    ]

    @Test(arguments: binary) func `a binary file is recognised by its first bytes`(
        bytes: [UInt8], kind: FeatureFileError.FileKind
    ) {
        #expect(FeatureFileError.FileKind(recognizing: bytes) == kind)
        #expect(
            FeatureFormats.standard.format(recognizing: bytes).map(\.name) ?? "KMZ" == "KMZ"
                || [.shapefile, .parquet, .utf16].contains(kind))
    }

    private static let texts: [(String, FeatureFileError.FileKind)] = [
        ("<!DOCTYPE html><title>Log in</title>", .page), ("<html>", .page), ("<svg width='1'/>", .svg),
        ("<?xml version='1.0'?><osm version='0.6'/>", .osmXML), ("<osmChange/>", .osmChange),
        ("<TrainingCenterDatabase xmlns='x'/>", .tcx), ("<StyledLayerDescriptor version='1.0.0'/>", .sld),
        ("<qgis version='3'/>", .qgis), ("<Siri/>", .siri), ("<ServiceExceptionReport/>", .serviceError("")),
        ("<core:CityModel xmlns:core='http://www.opengis.net/citygml/2.0'/>", .cityGML),
        ("<app:Roads xmlns:gml='http://www.opengis.net/gml/3.2'/>", .gmlApplication), ("<a:b/>", .xml(root: "b")),
        (#"{"type":"Topology","objects":{}}"#, .topoJSON), (#"{"tilejson":"3.0.0","tiles":[]}"#, .tileJSON),
        (#"{"version":8,"sources":{},"layers":[]}"#, .mapboxStyle), (#"{"type":"CityJSON"}"#, .cityJSON),
        (#"{"version":0.6,"generator":"Overpass API","elements":[{"type":"node"}]}"#, .overpass),
        (#"{"objectIdFieldName":"id","geometryType":"esriGeometryPoint","features":[{"attributes":{}}]}"#, .esriJSON),
        (#"{"fields":[],"features":[]}"#, .esriJSON), (#"{"currentVersion":11,"layers":[]}"#, .esriLayer),
        (#"{"id":0,"type":"Feature Layer","fields":[]}"#, .esriLayer), (#"{"stac_version":"1.0.0","links":[]}"#, .stac),
        (#"{"title":"a","links":[]}"#, .ogcAPI), (#"{"error":{"code":400,"message":"no"}}"#, .serviceError("")),
        (#"{"error":"no"}"#, .serviceError("no")), (#"{"size":[1,2],"layers":[]}"#, .mapDocument),
        (#"{"code":"Ok","routes":[]}"#, .json(members: ["code", "routes"])), ("[1,2]", .json(members: [])),
        (#"PROJCS["a",GEOGCS["b"]]"#, .projection), ("!table\n!version 300\n", .mapInfoTable),
        ("Version 300\nCharset \"Neutral\"\nColumns 1\n", .mapInfoInterchange), ("ncols 4\nnrows 3\n", .asciiGrid),
        ("  0\nSECTION\n  2\nHEADER\n", .dxf), ("AXXX123\r\nHFDTE010124\r\n", .igc),
        ("$GPRMC,1,A,2,N,3,E,,,,*00\n", .nmea), ("0 A1;1009;24.94;60.17;90;1\n", .vehicleRecording),
        ("name,city,value\nA,Madrid,3\n", .table(columns: ["name", "city", "value"])),
        ("Name;Stadt\nA;Köln\n", .table(columns: ["Name", "Stadt"])), ("a\tb\n", .table(columns: ["a", "b"])),
        ("stop_id,stop_name\n1,a\n", .timetableTable), ("Dear all,\nhello\n", .text), ("hello", .text),
    ]

    @Test(arguments: texts) func `a text file is recognised by its structure`(
        text: String, kind: FeatureFileError.FileKind
    ) {
        #expect(FeatureFileError.FileKind(recognizing: Array(text.utf8)) == kind)
        #expect(FeatureFileError.FileKind(recognizing: [0xEF, 0xBB, 0xBF] + Array(text.utf8)) == kind)
        #expect(!kind.words.isEmpty)
    }

    @Test(
        arguments: texts.filter { ![.osmXML, .topoJSON, .overpass, .esriJSON].contains($0.1) } + [("", .empty)])
    func `unsupported formats are named in the error`(text: String, kind: FeatureFileError.FileKind) {
        do {
            _ = try FeatureFormats.standard.read(Array(text.utf8))
            Issue.record("\(text) was read")
        } catch let error as FeatureFileError {
            #expect(error.kind == kind)
            #expect(error.code == .otherFormat)
        } catch { Issue.record("\(error)") }
    }

    @Test(arguments: [
        #"{"type":"FeatureCollection","features":[{]}"#, #"{"type":"FeatureCollection"}"#, #"{"type":"point"}"#,
        #"{"type":"Feature","properties":{"layers":1,"version":2,"sources":3},"geometry":1}"#,
    ])
    func `malformed GeoJSON gives a GeoJSON error`(text: String) {
        #expect(FeatureFileError.FileKind(foreignJSON: Array(text.utf8)) == nil)
        #expect(throws: GeoJSONError.self) { try FeatureFormats.standard.read(Array(text.utf8)) }
    }

    @Test func `an archive is recognised by its signature, whatever its files contain`() throws {
        // A stored document: the archive contains its text uncompressed.
        let archive = ZipBytes.archive([("doc.kml", Array("<kml><Placemark/></kml>".utf8), 0, 0)])
        #expect(FeatureFormats.standard.format(recognizing: archive)?.name == "KMZ")
        #expect(try FeatureFormats.standard.read(archive).features.count == 1)
    }

    @Test(arguments: [
        ("xl/workbook.xml", FeatureFileError.FileKind.spreadsheet), ("word/document.xml", .officeDocument),
        ("a/roads.shp", .zippedShapefile),
        ("a.gdb/a00000001.gdbtable", .zippedGeodatabase), ("notes.txt", .zip),
    ])
    func `the kind of an archive is recognised by the names of its files`(name: String, kind: FeatureFileError.FileKind)
    {
        let isOffice = name.hasPrefix("xl/") || name.hasPrefix("word/")
        let archive = ZipBytes.archive((isOffice ? [("[Content_Types].xml", [], 0, 0)] : []) + [(name, [1], 0, 0)])
        #expect(FeatureFileError.FileKind(recognizing: archive) == kind)
    }

    @Test func `an encrypted archive is recognised`() {
        let archive = ZipBytes.archive([("doc.kml", [1, 2, 3], 1, 0)])
        #expect(FeatureFileError.FileKind(recognizing: archive) == .encryptedZip)
        let error = #expect(throws: FeatureFileError.self) { try FeatureFormats.standard.read(archive) }
        #expect(error?.code == .encrypted)
        #expect(error?.detail.contains("encrypted") == true)
    }

    @Test func `damaged bytes never crash`() {
        var generator = SeededGenerator(seed: 7)
        for (bytes, _) in Self.binary + Self.texts.map({ (Array($0.0.utf8), $0.1) }) {
            for length in 0...bytes.count { _ = FeatureFileError.FileKind(recognizing: Array(bytes.prefix(length))) }
            for _ in 0..<20 where !bytes.isEmpty {
                var bytes = bytes
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                _ = FeatureFileError.FileKind(recognizing: bytes)
            }
        }
    }
}
