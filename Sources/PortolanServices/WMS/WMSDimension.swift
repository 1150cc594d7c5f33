/// A dimension of a layer besides the two of the map, as time or elevation.
public struct WMSDimension: Hashable, Sendable {
    /// The name in small letters, as `time`.
    public var name: String
    /// The unit of its values, as `ISO8601`.
    public var units: String
    /// The symbol of the unit, or `nil`.
    public var unitSymbol: String?
    /// The value taken when none is asked for, or `nil`.
    public var defaultValue: String?
    /// The values there are: a list between commas, or `min/max/step`.
    public var values: String
    /// Whether the nearest value is taken for one that is not there.
    public var takesNearest: Bool
    /// Whether several values may be asked for at once.
    public var takesSeveral: Bool
    /// Whether `current` may be asked for, the newest value of data that keep coming in.
    public var takesCurrent = false

    /// The parameter to ask with: `TIME`, `ELEVATION` or `DIM_` and the name (OGC 06-042 annex C.4).
    public var parameterName: String {
        ["time", "elevation"].contains(name) ? name.uppercased() : "DIM_" + name.uppercased()
    }
}
