import Foundation
import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanRaster
import PortolanWeb
import TestHelpers
import Testing

@Suite struct FlatGeobufTests {
    @Test func `features written by another program are read`() throws {
        let collection = try FeatureFormats.standard.read(AreaSample.flatGeobuf)
        #expect(collection.features.count == 2)
        #expect(collection.warnings.isEmpty)
        #expect(collection.crs == nil)
        // Features are in the order of the index.
        for feature in collection.features {
            let isFirst = feature.properties["n"] == 3
            #expect(
                feature.geometry.map { WKT.write(EncodedGeometry($0)) }
                    == AreaSample.texts[isFirst ? 0 : 1])
            #expect(feature.properties["name"] == (isFirst ? "Hä" : nil))
            #expect(feature.properties["ok"] == .bool(isFirst))
            #expect(feature.properties["x"] == (isFirst ? 1.5 : nil))
        }
    }

    @Test func `a stray byte after the last property is ignored`() throws {
        let whole = AreaSample.flatGeobuf
        // Properties that end two bytes earlier end in the first byte of the number of the column `ok`.
        let isFound = whole.indices.contains { place in
            guard (3...60).contains(whole[place]) else { return false }
            var bytes = whole
            bytes[place] -= 2
            guard let collection = try? FlatGeobuf(bytes).read(FeatureQuery(), limits: FeatureLimits()) else {
                return false
            }
            return collection.features.count == 2 && collection.features.allSatisfy { $0.properties["n"] != nil }
                && collection.features.contains { $0.properties["ok"] == nil }
        }
        #expect(isFound)
    }

    @Test func `a bounding box query uses the index`() throws {
        let file = try FlatGeobuf(AreaSample.flatGeobuf)
        #expect(file.layers.map(\.featureCount) == [2])
        func count(_ minX: Double, _ maxX: Double) throws -> Int {
            let box = try #require(BoundingBox(minX: minX, minY: 1, maxX: maxX, maxY: 2))
            return try file.read(FeatureQuery(box: box), limits: FeatureLimits()).features.count
        }
        #expect(try count(30, 41) == 1)
        #expect(try count(0, 50) == 2)
        #expect(try count(10, 19) == 0)
    }

    /// Features in a spiral, so that neighbours in the file are not neighbours on the map.
    private static func spiral(_ count: Int) -> [Feature] {
        (0..<count).map { number in
            let turn = Double(number) * 2.4, reach = Double(number).squareRoot()
            let place = Coordinate(x: reach * cos(turn), y: reach * sin(turn))
            let geometry: Geometry =
                number.isMultiple(of: 3)
                ? .point(place) : .lineString([place, Coordinate(x: place.x + 0.5, y: place.y + 0.25)])
            return Feature(geometry: geometry, properties: ["n": .integer(number)])
        }
    }

    @Test(arguments: [1000, 1024, 4097])
    func `a large file is written with an index that finds what is in a box`(count: Int) throws {
        let features = Self.spiral(count)
        let file = try FlatGeobuf(try #require(FlatGeobuf.Format().write(FeatureCollection(features: features))))
        #expect(file.isIndexed(layer: nil) && file.layers.map(\.featureCount) == [count])
        func numbers(_ box: BoundingBox?) throws -> Set<Int> {
            let found = try file.read(FeatureQuery(box: box), limits: FeatureLimits()).features
            let numbers = Set(found.compactMap { $0.properties["n"]?.integerValue })
            #expect(numbers.count == found.count)
            return numbers
        }
        #expect(try numbers(nil) == Set(0..<count))
        for (x, y, side) in [(0.0, 0.0, 1.0), (3, -4, 0.2), (-10, 10, 5), (0, 0, 200), (500, 0, 1)] {
            let box = try #require(BoundingBox(minX: x - side, minY: y - side, maxX: x + side, maxY: y + side))
            let wanted = features.indices.filter { index in
                guard let own = features[index].geometry?.boundingBox else { return false }
                return own.minX <= box.maxX && own.maxX >= box.minX && own.minY <= box.maxY && own.maxY >= box.minY
            }
            #expect(try numbers(box) == Set(wanted))
        }
    }

    @Test func `a small file, and one with a feature without a geometry, keep the order without an index`() throws {
        for features in [Self.spiral(999), Self.spiral(1000) + [Feature(geometry: nil)]] {
            let file = try FlatGeobuf(try #require(FlatGeobuf.Format().write(FeatureCollection(features: features))))
            #expect(!file.isIndexed(layer: nil))
            let read = try file.read(FeatureQuery(), limits: FeatureLimits()).features
            #expect(read.map { $0.properties["n"] } == features.map { $0.properties["n"] })
        }
    }

    @Test func `only the features of a box are read from a file with an index`() throws {
        let folder = try TemporaryFolder(), path = folder.path + "/areas.fgb"
        let box = try #require(BoundingBox(minX: 30, minY: 1, maxX: 41, maxY: 2))
        let wanted = try FlatGeobuf(AreaSample.flatGeobuf).read(FeatureQuery(box: box), limits: FeatureLimits())
        var readable = 0
        // Damage in one of the two features matters only for the queries that read it.
        for place in AreaSample.flatGeobuf.indices.suffix(600) {
            var bytes = AreaSample.flatGeobuf
            bytes[place] = 0xFF
            try folder.write(bytes, to: "areas.fgb")
            guard let file = try? FlatGeobuf(path: path), file.isIndexed(layer: nil),
                (try? file.read(FeatureQuery(), limits: FeatureLimits())) == nil
            else { continue }
            do {
                let found = try file.read(FeatureQuery(box: box), limits: FeatureLimits())
                readable += found.features == wanted.features ? 1 : 0
            } catch let error as FeatureFileError {
                // Bytes are counted from the start of the file, not from that of the part that is read.
                if case .byte(let offset) = error.place { #expect(offset > 100) }
            }
        }
        #expect(readable > 0)
    }

    @Test func `damaged or truncated files give features or an error`() throws {
        let whole = AreaSample.flatGeobuf
        let box = try #require(BoundingBox(minX: 0, minY: 0, maxX: 9, maxY: 9))
        func check(_ bytes: [UInt8]) {
            do {
                let file = try FlatGeobuf(bytes)
                _ = try file.read(FeatureQuery(), limits: FeatureLimits())
                _ = try file.read(FeatureQuery(box: box), limits: FeatureLimits())
            } catch let error as FeatureFileError { #expect(!error.description.isEmpty) } catch {
                Issue.record("\(error)")
            }
        }
        for length in 0..<whole.count { check(Array(whole[..<length])) }
        for place in whole.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[place] = value
                check(bytes)
            }
        }
    }

    @Test func `limits are enforced`() {
        for (limits, code) in [
            (FeatureLimits(maximumFeatureCount: 1), FeatureFileError.Code.limitExceeded),
            (FeatureLimits(maximumCoordinateCount: 3), .limitExceeded),
            (FeatureLimits(memory: MemoryBudget(byteLimit: 100)), .memory),
        ] {
            let error = #expect(throws: FeatureFileError.self) {
                try FlatGeobuf.Format().read(AreaSample.flatGeobuf, limits: limits)
            }
            #expect(error?.code == code)
        }
    }
}
