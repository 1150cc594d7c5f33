import PortolanFormats
import PortolanGeo
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@testable import PortolanFeatures

@Suite struct PointTableTests {
    /// Points on the ground, many of them at one place or on one line, with properties of every kind.
    static func points(_ count: Int, seed: UInt64 = 3) -> FeatureCollection {
        var random = SeededGenerator(seed: seed)
        let features = (0..<count).map { number -> Feature in
            let place = Coordinate(
                x: number % 7 == 0 ? 24.9 : .random(in: -180...180, using: &random),
                y: number % 11 == 0 ? 60.2 : .random(in: -85...85, using: &random))
            var properties: Properties = ["name": .string("Place \(number % 977)"), "n": .integer(number)]
            if number % 3 == 0 { properties["height"] = .number(Double(number) / 8 + 0.0625) }
            if number % 5 == 0 { properties["mixed"] = number % 2 == 0 ? .bool(true) : ["a", nil] }
            if number % 13 == 0 { properties["large"] = .integer(number << 40) }
            return Feature(
                id: number % 2 == 0 ? .integer(number) : .string("f\(number)"), geometry: .point(place),
                properties: properties)
        }
        return FeatureCollection(features: features)
    }

    @Test(arguments: [0, 1, 64, 65, 1100])
    func `points in an extent are found in the order of the file`(_ count: Int) throws {
        let collection = Self.points(count), table = PointTable(collection)
        #expect(table.count == count)
        #expect(table.boundingBox == collection.boundingBox)
        var random = SeededGenerator(seed: 9)
        for _ in 0..<12 {
            let x = Double.random(in: -190...190, using: &random), y = Double.random(in: -90...90, using: &random)
            let width = Double.random(in: 0...200, using: &random), height = Double.random(in: 0...90, using: &random)
            let extent = try #require(Extent(minX: x, minY: y, maxX: x + width + 0.01, maxY: y + height + 0.01))
            let wanted = collection.features.filter { $0.geometry.map { extent.contains($0.coordinates[0]) } ?? false }
            let found = table.features(in: extent)
            #expect(found.map(\.id) == wanted.map(\.id))
            for (found, wanted) in zip(found, wanted) {
                #expect(found.geometry == wanted.geometry)
                #expect(Set(found.properties) == Set(wanted.properties))
            }
            #expect(table.features(in: extent, limit: 3) == Array(found.prefix(3)))
        }
    }

    @Test(arguments: [
        Feature.ID.number(0.5), .number(1e300), .integer(.min), .integer(.max), .integer(7), .string(""), .string("7"),
    ])
    func `identifiers and extreme numbers are kept`(id: Feature.ID) {
        for others in [[], [Feature.ID.integer(3)], [.string("x"), .number(2.5)]] {
            let features = (others + [id]).map { id in
                Feature(id: id, geometry: .point(Coordinate(x: 1, y: 2)), properties: ["n": id.propertyValue])
            }
            let table = PointTable(FeatureCollection(features: features))
            #expect(table.features(of: Array(0..<table.count)) == features)
        }
    }

    @Test func `the nearest points come first, and distant ones are left out`() {
        let collection = Self.points(2000), table = PointTable(collection)
        var random = SeededGenerator(seed: 1)
        for _ in 0..<20 {
            let place = Coordinate(x: .random(in: -180...180, using: &random), y: .random(in: -85...85, using: &random))
            func distance(_ feature: Feature) -> Double {
                let other = feature.geometry?.coordinates[0] ?? place
                return ((other.x - place.x) * (other.x - place.x) + (other.y - place.y) * (other.y - place.y))
                    .squareRoot()
            }
            let wanted = collection.features.map(distance).filter { $0 <= 9 }.sorted().prefix(5)
            #expect(table.features(nearestTo: place, limit: 5, within: 9).map(distance) == Array(wanted))
        }
        #expect(table.features(nearestTo: Coordinate(x: 0, y: 0), within: .infinity).isEmpty)
    }

    @Test(arguments: [nil, 0x0A, 0x1E] as [UInt8?])
    func `documents are read point by point, with the result of the reader`(_ separator: UInt8?) throws {
        let collection = Self.points(300)
        var bytes = GeoJSONWriter.write(collection)
        if let separator {
            bytes = collection.features.flatMap {
                (separator == 0x1E ? [separator] : []) + GeoJSONWriter.write(FeatureCollection(features: [$0])) + [0x0A]
            }
        }
        let table = try PointTable.reading(bytes)
        let whole = try #require(Extent(minX: -180, minY: -90, maxX: 180, maxY: 90))
        let found = table.features(in: whole)
        #expect(found.map(\.id) == collection.features.map(\.id))
        #expect(table.warnings.isEmpty)
        #expect(found.map { Set($0.properties) } == collection.features.map { Set($0.properties) })
        #expect(table.propertyNames.sorted() == ["height", "large", "mixed", "n", "name"])
    }

