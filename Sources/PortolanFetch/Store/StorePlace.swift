/// Where an answer belongs, so that it can be found without its address.
public struct StorePlace: Hashable, Sendable {
    /// The address; a store keeps hashes of its beginnings at the most.
    public var url: String
    /// West, south, east and north of what it shows, in degrees, or nil where that is not known.
    public var bounds: [Double]?

    /// Makes a place.
    public init(url: String, bounds: [Double]? = nil) {
        self.url = url
        self.bounds = bounds?.count == 4 ? bounds : nil
    }
}
