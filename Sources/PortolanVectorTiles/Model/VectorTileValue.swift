/// The value of an attribute.
package enum VectorTileValue: Hashable, Sendable {
    case string(String)
    case float(Float)
    case double(Double)
    case int(Int64)
    case uint(UInt64)
    case bool(Bool)
    /// A list, in MapLibre Tiles alone.
    case list([VectorTileValue])
    /// Named values in order, in MapLibre Tiles alone.
    case map([Member])

    /// A named value.
    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: VectorTileValue

        package init(name: String, value: VectorTileValue) {
            self.name = name
            self.value = value
        }
    }
}