    @Test func `points and multipoints of other documents are read`() throws {
        let text = """
            {"type":"FeatureCollection","name":"x","features":[{"type":"Feature","geometry":{"type":"MultiPoint",
            "coordinates":[[1,2],[3,4]]},"properties":{"a":1}},{"type":"Feature","geometry":{"type":"LineString",
            "coordinates":[[1,2],[3,4]]},"properties":null},{"type":"Feature","geometry":null,"properties":null}]}
            """
        let table = try PointTable.reading(Array(text.utf8))
        #expect(table.count == 2)
        #expect(table.foreignMembers["name"] == "x")
        #expect(table.warnings.map(\.description) == ["2 features that are not points left out"])
        #expect(try PointTable.reading(Array("POINT (1 2)".utf8)).count == 1)
        #expect(try PointTable.reading(Array(#"{"type":"Point","coordinates":[1,2]}"#.utf8)).count == 1)
    }

    @Test(arguments: [
        (#"{"type":"FeatureCollection","features":["#, GeoJSONError.Code.truncated, FeatureLimits()),
        (#"{"type":"FeatureCollection","features":[1]}"#, .wrongType, FeatureLimits()),
        (#"{"type":"Point","coordinates":[1,2]}"#, .limitExceeded, FeatureLimits(maximumByteCount: 10)),
    ])
    func `an unreadable document gives the error of the reader`(
        _ text: String, _ code: GeoJSONError.Code, _ limits: FeatureLimits
    ) {
        let error = #expect(throws: GeoJSONError.self) { try PointTable.reading(Array(text.utf8), limits: limits) }
        #expect(error?.code == code)
        #expect(error?.line == 1)
    }

    @Test func `a table over the memory limit is a typed error, and a table is charged while held`() throws {
        let bytes = GeoJSONWriter.write(Self.points(17_000)), memory = MemoryBudget(byteLimit: 64 << 20)
        #expect(throws: GeoJSONError.self) {
            try PointTable.reading(bytes, limits: FeatureLimits(memory: MemoryBudget(byteLimit: bytes.count + 1000)))
        }
        var table: PointTable? = try PointTable.reading(bytes, limits: FeatureLimits(memory: memory))
        #expect(table?.count == 17_000)
        #expect(memory.byteCount > 16_384 * 52)
        table = nil
        #expect(memory.byteCount == 0)
    }

    @Test func `coordinates are transformed, and NaN if they have no image`() throws {
        let table = PointTable(
            FeatureCollection(
                features: [Coordinate(x: 10, y: 20), Coordinate(x: 0, y: 90)].map { Feature(geometry: .point($0)) }))
        let transform = try CoordinateTransform(from: .crs84, to: .webMercator)
        for _ in 0..<2 {
            let (x, y) = table.ordinates(by: transform)
            let place = try #require(transform(Coordinate(x: 10, y: 20)))
            #expect(zip(x, y).contains { $0 == place.x && $1 == place.y })
            #expect(y.contains { $0.isNaN })
        }
        let taken = table.taken(as: .webMercator)
        #expect(taken.crs == .webMercator)
        #expect(taken.boundingBox == table.boundingBox)
        #expect(!taken.isSame(as: table))
    }

    @Test(arguments: [1, 100, 20_000])
    func `crowding is the number of points in the squares of the densest twentieth`(count: Int) {
        // A tenth of the points are in one square, the others alone.
        var features: [Feature] = []
        for number in 0..<(10 * count) {
            let x = number < count ? 0.5 : Double(number) + 10
            features.append(Feature(geometry: .point(Coordinate(x: x, y: 0.5))))
        }
        let table = PointTable(FeatureCollection(features: features, crs: .webMercator))
        // Of many points every fourth is counted.
        #expect(abs(table.crowding(inSquaresOf: 1, in: table.crs) - Double(count)) <= (count > 5000 ? 4 : 0))
        #expect(table.crowding(inSquaresOf: 0, in: table.crs) == 0)
    }

    @Test func `a heatmap of crowded points is less intense`() {
        var heat = HeatmapSymbol()
        heat.fitsCrowds = true
        #expect(heat.fitting(crowdOf: 3).intensity == 1)
        // Evenly spread points have the highest colour: 2π/9 of the height of the distribution each.
        let fitted = heat.fitting(crowdOf: 100)
        #expect(abs(fitted.intensity * 100 * HeatmapSymbol.height * 2 * .pi / 9 - 1) < 1e-12)
    }
}
