#if canImport(CoreLocation)
public import CoreLocation
import PortolanGeo

/// The position of an Apple device from Core Location.
///
/// It has not been compiled by the project, which is built and tested on Linux. The app declares its use of the
/// position in `Info.plist`, and requests authorization before it reads the source.
public struct CoreLocationPositions: PositionSource {
    /// A position update.
    public typealias Element = PositionUpdate
    /// Failures are reported as elements.
    public typealias Failure = Never

    private let configuration: CLLocationUpdate.LiveConfiguration

    /// Creates a source with a configuration that trades battery life for accuracy.
    public init(_ configuration: CLLocationUpdate.LiveConfiguration = .default) { self.configuration = configuration }

    /// Creates a source with a requested accuracy.
    public init(_ accuracy: PositionControl.Accuracy) {
        self.init(accuracy == .navigation ? .automotiveNavigation : accuracy <= .tenMeters ? .fitness : .default)
    }

    /// Starts position updates.
    public func makeAsyncIterator() -> Iterator {
        Iterator(updates: CLLocationUpdate.liveUpdates(configuration).makeAsyncIterator())
    }

    /// An iterator over the updates of the system.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var updates: CLLocationUpdate.Updates.AsyncIterator
        private var isOver = false

        fileprivate init(updates: CLLocationUpdate.Updates.AsyncIterator) { self.updates = updates }

        /// Returns the next update.
        ///
        /// A failure of the system is reported and ends the sequence.
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
    /// Creates a fix from a location.
    ///
    /// Core Location uses negative numbers for unknown values.
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
