/// An affine map of geocentric places.
struct GeocentricMap: Hashable, Sendable {
    let x, y, z, add: GeocentricVector

    func callAsFunction(_ place: GeocentricVector) -> GeocentricVector {
        GeocentricVector(x.dot(place) + add.x, y.dot(place) + add.y, z.dot(place) + add.z)
    }
}
