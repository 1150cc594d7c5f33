/// How one travels.
public enum TravelMode: String, Hashable, Sendable, CaseIterable {
    /// By car.
    case car
    /// On foot.
    case foot
    /// By bicycle.
    case bicycle
    /// By public transport, and on foot to it.
    case transit
}
