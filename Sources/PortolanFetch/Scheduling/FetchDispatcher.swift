import PortolanWeb
import Synchronization

/// Runs all transfers of a fetcher: carries out the effects of a ``FetchSchedule``, and reports events to it.
final class FetchDispatcher: Sendable {
    /// The position of a waiting task.
    struct Place {
        let slot: ReplySlot
        fileprivate let waiter: Waiter
    }

    private typealias Ticket = FetchSchedule.Ticket
    fileprivate typealias Waiter = FetchSchedule.Waiter
    private typealias Stop = @Sendable () -> Void

    private struct Waiting {
        let slot: ReplySlot
        let url: String
        let maximumBodyByteCount: Int
        var isShared = false
    }

    private enum Event {
        case asked(Waiter, Waiting, HTTPRequest, fields: [HTTPHeader], host: String, Fetcher.Priority)
        case left(Waiter)
        case ended(Ticket, ReplySlot.Reply)
        case waited(Ticket)
        case rested(host: String)
    }

    /// The unhandled events.
    ///
    /// The task that adds an event handles it, unless another task is already handling events. Adding never blocks.
    private struct Inbox {
        var events: [Event] = []
        var isServed = false
    }

    private struct State {
        var schedule: FetchSchedule
        var waiting: [Waiter: Waiting] = [:]
        /// The cancellation of each ticket's transfer or retry delay.
        var stops: [Ticket: Stop] = [:]
    }

    private let transport: any HTTPTransport
    /// The transport with its callback interface, if it has one.
    private let callbackTransport: (any CallbackTransport)?
    private let clock: FetchClock
    private let observer: (any MapObserver)?
    private let inbox = Mutex(Inbox())
    /// Accessed only by the task that handles events.
    private let state: Mutex<State>
    private let waiterCounter = Atomic<Waiter>(0)

    init(transport: any HTTPTransport, schedule: FetchSchedule, clock: FetchClock, observer: (any MapObserver)?) {
        self.transport = transport
        callbackTransport = transport as? any CallbackTransport
        self.clock = clock
        self.observer = observer
        state = Mutex(State(schedule: schedule))
    }

    /// The current numbers of transfers that are running, queued, and waiting for a retry.
    var transferCounts: (running: Int, waiting: Int, delayed: Int) {
        state.withLock { ($0.schedule.queue.runningCount, $0.schedule.queue.waitingCount, $0.schedule.delayedCount) }
    }

    /// The current number of waiting callers.
    var waiterCount: Int { state.withLock { $0.waiting.count } }

    /// Adds a request to the queue of its host, or joins an equal one.
    func join(
        _ request: HTTPRequest, adding fields: [HTTPHeader] = [], host: String, turn: FetchTurn
    ) -> Place {
        let place = Place(slot: ReplySlot(), waiter: waiterCounter.add(1, ordering: .relaxed).newValue)
        let waiting = Waiting(
            slot: place.slot, url: request.url, maximumBodyByteCount: request.maximumBodyByteCount)
        post(.asked(place.waiter, waiting, request, fields: fields, host: host, turn.priority))
        turn.onAdmission()
        return place
    }

    /// Waits for the response, which is then available from the slot of `place`.
    ///
    /// Not inlined, because thousands of tasks may wait here, and each retains the memory of the suspended function.
    @inline(never)
    func wait(for place: Place) async {
        await withTaskCancellationHandler {
            await place.slot.wait()
        } onCancel: {
            post(.left(place.waiter))
        }
    }

    private func post(_ event: Event) {
        let isServed = inbox.withLock { inbox in
            inbox.events.append(event)
            defer { inbox.isServed = true }
            return inbox.isServed
        }
        guard !isServed else { return }
        while let events = nextEvents() { serve(events) }
    }

    /// Takes the pending events, or returns `nil` and ends the handling if nothing is pending.
    private func nextEvents() -> [Event]? {
        inbox.withLock { inbox in
            inbox.isServed = !inbox.events.isEmpty
            guard inbox.isServed else { return nil }
            defer { inbox.events = [] }
            return inbox.events
        }
    }

    /// Applies events to the state and carries out the consequences.
    private func serve(_ events: [Event]) {
        var consequences = Consequences()
        state.withLock { state in
            for event in events {
                for effect in effects(of: event, on: &state) { apply(effect, to: &state, &consequences) }
            }
        }
        // These calls run without the lock, because they execute code of other types.
        for event in consequences.news { observer?.note(event) }
        for stop in consequences.stops { stop() }
        for (slot, answer) in consequences.answers { slot.answer(answer) }
    }

