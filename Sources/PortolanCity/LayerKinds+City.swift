public import Portolan

extension LayerKinds {
    /// The layer kinds of this module: `transit:` and `vehicles:`.
    public static let city = LayerKinds([.transit, .vehicles])
}
