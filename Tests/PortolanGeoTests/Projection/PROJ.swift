import Foundation
import PortolanGeo
import TestHelpers
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test where the program of PROJ is not installed.
    static var againstPROJ: Self {
        .enabled(if: TestRig.has(program: "cs2cs"), "needs cs2cs of PROJ, which Scripts/install test installs")
    }
}

/// PROJ's own program for transforming coordinates.
enum PROJ {
    /// Runs `cs2cs` between two systems, each an `EPSG:` code or a PROJ string.
    ///
    /// Coordinates are x first in PROJ strings, and in the order of the definition in codes, which `CRS` says.
    static func transform(_ coordinates: [Coordinate], from: String, to: String) throws -> [Coordinate] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let arguments = { (text: String) in text.split(separator: " ").map(String.init) }
        process.arguments =
            ["cs2cs", "-f", "%.13f"] + arguments(from) + (to.hasPrefix("+") ? ["+to"] : []) + arguments(to)
        let input = Pipe(), output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let isSwapped = try isNorthFirst(from)
        let text =
            coordinates.map { isSwapped ? "\($0.y) \($0.x)" : "\($0.x) \($0.y)" }.joined(separator: "\n") + "\n"
        let writer = Thread {
            input.fileHandleForWriting.write(Data(text.utf8))
            try? input.fileHandleForWriting.close()
        }
        writer.start()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "cs2cs of PROJ must be installed (Debian: proj-bin)")
        // Each line has x, y and a height.
        let words = [UInt8](answer).split(whereSeparator: { $0 <= 0x20 })
        try #require(words.count == 3 * coordinates.count)
        let isAnswerSwapped = try isNorthFirst(to)
        return try stride(from: 0, to: words.count, by: 3).map { index in
            let first = String(decoding: words[index], as: UTF8.self)
            let second = String(decoding: words[index + 1], as: UTF8.self)
            guard let one = Double(first), let other = Double(second) else {
                throw PROJError(answer: first + " " + second)
            }
            return isAnswerSwapped ? Coordinate(x: other, y: one) : Coordinate(x: one, y: other)
        }
    }

    /// The output of `cs2cs` without coordinates.
    struct PROJError: Error {
        let answer: String
    }

    private static func isNorthFirst(_ system: String) throws -> Bool {
        guard !system.hasPrefix("+") else { return false }
        return try CRS(system).axisOrder == .northEast
    }

    /// Random places, the same on every run.
    static func places(
        _ count: Int, _ longitudes: ClosedRange<Double>, _ latitudes: ClosedRange<Double>
    ) -> [Coordinate] {
        var generator = SeededGenerator(seed: 42)
        return (0..<count).map { _ in
            let longitude = Double.random(in: longitudes, using: &generator)
            return Coordinate(
                longitude: longitude > 180 ? longitude - 360 : longitude,
                latitude: Double.random(in: latitudes, using: &generator))
        }
    }

    /// How far two places in degrees are apart along either axis; ±180° are one meridian.
    static func difference(_ a: Coordinate, _ b: Coordinate) -> Double {
        let x = abs(a.x - b.x)
        return max(x > 180 ? 360 - x : x, abs(a.y - b.y))
    }
}
