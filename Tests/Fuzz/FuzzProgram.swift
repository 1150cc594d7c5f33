import ArgumentParser
import Foundation

/// Feeds the readers of documents with broken ones.
@main
struct FuzzProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fuzz", abstract: "Feeds the readers of documents with broken ones.",
        discussion: """
            Each kind runs in a process of its own. A finding is a crash, a hang, memory that grows, a document that
            takes more than its bytes allow (1 MiB and 100 bytes a byte of memory at once, 60 ms and 6 µs a byte of CPU
            time, unless its kind says otherwise), an error without readable words, a value that breaks a promise of its
            kind, or a document from afar that leads to a file, an archive or a network that not anyone reaches. The
            document is then kept in the folder, and the status is 1.

            KINDS: \(FuzzKind.all.map(\.name).joined(separator: ", "))
            """)

    @Argument(help: "What to test; all kinds unless named.") var kinds: [String] = []
    @Option(help: "How long it takes in all, shared by the kinds.") var seconds = 60.0
    @Option(help: "End a kind after so many documents, if its time is not over before.") var inputs = Int.max
    @Option(help: "What the pseudo-random numbers begin with.") var seed: UInt64 = 1
    @Option(help: "Where findings are kept.") var folder = ".build/fuzz"
    @Option(parsing: .upToNextOption, help: "Read these files, as the one kind named, and tell what comes of them.")
    var replay: [String] = []
    @Flag(help: .hidden) var child = false

    func validate() throws {
        for name in kinds where !(FuzzKind.all + FuzzKind.deliberate).contains(where: { $0.name == name }) {
            throw ValidationError("there is no kind '\(name)'")
        }
        guard replay.isEmpty || kinds.count == 1 else { throw ValidationError("--replay needs the name of one kind") }
        guard seconds > 0, seconds.isFinite else { throw ValidationError("--seconds is more than zero") }
    }

    func run() throws {
        let chosen =
            kinds.isEmpty
            ? FuzzKind.all : (FuzzKind.all + FuzzKind.deliberate).filter { kinds.contains($0.name) }
        if let kind = chosen.first, !replay.isEmpty { return try onSmallStack { try again(kind) } }
        let folder = URL(filePath: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if child, let kind = chosen.first {
            let run = try FuzzRun(kind: kind, seconds: seconds, inputs: inputs, seed: seed, folder: folder)
            try onSmallStack { if run.run() > 0 { throw ExitCode(1) } }
            return
        }
        var isClean = true
        for kind in chosen {
            let isKindClean = try supervise(kind, seconds: seconds / Double(chosen.count), in: folder)
            isClean = isClean && isKindClean
        }
        if !isClean { throw ExitCode(1) }
    }

    /// Reads files and reports the results.
    private func again(_ kind: FuzzKind) throws {
        for path in replay {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let start = ProcessLimits.processTime
            let held = ProcessLimits.beginAllocations()
            let outcome: String
            do {
                switch try kind.read(bytes) {
                case .value(let shape): outcome = "a value: \(shape)"
                case .refused(let words): outcome = "an error: \(words)"
                }
            } catch { outcome = "FINDING: \((error as? FuzzKind.Violation)?.text ?? "\(error)")" }
            Finding.tell(
                "\(path): \(bytes.count) bytes, \((ProcessLimits.processTime - start) / 1000) µs, "
                    + "\((ProcessLimits.allocationPeak - held) >> 10) KiB, \(outcome)")
        }
    }

    /// Runs a kind in a separate process, and again with another seed if it ends early.
    private func supervise(_ kind: FuzzKind, seconds: Double, in folder: URL) throws -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        var isClean = true
        for attempt in 0..<5 as Range<UInt64> {
            let left = ContinuousClock.now.duration(to: end) / .seconds(1)
            guard left > 0 else { break }
            let process = Process()
            process.executableURL = URL(filePath: CommandLine.arguments[0])
            process.arguments = [
                kind.name, "--child", "--seconds", "\(left)", "--inputs", "\(inputs)", "--seed", "\(seed &+ attempt)",
                "--folder", folder.path,
            ]
            try process.run()
            process.waitUntilExit()
            if process.terminationReason == .exit, process.terminationStatus <= 1 {
                return isClean && process.terminationStatus == 0
            }
            isClean = false
            let record = InputRecord.read(path: folder.appending(path: "\(kind.name).current").path)
            let file = Finding.keep(record?.bytes ?? [], of: kind, in: folder)
            let status = process.terminationStatus
            let what = status == SIGXCPU ? "a hang" : "a crash (\(status))"
            Finding.tell(
                "FINDING in \(kind.name): \(what) at input \(record?.number ?? 0)\n"
                    + "  replay: swift run fuzz \(kind.name) --replay \(file)")
        }
        return isClean
    }

    /// Does something on a thread with the small stack that threads of apps have.
    private func onSmallStack(_ work: @escaping () throws -> Void) throws {
        nonisolated(unsafe) var failure: (any Error)?
        nonisolated(unsafe) let work = work
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            do { try unsafe work() } catch { unsafe failure = error }
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
        if let failure = unsafe failure { throw failure }
    }
}
