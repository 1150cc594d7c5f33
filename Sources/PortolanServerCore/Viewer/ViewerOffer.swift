import Portolan
package import PortolanRouteBook
package import PortolanRouting
import PortolanWeb

/// The functions that viewers offer besides showing maps and uploaded files.
package struct ViewerOffer: Sendable {
    /// The hosts whose services users may add to their map.
    package enum Services: Hashable, Sendable {
        /// No hosts.
        case none
        /// A set of hosts, in lower case.
        case of(Set<String>)
        /// All public hosts.
        case any

        /// Returns whether services of a host are allowed.
        func allows(_ host: String) -> Bool {
            switch self {
            case .none: false
            case .of(let hosts): hosts.contains(host.lowercased())
            case .any: true
            }
        }
    }

    /// The hosts whose services users may add to their map; no hosts by default.
    package var services = Services.none
    /// The route book, or `nil` for none.
    package var routes: RouteBook?
    /// The route planner, or `nil` for none.
    package var planner: RoutePlanner?
    /// The travel modes of the planner.
    package var modes = [TravelMode.foot, .bicycle, .car]
    /// The search for places that are not on the map, or `nil` for none.
    package var geocoder: (any Geocoder)?
    /// The public transport, or `nil` for none.
    package var city: PublishedCity?

    /// Creates an offer without functions.
    package init() {}
}
