public import Foundation

/// How the connection to a source of live vehicles is, as a rider is told of it.
///
/// Before anything was heard, a failure is an error of the server, which an app may cover its map with; after that it is a
/// connection that was lost, which comes back by itself.
public struct ConnectionStatus: Hashable, Sendable {
    /// Kinds of it.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// It is being reached for the first time.
        case starting
        /// It was not reached the first time.
        case serverError
        /// It is heard.
        case live
        /// It was heard, and is no more.
        case connectionLost
        /// It is at its end.
        case ended
    }

    /// How it is.
    public private(set) var phase = Phase.starting
    /// Since when it is so.
    public private(set) var since: Date
    /// Why, where something is wrong.
    public private(set) var fault: FeedError?
    private var wasLive = false

    /// Makes the status of a source that is about to be reached.
    public init(now: Date) { since = now }

    /// Takes what a source tells of itself.
    public mutating func apply(_ state: FeedState, now: Date) {
        let next: Phase
        switch state {
        case .connecting, .connected: next = phase == .ended ? .starting : phase
        case .live: next = .live
        case .lost: next = wasLive ? .connectionLost : .serverError
        case .ended(let fault): next = fault == nil || wasLive ? .ended : .serverError
        }
        switch state {
        case .lost(let fault, _): self.fault = fault
        case .ended(let fault): self.fault = fault
        case .live: fault = nil
        case .connecting, .connected: break
        }
        if next == .live { wasLive = true }
        if next != phase { since = now }
        phase = next
    }

    /// Whether vehicles are heard of now: the green light.
    public var isLive: Bool { phase == .live }
    /// Whether there is nothing to show yet: the splash.
    public var isStarting: Bool { phase == .starting }
    /// Whether an app should show nothing else but what is wrong.
    public var blocks: Bool { phase == .serverError }

    /// What to tell a rider.
    public func words(in language: LiveLanguage) -> String {
        switch phase {
        case .starting: language[.starting]
        case .serverError: language[.serverError]
        case .live: language[.live]
        case .connectionLost: language[.connectionLost]
        case .ended: language[.ended]
        }
    }
}
