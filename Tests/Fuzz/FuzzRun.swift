import Foundation

/// One kind's run within its own process.
final class FuzzRun {
    /// A document that uses this much CPU time is a hang.
    private static let hangSeconds = 20
    /// Once warm, a run must not need this much more memory.
    private static let growth = 64 << 20
    private static let largestMemory = 4 << 30
    private static let findingLimit = 20
    private static let outcomeLimit = 20_000

    private let kind: FuzzKind
    private let seconds: Double
    private let inputs: Int
    private let folder: URL
    private let record: InputRecord
    private var mutator: Mutator
    private var seen: Set<String> = []
    private var findings: Set<String> = []
    private var limitSetAt = -1
    /// The most that a document took of what it may, in percent.
    private var largestShare = (memory: 0, time: 0)
    private var count = 0

    init(kind: FuzzKind, seconds: Double, inputs: Int, seed: UInt64, folder: URL) throws {
        self.kind = kind
        self.seconds = seconds
        self.inputs = inputs
        self.folder = folder
        record = try InputRecord(path: folder.appending(path: "\(kind.name).current").path)
        mutator = Mutator(of: kind, pool: try Corpus.documents(of: kind), seed: seed)
    }

    /// Runs to the end of the time; returns how many findings there were.
    func run() -> Int {
        ProcessLimits.allow(bytes: Self.largestMemory)
        for bytes in mutator.pool { if let signature = test(bytes) { seen.insert(signature) } }
        let start = ContinuousClock.now
        let cpuStart = ProcessLimits.processTime
        var warm = 0
        while count < 10 || count < inputs && start.duration(to: .now) < .seconds(seconds) {
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
        let elapsed = Double(ProcessLimits.processTime - cpuStart) / 1e9
        let rate = Int(Double(count) / max(elapsed, 0.001))
        Finding.tell(
            "\(kind.name): \(count) inputs, \(rate) a second of CPU time, \(seen.count) outcomes, memory "
                + "\(warm >> 20) → \(memory >> 20) MiB, at most \(largestShare.memory) % of the memory and "
                + "\(largestShare.time) % of the time a document may take, \(findings.count) findings")
        return findings.count
    }

    private func test(_ bytes: [UInt8]) -> String? {
        let held = ProcessLimits.beginAllocations()
        let before = ProcessLimits.processTime
        let signature = outcome(of: bytes)
        var taken = ProcessLimits.processTime - before
        checkMemory(bytes, taken: ProcessLimits.allocationPeak - held)
        let allowed = kind.time.total(for: bytes.count)
        // What is made once, and other work on the machine (which slows a processor that two threads share), make a
        // document slow for a while, not each time.
        for _ in 0..<10 where taken > allowed {
            usleep(50_000)
            let before = ProcessLimits.processTime
            _ = outcome(of: bytes)
            taken = min(taken, ProcessLimits.processTime - before)
        }
        largestShare.time = max(largestShare.time, taken * 100 / allowed)
        if taken > allowed {
            report("slow", bytes, detail: "\(taken / 1_000_000) ms of CPU time for \(bytes.count) bytes")
        }
        return signature
    }

    private func checkMemory(_ bytes: [UInt8], taken: Int) {
        let allowed = kind.memory.total(for: bytes.count)
        var taken = taken
        if taken > allowed {
            // What is made once and kept for all documents is not this one's.
            let held = ProcessLimits.beginAllocations()
            _ = outcome(of: bytes)
            taken = min(taken, ProcessLimits.allocationPeak - held)
        }
        largestShare.memory = max(largestShare.memory, taken * 100 / allowed)
        if taken > allowed {
            report("too much memory", bytes, detail: "\(taken >> 10) KiB for \(bytes.count) bytes")
        }
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
