import PortolanGeo
import PortolanServices

extension FuzzKind {
    /// Patterns of tile addresses; a byte that is not valid text becomes nine.
    static let xyzTemplate = FuzzKind(
        name: "xyz-template", grammar: .words, corpus: ["Tests/Fuzz/Corpus/xyz-template/*"], isLines: true,
        time: Bound(any: 30_000_000, each: 16_000), read: readXyzTemplate)

    private static func readXyzTemplate(_ bytes: [UInt8]) throws -> Outcome {
        do {
            let template = try XYZTemplate(String(decoding: bytes, as: UTF8.self))
            let one = template.url(level: 3, column: 5, row: 2, rowCount: 8)
            let two = template.url(level: 3, column: 4, row: 2, rowCount: 8)
            guard one != two else { throw Violation("two tiles have one address: \(one)") }
            guard one.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Violation("an address with bytes that none may have: \(one.debugDescription)")
            }
            return .value("\(magnitude(one.count)) \(template.hasRetina)")
        } catch let error as XYZTemplate.ParseError {
            return .refused(error.description)
        }
    }

    /// Names of reference systems.
    static let crsName = FuzzKind(
        name: "crs-name", grammar: .words, corpus: ["Tests/Fuzz/Corpus/crs-name/*"], isLines: true, read: readCrsName)

    private static func readCrsName(_ bytes: [UInt8]) throws -> Outcome {
        do {
            let crs = try CRS(String(decoding: bytes, as: UTF8.self))
            guard try CRS(crs.name) == crs else { throw Violation("the name \(crs.name) means another system") }
            if let extent = crs.worldExtent, let transform = try? CoordinateTransform(from: .crs84, to: crs) {
                let place = transform(Coordinate(x: extent.center.x / 1e6, y: 40))
                if let place, !place.isFinite { throw Violation("a place that is not finite") }
            }
            return .value(crs.name)
        } catch let error as CRSError {
            return .refused(error.description)
        }
    }
}
