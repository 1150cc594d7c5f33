import PortolanFeatures
import PortolanGeo

/// Brings the shapes of a document into one system: that of the first of them.
struct CommonSystem {
    /// The system, or `nil` for longitude and latitude on WGS 84, and before the first shape.
    private(set) var crs: CRS?
    private var isDecided = false
    /// The system of the shape before, as it was named and as it is meant, since most name the same.
    private var last: (named: CRS?, meant: CRS?) = (nil, nil)
    private var transforms: [CRS: CoordinateTransform?] = [:]

    init() {}

    /// A shape in the common system, or `nil` where there is no way from its own.
    ///
    /// - Parameter own: the system of the shape, or `nil` for longitude and latitude on WGS 84.
    mutating func geometry(_ shape: Geometry, in own: CRS?) -> Geometry? {
        if own != last.named {
            last = (own, own.flatMap { $0.isLongitudeLatitude && $0.datumShift == nil ? nil : $0 })
        }
        let own = last.meant
        guard isDecided else {
            crs = own
            isDecided = true
            return shape
        }
        guard own != crs else { return shape }
        let from = own ?? .crs84
        if transforms[from] == nil {
            transforms[from] = .some(try? CoordinateTransform(from: from, to: crs ?? .crs84))
        }
        guard let transform = transforms[from] ?? nil else { return nil }
        return shape.mapWholeCoordinates { transform($0) }
    }
}
