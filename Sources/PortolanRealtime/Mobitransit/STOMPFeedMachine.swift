import Foundation
import PortolanFetch
import PortolanGeo

/// The protocol logic of ``STOMPFeed``: which subscriptions to make and which messages to emit.
struct STOMPFeedMachine: FeedMachine {
    private struct Subscription {
        var id: String
        /// The requested interest, and whether the broker filters by it.
        var interest: VehicleInterest
        var isSelective: Bool
        /// The receipt that confirms the subscription.
        var receipt: String?
    }

    /// The last report of a vehicle while two subscriptions overlap.
    private struct Heard {
        var report: VehicleReport
        var subscription: String
    }

    private let settings: STOMPFeed.Settings
    private let connecting: STOMPConnecting
    private var session: STOMPSession
    private var reader = MobitransitReader()
    private var wanted = VehicleInterest()
    /// The time of the last change of interest that has not been subscribed to yet.
    private var changed: Duration?
    private var current: Subscription?
    /// The subscription that will replace `current`.
    private var next: Subscription?
    /// The receipt of the last UNSUBSCRIBE.
    ///
    /// Until it arrives, messages may be duplicated.
    private var leaving: (receipt: String, since: Duration)?
    private var heard: [String: Heard] = [:]
    private var notices: NoticeShelf
    private var lastID = 0
    /// Whether the broker has refused a selector, so that only the client filters.
    private var isRefusingSelectors = false
    private var isLive = false

    private static let alerts = "alerts"
    /// The time limit for confirming the end of a subscription.
    private static let patience = Duration.seconds(10)

    init(_ settings: STOMPFeed.Settings, endpoint: ByteEndpoint) {
        self.settings = settings
        var connecting = STOMPConnecting(to: endpoint)
        connecting.versions = settings.versions
        connecting.heartBeat = settings.heartBeat
        if let host = settings.host { connecting.host = host }
        self.connecting = connecting
        session = STOMPSession(connecting, now: .zero)
        notices = NoticeShelf(lifetime: settings.alertLifetime)
    }

    mutating func begin(_ interest: VehicleInterest, at moment: Moment, into step: inout FeedStep) {
        session = STOMPSession(connecting, now: moment.now)
        wanted = interest
        (current, next, leaving, changed, isLive) = (nil, nil, nil, nil, false)
        heard = [:]
        step.outgoing += session.takeOutgoing()
    }

    mutating func choose(_ interest: VehicleInterest, at moment: Moment, into step: inout FeedStep) {
        wanted = interest
        // The last change of the extent counts.
        if let subscription = next ?? current { changed = serves(subscription) ? nil : moment.now }
    }

    mutating func receive(_ bytes: [UInt8], at moment: Moment, into step: inout FeedStep) throws(FeedError) {
        var said: [STOMPSession.Event] = []
        var reports: [VehicleReport] = []
        var fault: FeedError?, areNoticesOther = false, losses = FeedLosses()
        do throws(FeedError) { try session.receive(bytes, now: moment.now) { said.append($0) } } catch { fault = error }
        for event in said {
            switch event {
            case .connected:
                step.events.append(.state(.connected))
                subscribe(at: moment)
            case .message(let message): hear(message, at: moment, &reports, &losses, &areNoticesOther, &step)
            case .receipt(let receipt): confirm(receipt, at: moment, &step)
            case .error(let error, let receipt):
                if !mend(receipt, at: moment) { fault = fault ?? error }
            }
        }
        if !reports.isEmpty { step.events.append(.reports(reports)) }
        if losses.count > 0 { step.events.append(.losses(losses)) }
        // The alerts are delivered once for all messages received.
        if areNoticesOther { step.events.append(.disruptions(notices.notices)) }
        if let fault { throw fault }
        step.outgoing += session.takeOutgoing()
    }

    mutating func tick(isReading: Bool, at moment: Moment, into step: inout FeedStep) throws(FeedError) {
        if let changed, moment.now >= changed + settings.debounce, current != nil, next == nil {
            self.changed = nil
            if let current, !serves(current) { resubscribe(at: moment) }
        }
        if let leaving, moment.now >= leaving.since + Self.patience { left() }
        if notices.expire(now: moment.now) { step.events.append(.disruptions(notices.notices)) }
        try session.tick(isReading: isReading, now: moment.now)
        step.outgoing += session.takeOutgoing()
    }

    var due: Duration? {
        [
            session.due, next == nil && current != nil ? changed.map { $0 + settings.debounce } : nil,
            leaving.map { $0.since + Self.patience }, notices.due,
        ]
        .compactMap(\.self).min()
    }

    mutating func end(at moment: Moment) -> [UInt8] {
        session.send(STOMPFrame("DISCONNECT"), now: moment.now)
        return session.takeOutgoing()
    }

    // MARK: - Subscriptions

