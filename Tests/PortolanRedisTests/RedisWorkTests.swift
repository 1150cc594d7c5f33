#if Redis
import Foundation
import PortolanFetch
import PortolanRedis
import Synchronization
import TestHelpers
import Testing

@Suite(.onRedisServer, .timeLimit(.minutes(20))) struct RedisWorkTests {
    /// How often each piece was done.
    private final class Tally: Sendable {
        let counts = Mutex<[Int: Int]>([:])
        var counted: [Int: Int] { counts.withLock(\.self) }
        func done(_ number: Int) -> RedisWork.Outcome {
            counts.withLock { $0[number, default: 0] += 1 }
            return .done
        }
        static func once(_ numbers: Range<Int>) -> [Int: Int] {
            Dictionary(uniqueKeysWithValues: numbers.map { ($0, 1) })
        }
    }

    private static func work(
        _ server: RedisServer, count: Int = 600, claimTime: Duration = .seconds(3600), patience: Duration = .seconds(60)
    ) throws -> RedisWork {
        RedisWork(named: "w", count: count, on: try server.store(), claimTime: claimTime, patience: patience)
    }

    /// A worker that takes a piece and is never heard of again.
    private static func takeAndDie(_ server: RedisServer) {
        server.says("XREADGROUP GROUP workers dead COUNT 1 STREAMS portolan:work:w >")
    }

    @Test func `several workers do each piece once, and leave only the result`() async throws {
        let server = try await RedisServer(), tally = Tally()
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let end = try await Self.work(server).run(width: 3) { tally.done($0) }
                    #expect(end == RedisWork.Progress(total: 600, done: 600, failed: 0))
                    #expect(end.isOver)
                }
            }
            try await group.waitForAll()
        }
        #expect(tally.counted == Tally.once(0..<600))
        #expect(server.says("XLEN portolan:work:w") == ":0\r\n")
        // Nothing is done again, until it is forgotten.
        let again = try Self.work(server)
        #expect(try await again.run(width: 2) { tally.done($0) }.isOver)
        #expect(tally.counted == Tally.once(0..<600))
        try await again.forget()
        #expect(try await again.progress() == RedisWork.Progress(total: 600, done: 0, failed: 0))
        _ = try await again.run(width: 2) { tally.done($0) }
        #expect(tally.counted.values.allSatisfy { $0 == 2 })
    }

    @Test func `the server holds only a few of many pieces`() async throws {
        let server = try await RedisServer(), longest = Mutex(0)
        let work = try Self.work(server, count: 1_000)
        _ = try await work.run(width: 1) { _ in
            let length = Int(server.says("XLEN portolan:work:w").filter(\.isNumber)) ?? .max
            longest.withLock { $0 = max($0, length) }
            return .done
        }
        #expect((1...256).contains(longest.withLock(\.self)))
    }

    @Test func `the pieces of a dead worker are done by others`() async throws {
        let server = try await RedisServer(), tally = Tally()
        server.says("XGROUP CREATE portolan:work:w workers 0 MKSTREAM")
        for number in 1...3 {
            server.says("XADD portolan:work:w 1-\(number) p x")
            Self.takeAndDie(server)
        }
        let end = try await Self.work(server, count: 20, claimTime: .milliseconds(500)).run(width: 2) { tally.done($0) }
        #expect(end.isOver)
        #expect(tally.counted == Tally.once(0..<20))
    }

    @Test func `a piece that ended three workers is given up`() async throws {
        let server = try await RedisServer(), tally = Tally()
        server.says("XGROUP CREATE portolan:work:w workers 0 MKSTREAM")
        server.says("XADD portolan:work:w 1-1 p x")
        Self.takeAndDie(server)
        for _ in 0..<2 { server.says("XCLAIM portolan:work:w workers dead 0 1-1") }
        let end = try await Self.work(server, count: 5, claimTime: .milliseconds(500)).run(width: 1) { tally.done($0) }
        #expect(end == RedisWork.Progress(total: 5, done: 5, failed: 1))
        #expect(tally.counted == Tally.once(1..<5))
    }

    @Test func `a live worker sends heartbeats, however long a piece takes`() async throws {
        let server = try await RedisServer()
        @Sendable func idle() -> Int? {
            // [[entry, worker, idle, deliveries]]; the two numbers are the only ones.
            let reply = server.says("XPENDING portolan:work:w workers - + 1")
            return reply.split(separator: "\r\n").filter { $0.first == ":" }.first.flatMap { Int($0.dropFirst()) }
        }
        _ = try await Self.work(server, count: 1).run(width: 1) { _ in
            let last = Mutex(0)
            // It rises until a sign of life comes.
            let isRenewed = await eventually {
                guard let now = idle() else { return false }
                return last.withLock { last in
                    defer { last = now }
                    return now < last
                }
            }
            #expect(isRenewed)
            return .done
        }
    }

    @Test func `the next run repeats failed pieces once, and nothing else`() async throws {
        let server = try await RedisServer(), tally = Tally()
        let bad: Set<Int> = [0, 7, 299, 599]
        let first = try await Self.work(server).run(width: 3) { number in
            bad.contains(number) ? .failed : tally.done(number)
        }
        #expect(first == RedisWork.Progress(total: 600, done: 600, failed: 4))
        let second = try await Self.work(server).run(width: 3) { number in
            #expect(bad.contains(number))
            return number == 7 ? .failed : tally.done(number)
        }
        #expect(second == RedisWork.Progress(total: 600, done: 600, failed: 1))
        let third = try await Self.work(server).run(width: 3) { tally.done($0) }
        #expect(third == RedisWork.Progress(total: 600, done: 600, failed: 0))
        #expect(tally.counted == Tally.once(0..<600))
    }

    @Test func `the pieces of a cancelled worker are available at once`() async throws {
        let server = try await RedisServer(), tally = Tally(), begun = Mutex(0)
        let task = Task {
            try await Self.work(server, count: 50).run(width: 4) { number in
                guard number >= 20 else { return tally.done(number) }
                begun.withLock { $0 += 1 }
                try? await Task.sleep(for: .seconds(3600))
                return .failed
            }
        }
        #expect(await eventually { begun.withLock { $0 == 4 } })
        task.cancel()
        _ = await task.result
        // No process is silent for an hour here.
        let end = try await Self.work(server, count: 50).run(width: 4) { tally.done($0) }
        #expect(end == RedisWork.Progress(total: 50, done: 50, failed: 0))
        #expect(tally.counted == Tally.once(0..<50))
    }

    @Test func `work continues after a server restart, from the start if the data are lost`() async throws {
        let server = try await RedisServer(), tally = Tally(), isKilled = Mutex(false)
        let end = try await Self.work(server, claimTime: .seconds(1)).run(width: 3) { number in
            let kills =
                number == 300
                && isKilled.withLock { isKilled in
                    defer { isKilled = true }
                    return !isKilled
                }
            if kills {
                server.stop()
                try? await server.start()
            }
            return tally.done(number)
        }
        #expect(end == RedisWork.Progress(total: 600, done: 600, failed: 0))
        #expect(Set(tally.counted.keys) == Set(0..<600))
    }

    @Test func `a server that stays unavailable ends the work with its error`() async throws {
        let server = try await RedisServer()
        let work = try Self.work(server, patience: .milliseconds(100))
        await #expect(throws: StoreError.self) {
            _ = try await work.run(width: 2) { number in
                if number == 10 { server.stop() }
                return .done
            }
        }
    }

    @Test func `a key with another type of value is an error`() async throws {
        let server = try await RedisServer()
        server.says("SET portolan:work:w x")
        let work = try Self.work(server)
        await #expect(throws: StoreError.self) { _ = try await work.run(width: 1) { _ in .done } }
    }
}
#endif
