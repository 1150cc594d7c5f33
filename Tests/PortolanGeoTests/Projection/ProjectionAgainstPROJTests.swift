import Foundation
import PortolanGeo
import PortolanTestSupport
import Testing

/// Compares the closed forms with PROJ's `cs2cs` on 10,000 points a system, both ways.
@Suite struct ProjectionAgainstPROJTests {
    struct System: CustomTestStringConvertible, Sendable {
        var name: String
        var proj: String
        var longitudes: ClosedRange<Double>
        var latitudes: ClosedRange<Double>
        var testDescription: String { name }
    }

    static let systems = [
        System(
            name: "EPSG:3857", proj: "+proj=webmerc +datum=WGS84", longitudes: -180...180, latitudes: -85.06...85.06),
        System(name: "EPSG:25830", proj: "+proj=utm +zone=30 +ellps=GRS80", longitudes: -6...0, latitudes: -80...84),
        System(name: "EPSG:25835", proj: "+proj=utm +zone=35 +ellps=GRS80", longitudes: 14...40, latitudes: 30...84),
        System(name: "EPSG:32630", proj: "+proj=utm +zone=30 +datum=WGS84", longitudes: -6...0, latitudes: 0...84),
        System(
            name: "EPSG:32601", proj: "+proj=utm +zone=1 +datum=WGS84", longitudes: -180 ... -174, latitudes: 0...84),
        System(name: "EPSG:32660", proj: "+proj=utm +zone=60 +datum=WGS84", longitudes: 174...180, latitudes: 0...84),
        System(
            name: "EPSG:32756", proj: "+proj=utm +zone=56 +south +datum=WGS84", longitudes: 150...156,
            latitudes: -80...0),
        System(name: "EPSG:3067", proj: "+proj=utm +zone=35 +ellps=GRS80", longitudes: 19...32, latitudes: 59...71),
        System(
            name: "EPSG:2180", proj: "+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 +ellps=GRS80",
            longitudes: 14...25, latitudes: 49...55),
    ]

    @Test(arguments: systems)
    func `projections agree with PROJ to a millimetre and 1e-9 degrees`(system: System) throws {
        let crs = try CRS(system.name)
        let there = try CoordinateTransform(from: .crs84, to: crs)
        var generator = SeededGenerator(seed: 42)
        let places = (0..<10_000).map { _ in
            Coordinate(
                longitude: Double.random(in: system.longitudes, using: &generator),
                latitude: Double.random(in: system.latitudes, using: &generator))
        }
        let reference = try proj(places, from: "+proj=longlat +datum=WGS84", to: system.proj)
        var worst = 0.0
        for (place, expected) in zip(places, reference) {
            let actual = try #require(there(place))
            worst = max(worst, abs(actual.x - expected.x), abs(actual.y - expected.y))
        }
        #expect(worst < 0.001, "the largest difference is \(worst) m")

        let back = try proj(reference, from: system.proj, to: "+proj=longlat +datum=WGS84")
        var worstBack = 0.0
        for (projected, expected) in zip(reference, back) {
            let actual = try #require(there.inverse(projected))
            var dx = abs(actual.x - expected.x)
            if dx > 180 { dx = 360 - dx }  // ±180° are one meridian
            worstBack = max(worstBack, dx, abs(actual.y - expected.y))
        }
        #expect(worstBack < 1e-9, "the largest difference is \(worstBack)°")
    }

    /// Runs `cs2cs`; a machine without it fails the test rather than passing it unseen.
    private func proj(_ coordinates: [Coordinate], from: String, to: String) throws -> [Coordinate] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["cs2cs", "-f", "%.13f"] + from.split(separator: " ").map(String.init) + ["+to"]
            + to.split(separator: " ").map(String.init)
        let input = Pipe(), output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let text = coordinates.map { "\($0.x) \($0.y)" }.joined(separator: "\n") + "\n"
        let writer = Thread {
            input.fileHandleForWriting.write(Data(text.utf8))
            try? input.fileHandleForWriting.close()
        }
        writer.start()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "cs2cs of PROJ must be installed (Debian: proj-bin)")
        let lines = String(decoding: answer, as: UTF8.self).split(separator: "\n")
        try #require(lines.count == coordinates.count)
        return try lines.map { line in
            let numbers = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap { Double($0) }
            try #require(numbers.count >= 2, "cs2cs answered '\(line)'")
            return Coordinate(x: numbers[0], y: numbers[1])
        }
    }
}