    private mutating func subscribe(at moment: Moment) {
        resubscribe(at: moment)
        guard let alerts = settings.alerts else { return }
        session.send(
            STOMPFrame("SUBSCRIBE", [.init("id", Self.alerts), .init("destination", alerts), .init("ack", "auto")]),
            now: moment.now)
    }

    /// Subscribes to the current interest.
    ///
    /// The old subscription ends once the new one is confirmed.
    private mutating func resubscribe(at moment: Moment) {
        lastID += 1
        var interest = wanted
        // A margin around the extent avoids new subscriptions for small moves.
        if let extent = interest.extent {
            interest.extent = extent.grown(by: max(extent.width, extent.height) / 4) ?? extent
        }
        let selector = settings.selects && !isRefusingSelectors ? VehicleSelector.text(for: interest) : nil
        if selector == nil { interest = VehicleInterest() }
        var headers: [STOMPFrame.Header] = [
            .init("id", "v\(lastID)"), .init("destination", settings.vehicles), .init("ack", "auto"),
        ]
        if let selector { headers.append(.init("selector", selector)) }
        for header in settings.headers { headers.append(header) }
        let receipt = session.send(STOMPFrame("SUBSCRIBE", headers), withReceipt: true, now: moment.now)
        next = Subscription(id: "v\(lastID)", interest: interest, isSelective: selector != nil, receipt: receipt)
    }

    /// Returns whether a subscription covers the interest without much excess.
    private func serves(_ subscription: Subscription) -> Bool {
        // Without selectors, a new subscription would not deliver less.
        guard subscription.isSelective else {
            return isRefusingSelectors || !settings.selects || wanted == VehicleInterest()
        }
        guard subscription.interest.lines == wanted.lines else { return false }
        switch (subscription.interest.extent, wanted.extent) {
        case (nil, nil): return true
        case (let had?, let extent?):
            return had.contains(extent) && had.width <= extent.width * 4 && had.height <= extent.height * 4
        default: return false
        }
    }

    private mutating func confirm(_ receipt: String, at moment: Moment, _ step: inout FeedStep) {
        if receipt == leaving?.receipt {
            left()
        } else if receipt == next?.receipt {
            takeOver(at: moment, &step)
        }
    }

    /// Ends the overlap of two subscriptions.
    private mutating func left() {
        leaving = nil
        if next == nil { heard = [:] }
    }

    /// Switches to the confirmed subscription and cancels the old one.
    private mutating func takeOver(at moment: Moment, _ step: inout FeedStep) {
        if let old = current {
            let receipt = session.send(
                STOMPFrame("UNSUBSCRIBE", [.init("id", old.id)]), withReceipt: true, now: moment.now)
            leaving = receipt.map { ($0, moment.now) }
        }
        current = next
        next = nil
        // The interest may have changed in the meantime.
        if let current, !serves(current), changed == nil { changed = moment.now }
        if !isLive {
            isLive = true
            step.events.append(.state(.live))
        }
    }

    /// Continues without selectors if the broker has just refused one.
    ///
    /// Returns false for other errors.
    private mutating func mend(_ receipt: String?, at moment: Moment) -> Bool {
        guard let next, next.isSelective, receipt == nil || receipt == next.receipt else { return false }
        isRefusingSelectors = true
        resubscribe(at: moment)
        return true
    }

    // MARK: - Messages

    private mutating func hear(
        _ message: STOMPFrame, at moment: Moment, _ reports: inout [VehicleReport], _ losses: inout FeedLosses,
        _ areNoticesOther: inout Bool, _ step: inout FeedStep
    ) {
        let subscription = message["subscription"] ?? ""
        if subscription == Self.alerts || message["destination"] == settings.alerts, settings.alerts != nil {
            let isChanged =
                if let notice = MobitransitReader.disruption(of: message) {
                    notices.put(notice, now: moment.now)
                } else {
                    notices.remove(MobitransitReader.noticeID(of: message))
                }
            areNoticesOther = areNoticesOther || isChanged
            return
        }
        if subscription == next?.id { takeOver(at: moment, &step) }
        guard let report = reader.report(of: message, heard: moment.date) else {
            return losses.add(
                FeedError(.malformed, source: connecting.source, "a message has no vehicle or position"))
        }
        guard wanted.contains(report) else { return }
        if leaving != nil || (next != nil && current != nil) {
            // An equal report of the other subscription is a duplicate. One of the same subscription is a new report.
            if let last = heard[report.id], last.subscription != subscription, last.report.isSame(as: report) { return }
            if heard.count >= MobitransitReader.mostVehicles, heard[report.id] == nil { heard = [:] }
            heard[report.id] = Heard(report: report, subscription: subscription)
        }
        reports.append(report)
    }
}

extension VehicleReport {
    /// Returns whether both reports differ at most in their time.
    fileprivate func isSame(as other: VehicleReport) -> Bool {
        var other = other
        other.time = time
        return self == other
    }
}
