import Foundation
import PortolanFetch

/// The protocol logic of ``HFPFeed``: which topics to subscribe to and which messages to emit.
struct HFPFeedMachine: FeedMachine {
    private let settings: HFPFeed.Settings
    private let endpoint: ByteEndpoint
    private var session: MQTTSession?
    private var wanted = VehicleInterest()
    /// The time of the last change of interest that has not been subscribed to yet.
    private var changed: Duration?
    /// The current filters, and the filters that will replace them with the packet identifier of the subscription.
    private var current: Set<String> = []
    private var next: (filters: Set<String>, asked: [String], id: UInt16)?
    /// The time after which refused filters are requested again.
    private static let refusalPause = Duration.seconds(300)
    private var isConnected = false
    private var isLive = false
    /// The last report of each vehicle, because overlapping filters deliver it repeatedly.
    private var heard: [String: VehicleReport] = [:]

    init(_ settings: HFPFeed.Settings, endpoint: ByteEndpoint) {
        self.settings = settings
        self.endpoint = endpoint
    }

    mutating func begin(_ interest: VehicleInterest, at moment: Moment, into step: inout FeedStep) {
        let client = MQTTConnecting(
            client: settings.client, keepAlive: settings.keepAlive, user: endpoint.credentials?.name,
            password: endpoint.credentials?.password)
        // This only fails if the name or the password is too long, which the next tick reports.
        session = try? MQTTSession(client, source: endpoint.shown, now: moment.now)
        wanted = interest
        (current, next, changed, isConnected, isLive) = ([], nil, nil, false, false)
        step.outgoing += session?.takeOutgoing() ?? []
    }

    mutating func choose(_ interest: VehicleInterest, at moment: Moment, into step: inout FeedStep) {
        wanted = interest
        if isConnected { changed = moment.now }
    }

    mutating func receive(_ bytes: [UInt8], at moment: Moment, into step: inout FeedStep) throws(FeedError) {
        var said: [MQTTSession.Event] = [], reports: [VehicleReport] = [], losses = FeedLosses(), fault: FeedError?
        do throws(FeedError) { try session?.receive(bytes, now: moment.now) { said.append($0) } } catch {
            fault = error
        }
        for event in said {
            switch event {
            case .connected:
                isConnected = true
                step.events.append(.state(.connected))
                resubscribe(at: moment, &step)
            case .message(let message):
                guard let report = HFPReader.report(topic: message.topic, payload: message.payload, heard: moment.date)
                else {
                    losses.add(FeedError(.malformed, source: endpoint.shown, "a message is not a vehicle position"))
                    continue
                }
                guard wanted.contains(report), heard[report.id] != report else { continue }
                if heard.count >= 100_000, heard[report.id] == nil { heard = [:] }
                heard[report.id] = report
                reports.append(report)
            case .done(let id, let refused):
                guard let next, next.id == id else { continue }
                let lacking = refused.filter(next.asked.indices.contains).map { next.asked[$0] }
                let granted = next.filters.subtracting(lacking)
                guard !granted.isEmpty else {
                    fault = fault ?? FeedError(.refused, source: endpoint.shown, "the broker refused the subscription")
                    continue
                }
                if !lacking.isEmpty { lack(lacking.count, of: next.filters.count, at: moment, &step) }
                takeOver(granted, at: moment, &step)
            }
        }
        if !reports.isEmpty { step.events.append(.reports(reports)) }
        if losses.count > 0 { step.events.append(.losses(losses)) }
        if let fault { throw fault }
        step.outgoing += session?.takeOutgoing() ?? []
    }

    mutating func tick(isReading: Bool, at moment: Moment, into step: inout FeedStep) throws(FeedError) {
        guard session != nil else {
            throw FeedError(.limitExceeded, source: endpoint.shown, "the name or password is too long for MQTT")
        }
        if let changed, next == nil, moment.now >= changed + settings.debounce {
            self.changed = nil
            resubscribe(at: moment, &step)
        }
        try session?.tick(isReading: isReading, now: moment.now)
        step.outgoing += session?.takeOutgoing() ?? []
    }

    var due: Duration? {
        guard let session else { return .zero }
        return [session.due, next == nil ? changed.map { $0 + settings.debounce } : nil].compactMap(\.self).min()
    }

    mutating func end(at moment: Moment) -> [UInt8] {
        session?.disconnect(now: moment.now)
        return session?.takeOutgoing() ?? []
    }

    /// Subscribes to missing filters.
    ///
    /// Obsolete ones are unsubscribed once that has succeeded.
    private mutating func resubscribe(at moment: Moment, _ step: inout FeedStep) {
        let filters = Set(HFPTopic.filters(for: wanted)), new = filters.subtracting(current)
        guard !new.isEmpty else { return takeOver(filters, at: moment, &step) }
        let asked = new.sorted()
        if let id = session?.subscribe(to: asked, now: moment.now) { next = (filters, asked, id) }
    }

    /// Reports that some subscriptions were refused, and schedules another attempt.
    ///
    /// The others stay active.
    private mutating func lack(_ count: Int, of total: Int, at moment: Moment, _ step: inout FeedStep) {
        let fault = FeedError(.refused, source: endpoint.shown, "the broker refused \(count) of \(total) subscriptions")
        step.events.append(.state(.lost(fault, retry: Self.refusalPause)))
        isLive = false
        if changed == nil { changed = moment.now + Self.refusalPause - settings.debounce }
    }

    private mutating func takeOver(_ filters: Set<String>, at moment: Moment, _ step: inout FeedStep) {
        let old = current.subtracting(filters)
        if !old.isEmpty { session?.unsubscribe(from: old.sorted(), now: moment.now) }
        current = filters
        next = nil
        if !isLive {
            isLive = true
            step.events.append(.state(.live))
        }
    }
}
