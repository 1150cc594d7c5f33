import PortolanGeo

/// The coordinates of a line or ring without those that make no difference within an extent.
///
/// Of a run that lies wholly beyond one side of the extent only the ends are given: what leads from one to the other
/// lies beyond that side either way, so that no segment within changes, nor whether a place within is inside a ring.
/// Looking at a coordinate costs far less than projecting, cutting and simplifying it.
struct EssentialCoordinates: Sequence, IteratorProtocol {
    private let extent: Extent
    private var rest: ArraySlice<Coordinate>.Iterator
    /// The sides beyond which all coordinates since the last one given lie, that one included.
    private var common: UInt8 = 0
    /// The last coordinate looked at, when it has not been given, and the sides beyond which it lies.
    private var held: (coordinate: Coordinate, sides: UInt8)?
    /// Whether what is held comes next in any case.
    private var isHeldDue = false

    init(_ coordinates: ArraySlice<Coordinate>, within extent: Extent) {
        self.extent = extent
        rest = coordinates.makeIterator()
    }

    mutating func next() -> Coordinate? {
        if isHeldDue {
            isHeldDue = false
            return give(held)
        }
        while let coordinate = rest.next() {
            let sides = sides(coordinate)
            if sides & common != 0 {
                common &= sides
                held = (coordinate, sides)
                continue
            }
            guard let last = held else { return give((coordinate, sides)) }
            // The run ends with the one before; another may begin there.
            held = (coordinate, sides)
            common = last.sides & sides
            isHeldDue = common == 0
            return last.coordinate
        }
        return give(held)
    }

    private mutating func give(_ given: (coordinate: Coordinate, sides: UInt8)?) -> Coordinate? {
        held = nil
        common = given?.sides ?? 0
        return given?.coordinate
    }

    /// A bit for each side beyond which a coordinate lies; none for one that is no number.
    private func sides(_ coordinate: Coordinate) -> UInt8 {
        (coordinate.x < extent.minX ? 1 : 0) | (coordinate.x > extent.maxX ? 2 : 0)
            | (coordinate.y < extent.minY ? 4 : 0) | (coordinate.y > extent.maxY ? 8 : 0)
    }
}
