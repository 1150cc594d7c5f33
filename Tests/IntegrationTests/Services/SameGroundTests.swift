import Foundation
import Portolan
import PortolanRaster
import Testing

/// Whatever version and system a server is asked in, a picture shows the same ground.
@Suite(.onMapServers) struct SameGroundTests {
    /// Places and whether land is there: capitals, and seas around.
    static let ground: [(name: String, longitude: Double, latitude: Double, isLand: Bool)] = [
        ("Madrid", -3.703, 40.417, true), ("Lisbon", -9.1, 38.8, true), ("Zaragoza", -0.88, 41.65, true),
        ("Seville", -5.98, 37.39, true), ("Bay of Biscay", -4.5, 44.0, false), ("Alboran Sea", -3.5, 36.15, false),
        ("Atlantic", -9.7, 41, false), ("Mediterranean", 2.0, 38.2, false),
    ]

    /// The map that all are compared on.
    private static let map = Place(.webMercator, -300_000, 4_900_000, 5000)

    /// Pictures warped from another system differ by resampling alone, the servers' and ours: by less than this in the
    /// mean over all pixels and colours, of 255.
    ///
    /// Measured: at most 0.54 for `relief`, where a shift by one pixel results in 1.4 and more. At most 1.25 for the
    /// drawn layers, whose thin lines are drawn separately in each CRS; there a shift by one pixel results in 1.55 and
    /// more.
    private static func bound(of offer: WMSOffer) -> Double { offer.layers == "relief" ? 0.75 : 1.5 }

    @Test(arguments: WMSOffer.all(of: .mapServer, layers: "countries,lakes"))
    func `all WMS versions give the same picture`(offer: WMSOffer) async throws {
        let newest = WMSOffer(server: offer.server, layers: offer.layers, version: .v1_3_0, crs: offer.crs)
        let renderer = MapRenderer.fresh()
        let one = try await renderer.picture(of: offer.layer(mapCRS: .webMercator), in: Self.map.viewport())
        let other = try await renderer.picture(of: newest.layer(mapCRS: .webMercator), in: Self.map.viewport())
        expectSame(one, other)
    }

    @Test(arguments: WMSOffer.all.filter { $0.layers != "relief" })
    func `land and sea are drawn at their positions on the globe`(offer: WMSOffer) async throws {
        let image = try await MapRenderer.fresh().picture(
            of: offer.layer(mapCRS: .webMercator), in: Self.map.viewport())
        for (name, longitude, latitude, isLand) in Self.ground {
            // Mercator's formula, once more and by hand.
            let x = longitude * 111_319.490793, radians = latitude * .pi / 180
            let y = 6_378_137 * log(tan(.pi / 4 + radians / 2))
            let column = (x - Self.map.extent.minX) / Self.map.unitsPerPixel
            let row = (Self.map.extent.maxY - y) / Self.map.unitsPerPixel
            let isWhite = image[Int(column), Int(row)] == Pixel(.white)
            #expect(isWhite == !isLand, "\(name)")
        }
    }

    @Test(arguments: WMSOffer.all) func `pictures requested in different CRSs agree up to resampling`(
        offer: WMSOffer
    ) async throws {
        let native = WMSOffer(server: offer.server, layers: offer.layers, version: .v1_3_0, crs: "EPSG:3857")
        let renderer = MapRenderer.fresh()
        let one = try await renderer.picture(of: offer.layer(mapCRS: .webMercator), in: Self.map.viewport())
        let other = try await renderer.picture(of: native.layer(mapCRS: .webMercator), in: Self.map.viewport())
        let difference = try #require(one.meanDifference(from: other))
        #expect(difference < Self.bound(of: offer))
    }

    @Test(arguments: WMSOffer.all.filter { $0.version == .v1_3_0 && $0.crs == "EPSG:3857" })
    func `a shift by one pixel exceeds the tolerance`(offer: WMSOffer) async throws {
        let renderer = MapRenderer.fresh(), layer = try await offer.layer(mapCRS: .webMercator)
        let one = try await renderer.picture(of: layer, in: Self.map.viewport())
        for (x, y) in [(1.0, 0.0), (0, 1)] {
            let other = try await renderer.picture(of: layer, in: Self.map.viewport().panned(x: x, y: y))
            let difference = try #require(one.meanDifference(from: other))
            #expect(difference > Self.bound(of: offer))
        }
    }

    @Test(arguments: WMSOffer.all(of: .mapServer, layers: "relief").filter { $0.version == .v1_3_0 })
    func `rotated pictures of a WMS and of tiles agree`(offer: WMSOffer) async throws {
        let renderer = MapRenderer.fresh(), viewport = try Self.map.viewport(rotation: 30)
        let turned = try await renderer.picture(of: offer.layer(mapCRS: .webMercator), in: viewport)
        let tiles = try await renderer.picture(of: TileLayers.xyz("relief", type: "jpeg"), in: viewport)
        let difference = try #require(turned.meanDifference(from: tiles))
        // The tiles are JPEG and of the next level, so they are smoother.
        #expect(difference < 1.5)
        let upright = try await renderer.picture(of: offer.layer(mapCRS: .webMercator), in: Self.map.viewport())
        #expect(try #require(turned.meanDifference(from: upright)) > 15)
    }

    @Test(arguments: WMSOffer.all(of: .mapServer, layers: "relief"))
    func `swapped axes exceed the tolerance`(offer: WMSOffer) async throws {
        let isNorthFirst = offer.version == .v1_3_0 && offer.crs == "EPSG:4326"
        let renderer = MapRenderer.fresh()
        let right = try await renderer.picture(of: offer.layer(mapCRS: .webMercator), in: Self.map.viewport())
        let swapped = try await renderer.picture(
            of: offer.layer(mapCRS: .webMercator, axisOrder: isNorthFirst ? .xy : .yx), in: Self.map.viewport())
        let difference = try #require(right.meanDifference(from: swapped))
        #expect(difference > 20 * Self.bound(of: offer))
    }
}
