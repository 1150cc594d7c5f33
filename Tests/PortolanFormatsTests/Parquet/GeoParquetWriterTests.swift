import PortolanFeatures
import PortolanGeo
import TestHelpers
import Testing

@testable import PortolanFormats

@Suite struct GeoParquetWriterTests {
    @Test func `features of all kinds survive writing and reading`() throws {
        var random = SeededGenerator(seed: 39)
        var features: [Feature] = []
        for number in 0..<300 {
            var properties: Properties = ["n": .integer(number - 150), "x": .number(Double(number) / 7)]
            if number.isMultiple(of: 3) { properties["text"] = .string("Hä \(number)") }
            if !number.isMultiple(of: 4) { properties["yes"] = .bool(number.isMultiple(of: 5)) }
            properties["list"] = [.integer(number), "x", nil]
            properties["mixed"] = number.isMultiple(of: 2) ? 1 : "one"
            let geometry = Geometry.random(using: &random)
            features.append(
                Feature(id: .integer(number), geometry: geometry.isEmpty ? nil : geometry, properties: properties))
        }
        let written = FeatureCollection(features: features, crs: CRS.epsg(32635))
        let bytes = try #require(GeoParquet.Format().write(written))
        let read = try FeatureFormats.standard.read(bytes)
        #expect(read.warnings.isEmpty)
        #expect(read.crs == written.crs)
        try #require(read.features.count == features.count)
        for (one, other) in zip(read.features, features) {
            #expect(one.geometry == other.geometry)
            #expect(one.properties["id"] == other.id?.propertyValue)
            for property in other.properties { #expect(one.properties[property.name] == property.value) }
            #expect(one.properties.count == other.properties.count + 1)
        }
        #expect(try GeoParquet.Writer.write(written) == bytes)
    }

    @Test func `names of properties do not collide with the columns of geometries`() throws {
        let feature = Feature(
            geometry: .point(Coordinate(x: 1, y: 2)), properties: ["geometry": "round", "bbox": 4, "geometry_": true])
        let read = try FeatureFormats.standard.read(GeoParquet.Writer.write(FeatureCollection(features: [feature])))
        #expect(read.features == [feature])
        #expect(read.warnings.isEmpty)
    }

    @Test func `an empty collection has no row groups`() throws {
        let read = try FeatureFormats.standard.read(GeoParquet.Writer.write(FeatureCollection(features: [])))
        #expect(read.features.isEmpty && read.warnings.isEmpty)
    }

    @Test func `a box of a large file costs what the box holds`() throws {
        let features = (0..<200_000).map { number in
            Feature(
                geometry: .point(Coordinate(x: Double(number) / 1000, y: Double(number % 70))),
                properties: ["n": .integer(number)])
        }
        var bytes = try GeoParquet.Writer.write(FeatureCollection(features: features))
        let file = try GeoParquet(bytes)
        #expect(file.footer.rowGroups.map(\.rowCount) == [65_536, 65_536, 65_536, 3392])
        for group in file.footer.rowGroups.dropFirst() {
            for range in group.chunks.compactMap(\.range) { for place in range { bytes[place] = 0 } }
        }
        let box = try #require(BoundingBox(minX: 10, minY: 0, maxX: 10.0995, maxY: 90))
        let found = try GeoParquet(bytes).read(FeatureQuery(box: box), limits: FeatureLimits())
        #expect(found.features.map { $0.properties["n"] } == (10_000..<10_100).map { .integer($0) })
    }

    @Test(arguments: [
        "EPSG:32601", "EPSG:32760", "EPSG:25832", "EPSG:26910", "EPSG:3857", "EPSG:3035", "EPSG:2154", "EPSG:27700",
        "EPSG:3067", "EPSG:3006", "EPSG:4258", "EPSG:4269", "EPSG:4277",
    ])
    func `a described CRS is read again`(name: String) throws {
        let crs = try CRS(name)
        let collection = FeatureCollection(features: [Feature(geometry: .point(Coordinate(x: 1, y: 2)))], crs: crs)
        #expect(try FeatureFormats.standard.read(GeoParquet.Writer.write(collection)).crs == crs)
    }

    @Test(arguments: ["EPSG:28992", "robinson"]) func `a CRS without a description is an error`(name: String) throws {
        let collection = FeatureCollection(features: [], crs: try CRS(name))
        let error = #expect(throws: FeatureFileError.self) { try GeoParquet.Writer.write(collection) }
        #expect(error?.code == .unsupported)
    }
}
