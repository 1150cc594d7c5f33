/// Three numbers: a place in metres from the middle of the earth, or a row of a matrix.
struct GeocentricVector: Hashable, Sendable {
    let x, y, z: Double

    init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    func dot(_ other: GeocentricVector) -> Double { x * other.x + y * other.y + z * other.z }
}
