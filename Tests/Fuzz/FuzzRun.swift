import Foundation

/// One kind's run within its own process.
final class FuzzRun {
    /// A document may take this many times what the slowest of the corpus takes a byte.
    private static let slowness = 20
    /// Less than this, in nanoseconds, is never slow.
    private static let noticeable = 10_000_000
    /// A document that uses this much CPU time is a hang.
    private static let hangSeconds = 20
    /// Once warm, a run must not need this much more memory.
    private static let growth = 64 << 20
    private static let largestMemory = 4 << 30
    private static let findingLimit = 20
    private static let outcomeLimit = 20_000

    private let kind: FuzzKind
    private let seconds: Double
    private let folder: URL
    private let record: InputRecord
    private var mutator: Mutator
    private var seen: Set<String> = []
    private var findings: Set<String> = []
    private var nanosecondsPerByte = 0.0
    private var limitSetAt = -1
    private var count = 0

    init(kind: FuzzKind, seconds: Double, seed: UInt64, folder: URL) throws {
        self.kind = kind
        self.seconds = seconds
        self.folder = folder
        record = try InputRecord(path: folder.appending(path: "\(kind.name).current").path)
        mutator = Mutator(
            pool: try Corpus.documents(of: kind), grammar: kind.grammar, largest: kind.largest, seed: seed)
    }

    /// Runs to the end of the time; returns how many findings there were.
    func run() -> Int {
        ProcessLimits.allow(bytes: Self.largestMemory)
        calibrate()
        let start = ContinuousClock.now
        let cpuStart = ProcessLimits.threadTime
        var warm = 0
        while count < 10 || start.duration(to: .now) < .seconds(seconds) {
            // The clock is not asked for each document of some microseconds.
            for _ in 0..<10 {
                let bytes = mutator.next()
                if let signature = test(bytes), seen.count < Self.outcomeLimit, seen.insert(signature).inserted {
                    mutator.keep(bytes)
                }
            }
            if warm == 0, start.duration(to: .now) > .seconds(seconds / 4) { warm = ProcessLimits.residentBytes }
        }
        let memory = ProcessLimits.residentBytes
        if warm > 0, memory > warm + Self.growth {
            report("memory grew from \(warm >> 20) to \(memory >> 20) MiB", [])
        }
        let elapsed = Double(ProcessLimits.threadTime - cpuStart) / 1e9
        let rate = Int(Double(count) / max(elapsed, 0.001))
        Finding.tell(
            "\(kind.name): \(count) inputs, \(rate) a second of CPU time, \(seen.count) outcomes, memory "
                + "\(warm >> 20) → \(memory >> 20) MiB, \(findings.count) findings")
        return findings.count
    }

    /// Reads the corpus as it is, to know what a byte costs.
    private func calibrate() {
        for bytes in mutator.pool {
            var least = Int.max
            for _ in 0..<3 {
                let before = ProcessLimits.threadTime
                if let signature = outcome(of: bytes) { seen.insert(signature) }
                least = min(least, ProcessLimits.threadTime - before)
            }
            nanosecondsPerByte = max(nanosecondsPerByte, Double(least) / cost(of: bytes))
        }
    }

    private func cost(of bytes: [UInt8]) -> Double { Double(bytes.count + kind.constantCost) }

    private func test(_ bytes: [UInt8]) -> String? {
        let before = ProcessLimits.threadTime
        let signature = outcome(of: bytes)
        var taken = ProcessLimits.threadTime - before
        let allowed = max(Int(nanosecondsPerByte * cost(of: bytes) * Double(Self.slowness)), Self.noticeable)
        // Other work on the machine makes a document slow once, not each time.
        for _ in 0..<3 where taken > allowed {
            let before = ProcessLimits.threadTime
            _ = outcome(of: bytes)
            taken = min(taken, ProcessLimits.threadTime - before)
        }
        if taken > allowed {
            report("slow", bytes, detail: "\(taken / 1_000_000) ms of CPU time for \(bytes.count) bytes")
        }
        return signature
    }

    private func outcome(of bytes: [UInt8]) -> String? {
        count += 1
        record.write(bytes, number: count)
        let second = ProcessLimits.processTime / 1_000_000_000
        if second != limitSetAt {
            limitSetAt = second
            ProcessLimits.allow(seconds: Self.hangSeconds)
        }
        do { return try kind.read(bytes).signature } catch {
            report((error as? FuzzKind.Violation)?.text ?? "an error of no declared type: \(error)", bytes)
            return nil
        }
    }

    private func report(_ what: String, _ bytes: [UInt8], detail: String = "") {
        let signature = FuzzKind.Outcome.refused(what).signature
        guard findings.count < Self.findingLimit, findings.insert(signature).inserted else { return }
        let file = Finding.keep(bytes, of: kind, in: folder)
        Finding.tell(
            "FINDING in \(kind.name): \(what) \(detail)\n  replay: swift run fuzz \(kind.name) --replay \(file)")
    }
}
