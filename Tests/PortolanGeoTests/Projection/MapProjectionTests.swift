import Foundation
import PortolanGeo
import Testing

/// Projections that are not ours, as a user writes them.
@Suite struct MapProjectionTests {
    /// The sinusoidal projection of a sphere; its meridians converge, so that no latitude but the equator fills its world.
    struct Sinusoidal: MapProjection {
        var centralMeridian = 0.0
        var radius = 6_371_007.181

        var worldExtent: Extent? {
            Extent(center: Coordinate(x: 0, y: 0), width: 2 * .pi * radius, height: .pi * radius)
        }

        func forward(_ geographic: Coordinate) -> Coordinate? {
            let difference = geographic.x - centralMeridian
            guard abs(difference) <= 180 else { return nil }
            let latitude = geographic.y * .pi / 180
            return Coordinate(x: radius * difference * .pi / 180 * cos(latitude), y: radius * latitude)
        }

        func inverse(_ projected: Coordinate) -> Coordinate? {
            let latitude = projected.y / radius
            guard abs(latitude) <= .pi / 2 else { return nil }
            let difference = projected.x / radius / cos(latitude) * 180 / .pi
            guard abs(difference) <= 180 + 1e-9 else { return nil }
            return Coordinate(longitude: centralMeridian + difference, latitude: latitude * 180 / .pi)
        }
    }

    /// Plate carrée in metres: a world that repeats, and columns moved without going through single places.
    struct PlateCarree: MapProjection {
        static let metersPerDegree = 111_319.49079327358

        var worldWidth: Double? { 360 * Self.metersPerDegree }
        var worldExtent: Extent? {
            worldWidth.flatMap { Extent(center: Coordinate(x: 0, y: 0), width: $0, height: $0 / 2) }
        }

        func forward(_ geographic: Coordinate) -> Coordinate? {
            Coordinate(x: geographic.x * Self.metersPerDegree, y: geographic.y * Self.metersPerDegree)
        }

        func inverse(_ projected: Coordinate) -> Coordinate? {
            guard abs(projected.y) <= 90 * Self.metersPerDegree else { return nil }
            return Coordinate(x: projected.x / Self.metersPerDegree, y: projected.y / Self.metersPerDegree)
        }

        func project(x: inout MutableSpan<Double>, y: inout MutableSpan<Double>) {
            for index in x.indices {
                let isPlace = x[index].isFinite && abs(y[index]) <= 90
                x[index] = isPlace ? x[index] * Self.metersPerDegree : .nan
                y[index] = isPlace ? y[index] * Self.metersPerDegree : .nan
            }
        }
    }

    /// A projection that breaks its promise to return places.
    struct Broken: MapProjection {
        func forward(_ geographic: Coordinate) -> Coordinate? { geographic }
        func inverse(_ projected: Coordinate) -> Coordinate? { Coordinate(x: .infinity, y: 0) }
    }

    static func sinusoidal(_ meridian: Double = 0, axes: CRS.AxisOrder = .eastNorth) -> CRS {
        CRS(
            name: "OWN:SINUSOIDAL", axisOrder: axes, unit: .meter, projection: Sinusoidal(centralMeridian: meridian))
    }

    static let plateCarree = CRS(
        name: "OWN:PLATE-CARREE", axisOrder: .eastNorth, unit: .meter, projection: PlateCarree())

    @Test(arguments: [sinusoidal(), sinusoidal(25), plateCarree], ["CRS:84", "EPSG:3857", "EPSG:3067", "EPSG:31467"])
    func `positions survive the transform from a custom CRS to a catalogue CRS and back`(own: CRS, name: String) throws
    {
        let transform = try CoordinateTransform(from: own, to: CRS(name)), back = transform.inverse
        let toOwn = try CoordinateTransform(from: .crs84, to: own)
        var count = 0
        for place in PROJ.places(1000, 5...35, 40...80) {
            let there = try #require(toOwn(place)), moved = try #require(transform(there))
            let returned = try #require(back(moved))
            // A datum's shift comes back to two centimetres, which meridians laid parallel stretch.
            #expect(abs(returned.x - there.x) < 0.15)
            #expect(abs(returned.y - there.y) < 0.15)
            let direct = try #require(try CoordinateTransform(from: .crs84, to: CRS(name))(place))
            #expect(abs(moved.x - direct.x) < 1e-6)
            #expect(abs(moved.y - direct.y) < 1e-6)
            count += 1
        }
        #expect(count == 1000)
    }

