import PortolanFeatures
import PortolanRaster
import Testing

/// Sizes and places of pictures.
struct IconMarkerTests {
    @Test(
        arguments: [
            (nil, nil, nil, 1, 40, 20, -20, -10), (20, nil, nil, 1, 20, 10, -10, -5),
            (nil, 40, nil, 1, 80, 40, -40, -20),
            (18, 27, nil, 1, 18, 27, -9, -13.5), (18, 27, -3, 2, 36, 54, -6, -27),
        ] as [(Double?, Double?, Double?, Double, Double, Double, Double, Double)])
    func `an icon of 40 by 20 is drawn in the requested size and position`(
        width: Double?, height: Double?, offsetX: Double?, scale: Double, drawnWidth: Double, drawnHeight: Double,
        left: Double, top: Double
    ) throws {
        let picture = try #require(ImageSize(width: 40, height: 20))
        let icon = IconMarker(source: .file("a"), width: width, height: height, offsetX: offsetX, scale: scale)
        #expect(icon.drawnSize(of: picture) == (drawnWidth, drawnHeight))
        #expect(icon.topLeftOffset(of: picture) == Point(x: left, y: top))
    }

    @Test
    func `an anchor at the bottom puts the lower side on the point`() throws {
        let picture = try #require(ImageSize(width: 40, height: 20))
        let icon = IconMarker(source: .file("a"), anchor: .bottom)
        #expect(icon.topLeftOffset(of: picture) == Point(x: -20, y: -20))
    }
}

/// Where pictures come from.
struct IconSourceTests {
    @Test(arguments: [
        ("a.png", IconMarker.Source.file("a.png")), ("../x/a b.png", .file("../x/a b.png")),
        ("/a:b.png", .file("/a:b.png")),
        ("C:\\a.png", .file("C:\\a.png")), ("http://h/a.png", .url("http://h/a.png")), ("file:///a", .url("file:///a")),
        ("data:text/plain,a%20b", .url("data:text/plain,a%20b")), ("DATA:;BASE64,TWFu", .url("DATA:;BASE64,TWFu")),
    ])
    func `an icon source is a path, a URL or a data URL`(text: String, source: IconMarker.Source) {
        #expect(IconMarker.Source(text) == source)
    }

    @Test func `an empty icon source gives nil`() {
        #expect(IconMarker.Source("") == nil)
    }
}
