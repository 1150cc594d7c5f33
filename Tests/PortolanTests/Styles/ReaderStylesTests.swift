import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanPlan
import PortolanRaster
import PortolanTesting
import Testing

/// Styles that a reader adds to features are drawn: the picture equals that of the same style in GeoJSON.
@Suite struct ReaderStylesTests {
    private let renderer: MapRenderer
    private let viewport: Viewport
    private static let icon = "https://styles.example/icon.png"
    private static let ground = "https://styles.example/ground.png"

    init() throws {
        var white = PixelBuffer(size: try #require(ImageSize(width: 8, height: 8)), filledWith: Pixel(.white))
        for y in 0..<4 { white[y, y] = .clear }
        let red = PixelBuffer(size: white.size, filledWith: Pixel(MapColor(red: 255, green: 0, blue: 0)))
        let transport = StubTransport(bodies: [
            Self.icon: try PNGEncoder.encode(white), Self.ground: try PNGEncoder.encode(red),
        ])
        renderer = MapRenderer(configuration: World.configuration(), transport: transport)
        let resolution = try #require(Resolution(unitsPerPixel: 20_037_508.342789244 / 180 / 32))
        viewport = try Viewport(
            center: Coordinate(x: 0, y: 0), resolution: resolution, size: #require(ImageSize(width: 96, height: 96)))
    }

    private func picture(_ text: String) async throws -> PixelBuffer {
        let source = FeatureSource(try FeatureFormats.standard.read(Array(text.utf8)))
        return try await renderer.render(
            [MapLayer(name: "l", source: source)], in: viewport, options: World.plain()
        ).image
    }

    private static let line = #"{"type":"LineString","coordinates":[[-1,-1],[1,1]]}"#
    private static let area = #"{"type":"Polygon","coordinates":[[[-1,-1],[1,-1],[1,1],[-1,-1]]]}"#
    private static let point = #"{"type":"Point","coordinates":[0,0]}"#

    private static func geoJSON(_ geometry: String, _ keys: String) -> String {
        #"{"type":"Feature","geometry":\#(geometry),"properties":{"style":{"default":{\#(keys)}}}}"#
    }

    private static func gpx(_ extensions: String) -> String {
        "<gpx xmlns:g=\"urn:g\"><trk><extensions>\(extensions)</extensions><trkseg><trkpt lat=\"-1\" lon=\"-1\"/><trkpt lat=\"1\" lon=\"1\"/></trkseg></trk></gpx>"
    }

    private static func kml(_ style: String, _ geometry: String) -> String {
        "<kml><Document><Style id=\"s\">\(style)</Style><Placemark><styleUrl>#s</styleUrl>\(geometry)</Placemark></Document></kml>"
    }

    private static let kmlLine = "<LineString><coordinates>-1,-1 1,1</coordinates></LineString>"
    private static let kmlArea =
        "<Polygon><outerBoundaryIs><LinearRing><coordinates>-1,-1 1,-1 1,1 -1,-1</coordinates></LinearRing></outerBoundaryIs></Polygon>"
    private static let kmlPoint = "<Point><coordinates>0,0</coordinates></Point>"

    @Test(arguments: [
        (
            gpx("<g:TrackExtension><g:DisplayColor>Magenta</g:DisplayColor></g:TrackExtension>"),
            geoJSON(line, ##""strokeColor":"#f0f""##)
        ),
        (
            gpx("<g:color>#80ff0000</g:color><g:width>bold</g:width>"),
            geoJSON(line, ##""strokeColor":"red","strokeOpacity":0.502,"strokeWidth":8"##)
        ),
        (
            gpx("<g:line><color>00aa00</color><opacity>0.5</opacity><width>8</width></g:line>"),
            geoJSON(line, ##""strokeColor":"#0a0","strokeOpacity":0.5,"strokeWidth":30.24"##)
        ),
        (
            gpx("<g:lsColorBase>#FF0000FF</g:lsColorBase><g:lsWidth>5</g:lsWidth>"),
            geoJSON(line, ##""strokeColor":"blue","strokeWidth":5"##)
        ),
        (
            kml("<LineStyle><color>800000ff</color><width>6</width></LineStyle>", kmlLine),
            geoJSON(line, ##""strokeColor":"red","strokeOpacity":0.50196,"strokeWidth":6"##)
        ),
        (
            kml(
                "<PolyStyle><color>8000ff00</color></PolyStyle><LineStyle><color>ff0000ff</color><width>4</width></LineStyle>",
                kmlArea),
            geoJSON(area, ##""strokeColor":"red","strokeWidth":4,"fillColor":"lime","fillOpacity":0.50196"##)
        ),
        (
            kml("<PolyStyle><color>ff00ff00</color><outline>0</outline></PolyStyle>", kmlArea),
            geoJSON(area, ##""stroke":false,"fillColor":"lime","fillOpacity":1"##)
        ),
        (
            kml("<IconStyle><color>ff0000ff</color><Icon><href>\(icon)</href></Icon></IconStyle>", kmlPoint),
            geoJSON(point, ##""externalGraphic":"\##(icon)","graphicHeight":32,"graphicColor":"red""##)
        ),
        (
            kml(
                "<IconStyle><color>ffff0000</color><heading>45</heading><scale>0.5</scale><Icon><href>\(icon)</href></Icon></IconStyle>",
                kmlPoint),
            geoJSON(point, ##""externalGraphic":"\##(icon)","graphicHeight":16,"rotation":45,"graphicColor":"blue""##)
        ),
    ])
    func `a style read from a document is drawn`(document: String, same: String) async throws {
        let drawn = try await picture(document), wanted = try await picture(same)
        #expect(drawn == wanted)
        #expect(drawn != (try await picture(Self.geoJSON(Self.line, ""))))
        #expect(drawn.pixels.contains { $0 != Pixel(.white).bits && $0 != 0 })
    }

    @Test func `a white icon is drawn in its given colour`() async throws {
        let drawn = try await picture(
            Self.kml(
                "<IconStyle><color>ff0000ff</color><Icon><href>\(Self.icon)</href></Icon></IconStyle>", Self.kmlPoint))
        let colors = Set(drawn.pixels.map { Pixel(bits: $0) }.filter { $0.alpha == 255 }.map { $0.green })
        #expect(drawn.pixels.contains { Pixel(bits: $0).red == 255 && Pixel(bits: $0).green == 0 } && !colors.isEmpty)
    }

    @Test(arguments: [
        ("<LatLonBox><north>1</north><south>-1</south><east>1</east><west>-1</west></LatLonBox>", (48, 48), (8, 48)),
        (
            "<LatLonBox><north>0.4</north><south>-0.4</south><east>1.4</east><west>-1.4</west><rotation>90</rotation></LatLonBox>",
            (48, 10), (10, 48)
        ),
        ("<LatLonQuad><coordinates>-1,-1 1,-1 0.2,1 -0.2,1</coordinates></LatLonQuad>", (48, 76), (22, 22)),
    ])
    func `a ground overlay is drawn between its corners`(
        place: String, inside: (Int, Int), outside: (Int, Int)
    ) async throws {
        let drawn = try await picture(
            "<kml><GroundOverlay><Icon><href>\(Self.ground)</href></Icon>\(place)</GroundOverlay></kml>")
        #expect(drawn[inside.0, inside.1] == Pixel(MapColor(red: 255, green: 0, blue: 0)))
        #expect(drawn[outside.0, outside.1] == drawn[0, 0])
    }
}
