#if canImport(CoreLocation)
public import CoreLocation
import PortolanGeo

/// The position of an Apple device, by Core Location.
///
/// Experimental: compiled on Apple platforms only, and not covered by the tests. The app declares its use of the position in
/// `Info.plist`, and asks for permission before it reads the source.
public struct CoreLocationPositions: PositionSource {
    /// What it reports.
    public typealias Element = PositionUpdate
    /// Failures are elements.
    public typealias Failure = Never

    private let configuration: CLLocationUpdate.LiveConfiguration

    /// Makes a source; the configuration trades battery for accuracy.
    public init(_ configuration: CLLocationUpdate.LiveConfiguration = .default) { self.configuration = configuration }

    /// Makes a source that measures as exactly as is wanted.
    public init(_ accuracy: PositionAccuracy) {
        self.init(accuracy == .navigation ? .automotiveNavigation : accuracy <= .tenMeters ? .fitness : .default)
    }

    /// Begins to ask for the position.
    public func makeAsyncIterator() -> Iterator {
        Iterator(updates: CLLocationUpdate.liveUpdates(configuration).makeAsyncIterator())
    }

    /// The updates of the system.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var updates: CLLocationUpdate.Updates.AsyncIterator
        private var isOver = false

        fileprivate init(updates: CLLocationUpdate.Updates.AsyncIterator) { self.updates = updates }

        /// The next update; a failure of the system is told and ends the source.
        public mutating func next() async -> PositionUpdate? {
            while !isOver {
                let update: CLLocationUpdate
                do {
                    guard let next = try await updates.next() else { return nil }
                    update = next
                } catch {
                    isOver = true
                    return .failure(.ended)
                }
                if update.authorizationDenied || update.authorizationDeniedGlobally { return .permission(.denied) }
                if update.authorizationRestricted { return .permission(.restricted) }
                if update.locationUnavailable { return .failure(.unavailable) }
                if let location = update.location { return .fix(PositionFix(location)) }
            }
            return nil
        }
    }
}

extension PositionFix {
    /// Makes a fix of a location; Core Location writes numbers below zero for unknown.
    fileprivate init(_ location: CLLocation) {
        self.init(
            place: Coordinate(longitude: location.coordinate.longitude, latitude: location.coordinate.latitude),
            time: location.timestamp,
            accuracy: location.horizontalAccuracy >= 0 ? location.horizontalAccuracy : nil,
            altitude: location.verticalAccuracy > 0 ? location.altitude : nil,
            speed: location.speed >= 0 ? location.speed : nil, course: location.course >= 0 ? location.course : nil)
    }
}
#endif
