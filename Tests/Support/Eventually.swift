/// Waits until `condition` holds; returns `false` after 20 s, which no working code needs.
package func eventually(_ condition: @Sendable () async -> Bool) async -> Bool {
    for _ in 0..<20_000 {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return await condition()
}
