import Foundation
import Portolan

extension FuzzKind {
    /// The log of a receiver of positions.
    static let nmea = FuzzKind(
        name: "nmea", grammar: .words, corpus: ["Tests/Fuzz/Corpus/nmea/*"], read: readNMEA)

    private static func readNMEA(_ bytes: [UInt8]) throws -> Outcome {
        let items = NMEAReader.read(bytes)
        // A changed sentence has a wrong checksum nearly always: put right, its fields are read.
        let mended = NMEAReader.read(mended(bytes))
        var fixes = 0
        for item in items + mended {
            switch item {
            case .fix(let fix):
                fixes += 1
                guard abs(fix.place.x) <= 180, abs(fix.place.y) <= 90, abs(fix.time.timeIntervalSince1970) < 1e10 else {
                    throw Violation("a fix that is nowhere: \(fix)")
                }
                for number in [fix.accuracy, fix.altitude, fix.speed, fix.course] where number?.isFinite == false {
                    throw Violation("a number that is none: \(fix)")
                }
            case .problem(let problem):
                guard problem.line > 0 else { throw Violation("a problem at no place") }
                _ = try refused(problem.description)
            case .noFix: break
            }
        }
        guard mended.count <= bytes.count else { throw Violation("more items than bytes") }
        return .value("\(magnitude(items.count)) \(magnitude(fixes)) \(magnitude(mended.count))")
    }

    private static func mended(_ bytes: [UInt8]) -> [UInt8] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return Array(
            lines.map { line in
                guard let dollar = line.lastIndex(of: UInt8(ascii: "$")) else { return Array(line) }
                let body = line[(dollar + 1)...].prefix { $0 != UInt8(ascii: "*") }
                let sum = body.reduce(0, ^)
                return Array(line[...dollar]) + Array(body)
                    + Array(("*" + (sum < 16 ? "0" : "") + String(sum, radix: 16)).utf8)
            }.joined(separator: [UInt8(ascii: "\n")]))
    }
}
