#if Text
import Foundation
import PortolanFeatures
import PortolanGeo
@testable import PortolanPaint
import PortolanPlan
import PortolanRaster
import Testing

@Suite struct ProfilePainterTests {
    /// A hike of 18 km over two tops, with a gap.
    static func profile(gap: Bool = false) throws -> ElevationProfile {
        let count = 181
        let places = (0..<count).map { Coordinate(x: Double($0) * 0.0009, y: 0) }
        let altitudes = (0..<count).map { index -> Double? in
            if gap, (70..<85).contains(index) { return nil }
            let part = Double(index) / Double(count - 1)
            return 420 + 380 * sin(part * .pi) * sin(part * .pi) + 140 * sin(part * .pi * 5)
        }
        return try #require(
            ElevationProfile(Geometry(kind: .lineString, coordinates: places, altitudes: altitudes)))
    }

    private static let marks = [
        Furniture.ProfilePanel.Mark(distance: 0, name: "Station"), .init(distance: 5200, name: "Hut"),
        .init(distance: 5600, name: "Spring"), .init(distance: 11_000, name: "Summit"),
    ]

    @Test func `a profile below the map leaves the map above as it is`() throws {
        let panel = Furniture.ProfilePanel(try Self.profile(gap: true), marks: Self.marks, slopes: .standard)
        let plain = try FurniturePainterTests.scene(480, 260, Furniture()).paint([Scene.Layer]())
        let shown = try FurniturePainterTests.scene(480, 260, Furniture(profile: panel)).paint([Scene.Layer]())
        let top = 480 * (260 - Int(Furniture.ProfilePanel.height)), land = Pixel(FurniturePainterTests.land).bits
        #expect(shown.pixels.prefix(top) == plain.pixels.prefix(top))
        #expect(!shown.pixels.dropFirst(top).contains(land))
        let ascent = Pixel(SlopeClasses.standard.classes[4].color).bits
        #expect(shown.pixels.contains(ascent))
    }

    @Test(arguments: [(1, 1), (30, 30), (120, 20), (2000, 60)], [nil, SlopeClasses.standard])
    func `a profile of any size is drawn`(_ size: (width: Int, height: Int), _ slopes: SlopeClasses?) throws {
        let panel = Furniture.ProfilePanel(
            try Self.profile(), title: "Ridge walk", marks: Self.marks, slopes: slopes)
        let size = try #require(ImageSize(width: size.width, height: size.height))
        #expect(try ProfilePicture(panel, size: size).image().size == size)
    }

    @Test func `colours of slopes have a key beside the title if there is room`() throws {
        func texts(_ slopes: SlopeClasses?, width: Int) throws -> [String] {
            let panel = Furniture.ProfilePanel(
                try Self.profile(), title: "Ridge walk", marks: Self.marks, slopes: slopes)
            let picture = ProfilePicture(panel, size: try #require(ImageSize(width: width, height: 160)))
            let svg = String(decoding: try picture.svg(SVGOptions(text: .text)), as: UTF8.self)
            return svg.split(separator: "<text").dropFirst().compactMap { part in
                part.split(separator: ">", maxSplits: 1).last?.split(separator: "<").first.map(String.init)
            }
        }
        let key = ["-8", "-3", "3", "6", "9", "12 %"]
        let shown = try texts(.standard, width: 480)
        #expect(shown.filter(key.contains) == key && shown.contains("Ridge walk"), "\(shown)")
        #expect(try texts(nil, width: 480).filter(key.contains).isEmpty)
        #expect(try texts(.standard, width: 260).filter(key.contains).isEmpty)
        // Each class has its colour above the profile.
        let panel = Furniture.ProfilePanel(try Self.profile(), slopes: .standard)
        let image = try ProfilePicture(panel, size: try #require(ImageSize(width: 480, height: 160))).image()
        for slope in SlopeClasses.standard.classes {
            let count = image.pixels.prefix(480 * 16).count { $0 == Pixel(slope.color).bits }
            #expect(count == 20 * 6, "\(slope.title)")
        }
    }

    @Test func `documents have the texts of the picture`() throws {
        let panel = Furniture.ProfilePanel(try Self.profile(), title: "Ridge walk", marks: Self.marks)
        let picture = ProfilePicture(panel, size: try #require(ImageSize(width: 480, height: 160)))
        let svg = String(decoding: try picture.svg(SVGOptions(text: .text)), as: UTF8.self)
        for text in ["Ridge walk", "Summit", "5 km", "600 m", "m up"] { #expect(svg.contains(text), "\(text)") }
        #expect(try picture.pdf().starts(with: "%PDF-1.7".utf8))
    }

    @Test(arguments: [
        (0.0, 18_034.0, 6, false, ["0", "5", "10", "15"], 1000.0),
        (0, 870, 6, false, ["0", "200", "400", "600", "800"], 1),
        (412, 803, 4, true, ["400", "500", "600", "700", "800", "900"], 1),
        (-12, 14, 4, true, ["-20", "-10", "0", "10", "20"], 1),
        (0, 2600, 6, false, ["0", "0.5", "1.0", "1.5", "2.0", "2.5"], 1000),
    ])
    func `ticks are round numbers`(
        _ low: Double, _ high: Double, _ count: Int, _ isExtended: Bool, _ ticks: [String], _ scale: Double
    ) {
        let axis = ProfileAxis(from: low, to: high, count: count, isExtended: isExtended)
        #expect(axis.ticks.map { axis.text($0, scale: scale) } == ticks)
    }
}
#endif
