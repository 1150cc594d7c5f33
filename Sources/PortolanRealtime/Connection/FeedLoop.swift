import PortolanFetch

/// Runs a feed machine over connections, and reconnects with increasing delays.
struct FeedLoop<Machine: FeedMachine>: Sendable {
    let endpoint: ByteEndpoint
    let transport: any ByteTransport
    let clock: FetchClock
    /// The delay before reconnecting, randomly shortened by up to half.
    var pauses = RetryPolicy(firstDelay: .milliseconds(500), longestDelay: .seconds(30))
    let machine: Machine

    /// Returns the events of the feed.
    ///
    /// The loop ends when the stream is released or its task is cancelled.
    func events(for interests: AsyncStream<VehicleInterest>) -> AsyncStream<FeedEvent> {
        let inbox = FeedInbox(), outbox = FeedOutbox(room: inbox.bell)
        let listening = Task {
            for await interest in interests { inbox.put(interest) }
            inbox.settle()
        }
        let running = Task {
            await run(inbox, outbox)
            listening.cancel()
            outbox.end()
        }
        return outbox.stream { running.cancel() }
    }

    private func run(_ inbox: FeedInbox, _ outbox: FeedOutbox) async {
        var machine = machine, interest = VehicleInterest(), failures = 0
        await waitForInterest(inbox)
        while !Task.isCancelled {
            outbox.put([.state(.connecting)])
            var isLive = false
            do throws(FeedError) {
                let connection = try await connect()
                defer { connection.close() }
                try await serve(connection, &machine, &interest, &isLive, inbox, outbox)
            } catch {
                if Task.isCancelled { return }
                failures = isLive ? 1 : failures + 1
                let pause = pauses.delay(before: failures, random: clock.random())
                outbox.put([.state(.lost(error, retry: pause))])
                await clock.sleep(pause)
            }
        }
    }

    /// Waits briefly for the first interest.
    ///
    /// Without one, everything is requested.
    private func waitForInterest(_ inbox: FeedInbox) async {
        let clock = clock
        let grace = Task {
            await clock.sleep(.milliseconds(250))
            inbox.settle()
        }
        while !inbox.isSettled, !Task.isCancelled { await inbox.bell.wait() }
        grace.cancel()
    }

    private func connect() async throws(FeedError) -> any ByteConnection {
        do throws(FetchError) {
            return try await transport.connect(to: endpoint)
        } catch {
            throw FeedError(error, source: endpoint.shown)
        }
    }

    /// Runs the machine until the connection is lost or the task is cancelled.
    private func serve(
        _ connection: any ByteConnection, _ machine: inout Machine, _ interest: inout VehicleInterest,
        _ isLive: inout Bool, _ inbox: FeedInbox, _ outbox: FeedOutbox
    ) async throws(FeedError) {
        let number = inbox.begin()
        let reading = Task {
            do throws(FetchError) {
                while let chunk = try await connection.receive() { await inbox.put(chunk, from: number) }
                inbox.put(end: .success(()), of: number)
            } catch {
                inbox.put(end: .failure(error), of: number)
            }
        }
        var alarm: (due: Duration, task: Task<Void, Never>)?
        defer {
            reading.cancel()
            alarm?.task.cancel()
        }
        var step = FeedStep()
        if let newest = inbox.takeInterest() { interest = newest }
        machine.begin(interest, at: Moment(clock), into: &step)
        while true {
            await carry(out: &step, over: connection, to: outbox, &isLive)
            if Task.isCancelled { return await part(from: connection, &machine) }
            if let due = machine.due, alarm.map({ due < $0.due || $0.due <= clock.now() }) ?? true {
                alarm?.task.cancel()
                let wait = max(due - clock.now(), .zero), clock = clock
                alarm = (
                    due,
                    Task {
                        await clock.sleep(wait)
                        if !Task.isCancelled { inbox.bell.ring() }
                    }
                )
            }
            await inbox.bell.wait()
            if Task.isCancelled { return await part(from: connection, &machine) }
            let moment = Moment(clock), isReading = outbox.hasRoom
            var fault: FeedError?
            do throws(FeedError) {
                if let newest = inbox.takeInterest() {
                    interest = newest
                    machine.choose(newest, at: moment, into: &step)
                }
                if isReading, let chunk = inbox.takeChunk() { try machine.receive(chunk, at: moment, into: &step) }
                if isReading, let end = inbox.takeEnd() { throw lost(end) }
                try machine.tick(isReading: isReading, at: moment, into: &step)
            } catch { fault = error }
            // Events received before a fault are delivered.
            if let fault {
                outbox.put(step.events)
                throw fault
            }
        }
    }

    private func lost(_ end: Result<Void, FetchError>) -> FeedError {
        if case .failure(let error) = end { return FeedError(error, source: endpoint.shown) }
        return FeedError(.unreachable, source: endpoint.shown, "the connection was closed")
    }

    private func carry(
        out step: inout FeedStep, over connection: any ByteConnection, to outbox: FeedOutbox, _ isLive: inout Bool
    ) async {
        if step.events.contains(.state(.live)) { isLive = true }
        outbox.put(step.events)
        let outgoing = step.outgoing
        step = FeedStep()
        guard !outgoing.isEmpty else { return }
        // A failed send means that the connection has ended, which the reader reports after the remaining input.
        try? await connection.send(outgoing)
    }

    private func part(from connection: any ByteConnection, _ machine: inout Machine) async {
        // There is no recipient left for a failure.
        try? await connection.send(machine.end(at: Moment(clock)))
    }
}
