import PortolanServices
import Testing

@Suite struct AnswerKindTests {
    @Test(
        arguments: [
            ("<?xml version='1.0'?><!DOCTYPE WMT_MS_Capabilities SYSTEM 'x.dtd'><WMT_MS_Capabilities>", .wms),
            ("<!-- <html> --><WMS_Capabilities xmlns='http://www.opengis.net/wms'/>", .wms),
            ("<Capabilities xmlns='http://www.opengis.net/wmts/1.0'>", .wmts),
            ("<wcs:Capabilities xmlns:wcs='http://www.opengis.net/wcs/2.0'>", .wcs),
            ("<csw:Capabilities xmlns:csw='http://www.opengis.net/cat/csw/2.0.2'>", .csw),
            ("<Capabilities>", nil),
            ("<TileMapService version='1.0.0'>", .tms), ("<TileMap/>", .tms), ("<Services>", .tms),
            ("\u{FEFF}<wfs:WFS_Capabilities version='2.0.0'>", .wfs),
            ("<kml xmlns='http://www.opengis.net/kml/2.2'>", .features), ("<gpx/>", .features),
            ("<!DOCTYPE html><p>", .page), ("  <HTML>", .page),
            ("<ServiceExceptionReport/>", nil), ("Not Found", nil), ("", nil), ("<", nil), ("<!--", nil),
            (#"{"tilejson":"2.2.0","tiles":["https://h/{z}/{x}/{y}.png"]}"#, .tileJSON),
            (#"{"currentVersion":10.81,"serviceDescription":""}"#, .arcGIS),
            (#"{"version":8,"sources":{},"layers":[]}"#, .style),
            (#"{"type":"FeatureCollection","features":[]}"#, .geoJSON), (#" {"a":1}"#, .json), ("[]", .json),
            ("\u{89}PNG\r\n", nil),
        ] as [(String, AnswerKind?)])
    func `the kind of a response is recognised from its first bytes`(text: String, kind: AnswerKind?) {
        #expect(AnswerKind(recognizing: Array(text.utf8)) == kind)
    }

    @Test func `images and UTF-16 text are recognised`() {
        #expect(AnswerKind(recognizing: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) == .image)
        let wide = "<WMS_Capabilities>".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(AnswerKind(recognizing: [0xFF, 0xFE] + wide) == .wms)
    }

    @Test func `a root element after a long comment is not recognised`() {
        let text = "<!--" + String(repeating: " ", count: 100_000) + "--><WMS_Capabilities>"
        #expect(AnswerKind(recognizing: Array(text.utf8)) == nil)
    }
}
