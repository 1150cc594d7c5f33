import PortolanBeacons

extension FuzzKind {
    /// Radio and camera input at a stop: advertisements, logs of them, and the texts of codes.
    static let beacons = FuzzKind(
        name: "beacons", grammar: .words, corpus: ["Tests/Fuzz/Corpus/beacons/*"],
        time: Bound(any: 60_000_000, each: 20_000), read: readBeacons)

    private static func readBeacons(_ bytes: [UInt8]) throws -> Outcome {
        var words = ""
        if let read = try? BeaconAdvertisement(bytes) {
            guard (try? BeaconAdvertisement(read.bytes)) == read else {
                throw Violation("an advertisement that is written otherwise than it was read: \(read)")
            }
            words += "a"
        }
        let code: StopCode?
        do throws(StopCode.ParseError) { code = try StopCode(String(decoding: bytes, as: UTF8.self)) } catch {
            code = nil
            words += try refused(error.description).signature.prefix(12)
        }
        if case .stop(let id) = code {
            guard let text = StopCode.stop(id: id).text(), (try? StopCode(text)) == code else {
                throw Violation("the code of a stop that is written otherwise than it was read: \(id)")
            }
        }
        let log: BeaconLog
        do throws(BeaconError) { log = try BeaconLog(bytes: bytes, from: "a.log") } catch {
            return try refused(error.description)
        }
        let told = log.replayed()
        guard told.allSatisfy({ $0.time.isFinite }) else { throw Violation("an event at no time") }
        return .value("\(words) \(magnitude(log.entries.count)) \(magnitude(told.count))")
    }
}
