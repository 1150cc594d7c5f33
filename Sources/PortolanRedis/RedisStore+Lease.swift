public import PortolanFetch

extension RedisStore {
    /// Requests the right to fetch a missing entry, so that only one of all workers does it.
    ///
    /// A lease is a key that expires after ``RedisStore/Settings/leaseTime`` and is renewed while it is held; if its worker
    /// dies, the others wait until it expires. They poll it every few milliseconds at random times. No lease is granted
    /// while the server fails.
    public func lease(for key: StoreKey) async -> StoreLease? {
        let name = leaseName(of: key)
        let token = "\(UInt64.random(in: .min ... .max))-\(UInt64.random(in: .min ... .max))"
        let taking = RedisCommand(
            "SET", .init(name), .init(token), "NX", "PX", "\(settings.leaseTime.wholeMilliseconds)")
        switch try? await replies(to: [taking])[0] {
        case .status: return held(name, token)
        case .nothing:
            await waitForEnd(of: name)
            return StoreLease()
        default: return nil
        }
    }

    private func held(_ name: String, _ token: String) -> StoreLease {
        let renewal = Task {
            // Two thirds of the lease time remain for the renewal to succeed.
            for _ in 0..<Self.maximumLeaseCount * 3 {
                guard (try? await Task.sleep(for: settings.leaseTime / 3)) != nil else { return }
                _ = try? await replies(
                    to: [
                        RedisCommand(
                            "EVAL", .init(Self.renewing), "1", .init(name), .init(token),
                            "\(settings.leaseTime.wholeMilliseconds)")
                    ])
            }
        }
        return StoreLease {
            renewal.cancel()
            _ = try? await self.replies(
                to: [RedisCommand("EVAL", .init(Self.releasing), "1", .init(name), .init(token))])
        }
    }

    private func waitForEnd(of name: String) async {
        let end = ContinuousClock.now + settings.leaseTime * Self.maximumLeaseCount
        var interval = Duration.milliseconds(4)
        while ContinuousClock.now < end {
            guard (try? await Task.sleep(for: interval * Double.random(in: 0.5..<1.5))) != nil,
                let reply = try? await replies(to: [RedisCommand("EXISTS", .init(name))])[0], reply == .integer(1)
            else { return }
            interval = min(interval * 1.4, .milliseconds(100))
        }
    }

    /// The number of lease times that one fetch may take before others no longer wait for it.
    private static let maximumLeaseCount = 6

    // Only the holder may change a lease: it may have expired and been acquired by another worker.
    private static let renewing =
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0"
    private static let releasing =
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0"
}
