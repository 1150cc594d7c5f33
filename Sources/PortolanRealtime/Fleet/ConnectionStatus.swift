public import Foundation

/// The connection status of a vehicle source for display.
///
/// A failure before the first data is a server error, which an app may show instead of the map. A later failure is a
/// lost connection, which is re-established automatically.
public struct ConnectionStatus: Hashable, Sendable {
    /// The phase of a connection.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// The first connection attempt is in progress.
        case starting
        /// The first connection attempt failed.
        case serverError
        /// Data are being received.
        case live
        /// The connection was lost after data had been received.
        case connectionLost
        /// The source has ended.
        case ended
    }

    /// The current phase.
    public private(set) var phase = Phase.starting
    /// The start of the current phase.
    public private(set) var since: Date
    /// The error of the current phase, or `nil`.
    public private(set) var fault: FeedError?
    private var wasLive = false

    /// Creates the status of a source before its first connection.
    public init(now: Date) { since = now }

    /// Applies a state change of the source.
    public mutating func apply(_ state: FeedEvent.State, now: Date) {
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

    /// Whether data are being received.
    public var isLive: Bool { phase == .live }
    /// Whether nothing has been received yet, and a splash screen may be shown.
    public var isStarting: Bool { phase == .starting }
    /// Whether an app should show only the error.
    public var blocks: Bool { phase == .serverError }

    /// Returns a message for passengers.
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