    private struct Consequences {
        var answers: [(ReplySlot, ReplySlot.Answer)] = []
        var news: [MapObservation] = []
        var stops: [Stop] = []
    }

    private func effects(of event: Event, on state: inout State) -> [FetchSchedule.Effect] {
        switch event {
        case .asked(let waiter, var waiting, let request, let fields, let host, let priority):
            let (isShared, effects) = state.schedule.admit(
                request, for: waiter, adding: fields, host: host, priority: priority, at: clock.now())
            waiting.isShared = isShared
            state.waiting[waiter] = waiting
            return effects
        case .left(let waiter):
            let effects = state.schedule.leave(waiter, at: clock.now())
            guard let url = state.waiting[waiter]?.url else { return effects }
            return effects + [.answer(waiter, .failure(.cancelled(url: url)), attemptCount: 0)]
        case .ended(let ticket, let reply):
            state.stops[ticket] = nil
            return state.schedule.finish(
                ticket, with: reply, at: clock.now(), calendarSeconds: clock.calendarSeconds(),
                // The random number matters only if the request can be retried.
                random: RetryPolicy.canPass(reply) ? clock.random() : 0)
        case .waited(let ticket):
            // A stopped ticket has already been removed.
            guard state.stops.removeValue(forKey: ticket) != nil else { return [] }
            return state.schedule.wake(ticket, at: clock.now())
        case .rested(let host):
            return state.schedule.wake(host: host, at: clock.now())
        }
    }

    private func apply(_ effect: FetchSchedule.Effect, to state: inout State, _ consequences: inout Consequences) {
        switch effect {
        case .send(let ticket, let request):
            state.stops[ticket] = transfer(ticket, request)
        case .stop(let ticket):
            // A transfer keeps its slot until it has ended.
            if let stop = state.stops[ticket] { consequences.stops.append(stop) }
        case .forget(let ticket):
            if let stop = state.stops.removeValue(forKey: ticket) { consequences.stops.append(stop) }
        case .answer(let waiter, let reply, let attemptCount):
            guard let waiting = state.waiting.removeValue(forKey: waiter) else { break }
            let own = FetchDispatcher.reply(reply, to: waiting)
            let answer = ReplySlot.Answer(reply: own, attemptCount: attemptCount, isShared: waiting.isShared)
            consequences.answers.append((waiting.slot, answer))
        case .delay(let ticket, let duration):
            state.stops[ticket] = wait(for: duration, ticket)
        case .rest(let host, let duration):
            rest(host, for: duration)
        case .lost(let origin, let reason):
            guard observer != nil else { break }
            consequences.news.append(.hostLost(host: FetchDispatcher.host(of: origin), reason: reason))
        case .restored(let origin):
            guard observer != nil else { break }
            consequences.news.append(.hostRestored(host: FetchDispatcher.host(of: origin)))
        }
    }

    /// Starts a transfer.
    ///
    /// Its result is posted as an event, which is handled after the state holds the returned value.
    private func transfer(_ ticket: Ticket, _ request: HTTPRequest) -> Stop {
        if let callbackTransport {
            return callbackTransport.begin(request) { [self] reply in post(.ended(ticket, reply)) }
        }
        let task = Task {
            let reply: ReplySlot.Reply
            do throws(FetchError) {
                reply = .success(try await transport.send(request))
            } catch {
                reply = .failure(error)
            }
            post(.ended(ticket, reply))
        }
        return { task.cancel() }
    }

    private func wait(for duration: Duration, _ ticket: Ticket) -> Stop {
        let task = Task {
            await clock.sleep(duration)
            if !Task.isCancelled { post(.waited(ticket)) }
        }
        return { task.cancel() }
    }

    private func rest(_ host: String, for duration: Duration) {
        // Waiting tasks retain the dispatcher; without them there is nothing to wake.
        Task { [weak self, clock] in
            await clock.sleep(duration)
            guard let self else { return }
            post(.rested(host: host))
        }
    }

    private static func host(of origin: String) -> String { URLParts(origin)?.host ?? origin }

    /// Returns the reply for a waiter, whose body limit may be lower than that of the transfer.
    private static func reply(_ reply: ReplySlot.Reply, to waiting: Waiting) -> ReplySlot.Reply {
        guard case .success(let response) = reply, response.body.count > waiting.maximumBodyByteCount else {
            return reply
        }
        return .failure(.bodyTooLarge(url: waiting.url, limit: waiting.maximumBodyByteCount, status: response.status))
    }
}
