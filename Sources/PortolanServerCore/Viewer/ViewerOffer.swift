import Portolan
package import PortolanRouteBook
package import PortolanRouting
import PortolanWeb

/// What a server lets people do in its viewers, beside looking at its maps and at files of their own.
package struct ViewerOffer: Sendable {
    /// Whose services people may put on their map.
    package enum Services: Hashable, Sendable {
        /// Nobody's.
        case none
        /// Those of some hosts, in small letters.
        case of(Set<String>)
        /// Those of all hosts that anyone reaches.
        case any

        /// Whether the services of a host may be put on a map.
        func allows(_ host: String) -> Bool {
            switch self {
            case .none: false
            case .of(let hosts): hosts.contains(host.lowercased())
            case .any: true
            }
        }
    }

    /// Whose services people may put on their map; unless set, nobody's.
    package var services = Services.none
    /// The routes that can be shown, or `nil` for none.
    package var routes: RouteBook?
    /// What plans routes between places, or `nil` where nothing does.
    package var planner: RoutePlanner?
    /// How one may travel by the planner's routes.
    package var modes = [TravelMode.foot, .bicycle, .car]
    /// The public transport that can be shown, or `nil` for none.
    package var city: PublishedCity?

    /// Offers nothing.
    package init() {}
}
