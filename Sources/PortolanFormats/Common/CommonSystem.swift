import PortolanFeatures
import PortolanGeo

/// Transforms the geometries of a document to one CRS: that of the first geometry.
struct CommonSystem {
    /// The CRS, or `nil` for longitude and latitude on WGS 84, and before the first geometry.
    private(set) var crs: CRS?
    private var isDecided = false
    /// The CRS of the previous geometry, as named and as resolved, since most are equal.
    private var last: (named: CRS?, meant: CRS?) = (nil, nil)
    private var transforms: [CRS: CoordinateTransform?] = [:]

    init() {}

    /// Returns a geometry in the common CRS, or `nil` if it cannot be transformed.
    ///
    /// - Parameter own: the CRS of the geometry, or `nil` for longitude and latitude on WGS 84.
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
