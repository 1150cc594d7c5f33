import PortolanFeatures
import PortolanGeo
import PortolanZip
import Testing

@testable import PortolanFormats

/// Written features are read back unchanged.
@Suite struct WrittenFormatsTests {
    private static func feature(_ geometry: Geometry?, _ properties: Properties = [:]) -> Feature {
        Feature(geometry: geometry, properties: properties)
    }

    private static func ring(_ x: Double, _ y: Double, _ side: Double) -> [Coordinate] {
        // With the clock.
        [(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)].map { Coordinate(x: x + $0.0 * side, y: y + $0.1 * side) }
    }

    private static let properties: Properties = [
        "name": "Zürich 東京", "n": 7, "x": 0.1, "yes": true, "empty": .null, "long": -9_007_199_254_740_993,
        "tiny": 1e-7,
    ]
    private static let shapes: [[Geometry]] = [
        [.point(Coordinate(x: 1.5, y: 2.25)), .point(Coordinate(x: -3, y: 4))],
        [.point(Coordinate(x: 1.5, y: 2.25), altitude: 12.5), .point(Coordinate(x: -3, y: 4), altitude: 7)],
        [Geometry(kind: .multiPoint, coordinates: [Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)])],
        [.lineString([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4), Coordinate(x: 5, y: 4)])],
        [
            Geometry(
                kind: .multiLineString,
                coordinates: [1, 2, 3, 4].map { Coordinate(x: $0, y: $0 * $0) }, partEnds: [2, 4])
        ],
        [.polygon([ring(0, 0, 9), ring(1, 1, 2).reversed()])],
        [
            Geometry(
                kind: .multiPolygon, coordinates: ring(0, 0, 9) + ring(1, 1, 2).reversed() + ring(20, 0, 3),
                partEnds: [5, 10, 15], polygonEnds: [2, 3])
        ],
    ]

    private static func collection(_ shapes: [Geometry]) -> FeatureCollection {
        FeatureCollection(features: shapes.map { feature($0, properties) })
    }

    private func same(
        _ read: FeatureCollection, _ written: FeatureCollection, _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(read.features.count == written.features.count, sourceLocation: sourceLocation)
        for (one, other) in zip(read.features, written.features) {
            #expect(one.geometry == other.geometry, sourceLocation: sourceLocation)
            for property in other.properties where property.value != .null {
                #expect(
                    one.properties[property.name] == property.value, "\(property.name)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test(arguments: shapes) func `FlatGeobuf survives writing and reading`(shapes: [Geometry]) throws {
        let collection = Self.collection(shapes)
        let bytes = try #require(FlatGeobuf.Format().write(collection))
        let read = try FeatureFormats.standard.read(bytes)
        #expect(read.warnings.isEmpty)
        #expect(read.crs == nil)
        same(read, collection)
    }

    @Test func `FlatGeobuf keeps collections, lists, identifiers, mixed values and the CRS`() throws {
        let shape = Geometry.collection([.point(Coordinate(x: 1, y: 2)), Self.shapes[5][0], Self.shapes[4][0]])
        var collection = FeatureCollection(
            features: [
                Feature(id: .string("a"), geometry: shape, properties: ["list": [1, "x", nil], "mixed": 1, "sum": 1]),
                Feature(id: .string("b"), geometry: nil, properties: ["mixed": "text", "sum": 1.5]),
            ], crs: CRS.epsg(25832))
        let read = try FeatureFormats.standard.read(try #require(FlatGeobuf.Format().write(collection)))
        #expect(read.crs == collection.crs)
        #expect(read.features.map { $0.properties["id"] } == ["a", "b"])
        #expect(read.features[1].properties["sum"] == 1.5 && read.features[0].properties["sum"] == 1.0)
        collection.features[0].properties["sum"] = 1.0
        same(read, collection)
        #expect(
            try FeatureFormats.standard.read(try #require(FlatGeobuf.Format().write(FeatureCollection(features: []))))
                .features.isEmpty)
    }

    @Test(arguments: shapes) func `a zipped Shapefile survives writing and reading`(shapes: [Geometry]) throws {
        let collection = Self.collection(shapes), writer = try ShapefileWriter(collection, name: "areas")
        #expect(writer.files.map(\.name) == ["shp", "shx", "dbf", "prj", "cpg"].map { "areas.\($0)" })
        let archive = try #require(writer.archive)
        #expect(FeatureFormats.standard.format(recognizing: archive)?.name == "zipped Shapefile")
        let read = try FeatureFormats.standard.read(archive)
        #expect(read.warnings.isEmpty)
        #expect(writer.losses.isEmpty)
        same(read, collection)
    }

    @Test(arguments: ["EPSG:25830", "EPSG:3857", "EPSG:2263", "ESRI:54030", "robinson:lon=10"])
    func `Shapefile and FlatGeobuf keep the CRS and the coordinates`(name: String) throws {
        let crs = try CRS(name), place = Coordinate(x: 12.5, y: 48.25)
        let collection = FeatureCollection(features: [Self.feature(.point(place))], crs: crs)
        for format in [Shapefile.ZIPFormat(), FlatGeobuf.Format()] as [any FeatureFormat] {
            let read = try FeatureFormats.standard.read(try #require(format.write(collection)))
            #expect(read.crs == crs)
            #expect(read.features.map(\.geometry) == [.point(place)])
        }
        let files = try ShapefileWriter(collection, name: "x").files
        let text = files.first { $0.name == "x.prj" }.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(text == crs.esriWellKnownText)
    }

    @Test func `a Shapefile of an unknown projection keeps its definition`() throws {
        let text = #"PROJCS["Mars",GEOGCS["m",DATUM["D_m",SPHEROID["s",3396190.0,169.8]]],PROJECTION["Unheard_Of"]]"#
        let writer = try ShapefileWriter(Self.collection(Self.shapes[0]), name: "x")
        func bytes(_ suffix: String) -> [UInt8] { writer.files.first { $0.name == "x.\(suffix)" }?.bytes ?? [] }
        let file = Shapefile(
            name: "x", shapes: bytes("shp"), table: bytes("dbf"), projection: text, encoding: "UTF-8")
        let read = try file.read(FeatureQuery(), limits: FeatureLimits())
        let again = try ShapefileWriter(read, name: "y").files.first { $0.name == "y.prj" }
        #expect(again?.bytes == Array(text.utf8))
    }

    @Test func `a CRS without a definition for Shapefiles is refused with a remedy`() throws {
        let collection = FeatureCollection(features: [], crs: try CRS("ortho:lon=10,lat=45"))
        let error = #expect(throws: FeatureFileError.self) { try ShapefileWriter(collection, name: "x") }
        #expect(error?.code == .unsupported)
        #expect(Shapefile.ZIPFormat().write(collection) == nil)
    }

    @Test func `mixed geometry types become several Shapefiles, and losses are reported`() throws {
        let mixed = Geometry.collection([.point(Coordinate(x: 1, y: 2)), Self.shapes[3][0]])
        let long = String(repeating: "ä", count: 200)
        let collection = FeatureCollection(features: [
            Self.feature(mixed, ["a_rather_long_name": .string(long), "a_rather_long_other": 1]),
            Self.feature(Self.shapes[5][0]), Self.feature(nil, ["a_rather_long_name": "no shape"]),
        ])
        let writer = try ShapefileWriter(collection, name: "x")
        #expect(Set(writer.files.map { $0.name.prefix { $0 != "." } }) == ["x_points", "x_lines", "x_areas"])
        #expect(writer.losses.count == 4)
        let read = try FeatureFormats.standard.read(try #require(writer.archive))
        #expect(read.features.count == 4)
        let texts = read.features.compactMap { $0.properties["a_rather_l"]?.stringValue }
        #expect(texts.contains(String(repeating: "ä", count: 127)))
        #expect(texts.contains("no shape"))
        #expect(read.features.contains { $0.properties["a_rather_1"] == 1 })
    }

    @Test func `a CSV table survives writing and reading`() throws {
        for shapes in Self.shapes {
            let collection = Self.collection(shapes)
            let bytes = try #require(CSVFormat().write(collection))
            let read = try CSVFormat().read(bytes, limits: FeatureLimits())
            #expect(read.features.map(\.geometry) == collection.features.map(\.geometry) || shapes[0].kind == .point)
            #expect(read.features.map { $0.properties["name"] } == collection.features.map { $0.properties["name"] })
        }
    }

    @Test func `a written ZIP archive has correct checksums`() throws {
        var writer = ZipWriter()
        let areAdded = [writer.add("a/é.txt", Array("hello".utf8)), writer.add("empty", [])]
        #expect(areAdded == [true, true])
        let archive = try ZipArchive(writer.finished())
        #expect(archive.entries.map(\.name) == ["a/é.txt", "empty"])
        let entry = try #require(archive.entry(named: "a/é.txt"))
        #expect(try archive.content(of: entry) == Array("hello".utf8))
    }
}