    @Test func `sinusoidal positions agree with PROJ`() throws {
        let transform = try CoordinateTransform(from: .crs84, to: Self.sinusoidal(25))
        let places = PROJ.places(1000, -150...170, -89...89)
        let reference = try PROJ.transform(
            places, from: "+proj=longlat +R=6371007.181", to: "+proj=sinu +lon_0=25 +R=6371007.181")
        for (place, expected) in zip(places, reference) {
            let actual = try #require(transform(place))
            #expect(abs(actual.x - expected.x) < 0.001)
            #expect(abs(actual.y - expected.y) < 0.001)
        }
    }

    @Test(arguments: [sinusoidal(), plateCarree]) func `columns are transformed in a custom CRS`(crs: CRS) throws {
        for transform in [
            try CoordinateTransform(from: .webMercator, to: crs), try CoordinateTransform(from: crs, to: .crs84),
            try CoordinateTransform(from: .crs84, to: crs),
        ] {
            var places = PROJ.places(500, -180...180, -90...90).map { Coordinate(x: $0.x * 1e5, y: $0.y * 1e5) }
            places += PROJ.places(500, -180...180, -90...90)
            places += [Coordinate(x: .nan, y: 0), Coordinate(x: 0, y: .infinity), Coordinate(x: 1e300, y: 0)]
            var x = places.map(\.x), y = places.map(\.y)
            var eastings = x.mutableSpan, northings = y.mutableSpan
            transform(x: &eastings, y: &northings)
            for (index, place) in places.enumerated() {
                let image = transform(place) ?? Coordinate(x: .nan, y: .nan)
                #expect(x[index] == image.x || x[index].isNaN && image.x.isNaN)
                #expect(y[index] == image.y || y[index].isNaN && image.y.isNaN)
            }
        }
    }

    @Test func `a custom CRS has the world extent of its projection`() throws {
        #expect(Self.sinusoidal().worldWidth == nil)
        #expect(Self.plateCarree.worldWidth == 360 * PlateCarree.metersPerDegree)
        let world = try #require(Self.sinusoidal().worldExtent)
        #expect(world.width == 2 * world.height)
        let grid = try #require(TileGrid.powersOfTwo(in: Self.sinusoidal()))
        #expect(grid.extent(ofLevel: 0) == world && grid.matrices[0].columnCount == 2)
        #expect(CRS(name: "OWN:1", axisOrder: .eastNorth, unit: .meter, projection: Broken()).worldExtent == nil)
    }

    @Test func `a repeating world keeps its copies and its axes`() throws {
        let transform = try CoordinateTransform(from: Self.plateCarree, to: .webMercator)
        let width = try #require(Self.plateCarree.worldWidth), there = try #require(CRS.webMercator.worldWidth)
        let one = try #require(transform(Coordinate(x: 1000, y: 5e6)))
        let other = try #require(transform(Coordinate(x: 1000 + width, y: 5e6)))
        #expect(abs(other.x - one.x - there) < 1e-6)
        #expect(other.y == one.y)
        #expect(transform.keepsAxes)
        #expect(try !CoordinateTransform(from: Self.sinusoidal(), to: .webMercator).keepsAxes)
    }

    @Test func `CRSs are equal if name, axes and projection are`() {
        #expect(Self.sinusoidal() == Self.sinusoidal())
        #expect(Set([Self.sinusoidal(), Self.sinusoidal()]).count == 1)
        #expect(Self.sinusoidal() != Self.sinusoidal(25))
        #expect(Self.sinusoidal() != Self.sinusoidal(axes: .northEast))
        let named = CRS(name: "OWN:SINUSOIDAL", axisOrder: .eastNorth, unit: .meter)
        #expect(Self.sinusoidal() != named)
        #expect(named != Self.sinusoidal())
        let other = CRS(name: "OWN:SINUSOIDAL", axisOrder: .eastNorth, unit: .meter, projection: PlateCarree())
        #expect(Self.sinusoidal() != other)
        #expect(CRS(name: "EPSG:3857", axisOrder: .eastNorth, unit: .meter, projection: PlateCarree()) != .webMercator)
    }

    @Test func `another name of one projection gives an identity transform`() throws {
        let other = CRS(name: "OWN:OTHER", axisOrder: .northEast, unit: .meter, projection: Sinusoidal())
        #expect(try CoordinateTransform(from: Self.sinusoidal(), to: other).isIdentity)
        #expect(try !CoordinateTransform(from: Self.sinusoidal(25), to: other).isIdentity)
    }

    @Test func `invalid input or output of a projection gives nil`() throws {
        #expect(Broken().unproject(Coordinate(x: 0, y: 0)) == nil)
        #expect(Broken().project(Coordinate(x: 0, y: 91)) == nil)
        #expect(Broken().project(Coordinate(x: .nan, y: 0)) == nil)
        let crs = CRS(name: "OWN:BROKEN", axisOrder: .eastNorth, unit: .meter, projection: Broken())
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        #expect(try CoordinateTransform(from: crs, to: .webMercator)(extent) as Extent? == nil)
    }
}
