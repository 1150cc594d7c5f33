import PortolanServerCore
import TestHelpers
import Testing

@Suite struct SharedWorkTests {
    @Test func `equal requests share one piece of work, and others have their own`() async {
        let shared = SharedWork<String, Int>(), begun = Shared(0)
        let (release, releaser) = AsyncStream<Void>.makeStream()
        @Sendable func value(_ key: String) async -> Int? {
            await shared.value(for: key) { finish in
                begun.change { $0 += 1 }
                return Task {
                    if key == "slow" { for await _ in release { break } }
                    finish(key.count)
                }
            }
        }
        let waiters = (0..<5).map { _ in Task { await value("slow") } }
        #expect(await eventually { shared.joinedCount == 4 })
        #expect(await value("b") == 1)
        releaser.finish()
        for waiter in waiters { #expect(await waiter.value == 4) }
        #expect(begun.value == 2)
        // What is done is not kept.
        #expect(await value("b") == 1)
        #expect(begun.value == 3)
    }

    @Test func `work continues for remaining clients, and is cancelled when the last has left`() async {
        let shared = SharedWork<String, Int>(), wasCancelled = Shared(false)
        @Sendable func wait() -> Task<Int?, Never> {
            Task {
                await shared.value(for: "a") { finish in
                    Task {
                        try? await Task.sleep(for: .seconds(3600))
                        wasCancelled.change { $0 = Task.isCancelled }
                        finish(1)
                    }
                }
            }
        }
        let first = wait(), second = wait()
        #expect(await eventually { shared.joinedCount == 1 })
        first.cancel()
        #expect(await first.value == nil)
        #expect(wasCancelled.value == false)
        second.cancel()
        #expect(await second.value == nil)
        #expect(await eventually { wasCancelled.value })
    }

    @Test func `work runs on the threads of its executor, as many at once as there are`() async {
        let threads = RenderThreads(count: 2), running = Shared((now: 0, most: 0))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask(executorPreference: threads) {
                    running.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    var sum = 0
                    for number in 0..<200_000 { sum &+= number }
                    running.change { $0.now -= sum == -1 ? 2 : 1 }
                }
            }
        }
        #expect((1...2).contains(running.value.most))
    }
}
