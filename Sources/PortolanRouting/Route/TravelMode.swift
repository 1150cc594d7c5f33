/// A mode of travel.
public enum TravelMode: String, Hashable, Sendable, CaseIterable {
    /// By car.
    case car
    /// On foot.
    case foot
    /// By bicycle.
    case bicycle
    /// By public transport, including walks.
    case transit
}
