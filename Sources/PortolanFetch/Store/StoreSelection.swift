/// Which entries of a ``ResponseStore`` are meant: those that satisfy all that is given; all of them when nothing is.
public struct StoreSelection: Hashable, Sendable {
    /// Entries whose address is this one or begins with it, up to a `/`, `?` or `&`; a host with its scheme, for example.
    public var prefix: String?
    /// Entries that show something within west, south, east and north, in degrees; those of unknown place are not meant.
    public var bounds: [Double]?
    /// Entries that came, or were last confirmed, before this moment, in seconds since 1970.
    public var before: Int?

    /// Makes a selection.
    public init(prefix: String? = nil, bounds: [Double]? = nil, before: Int? = nil) {
        self.prefix = prefix
        self.bounds = bounds
        self.before = before
    }
}
