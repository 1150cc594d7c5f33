import PortolanFeatures
import PortolanFormats
import PortolanGeo
import PortolanWeb
import Testing

@Suite struct CSVFormatTests {
    private func read(_ text: String) throws -> FeatureCollection {
        try FeatureFormats.standard.read(Array(text.utf8))
    }

    @Test(arguments: [
        "name,lon,lat\nA,24.9,60.1\n", "\u{FEFF}Name;X;Y\r\nA;24,9;60,1\r\n",
        "name\tlongitude\tlatitude\nA\t24.9\t60.1",
        "name|LNG|Lat\nA|24.9|60.1", "name,wkt\nA,POINT(24.9 60.1)\n",
        "name,geom\nA,01010000006666666666E63840CDCCCCCCCC0C4E40\n",
        "\"name\",\"lon\",\"lat\"\n\"A\",\"24.9\",\"60.1\"\n",
    ])
    func `coordinates are found under many column names`(_ text: String) throws {
        let collection = try read(text)
        #expect(collection.features.map { $0.geometry?.coordinates } == [[Coordinate(x: 24.9, y: 60.1)]])
        #expect(collection.features[0].properties.map(\.value) == ["A"])
        #expect(collection.warnings.isEmpty)
    }

    @Test func `quoted values may contain separators, quotes and line ends, and numbers are parsed`() throws {
        let collection = try read("a,lon,lat,b,c,b\n\"x, \"\"y\"\"\nz\",1,2,7,007,\n,3,4,8,1,1.5\n\n")
        #expect(collection.features.count == 2)
        #expect(
            collection.features[0].properties == ["a": "x, \"y\"\nz", "b": 7, "c": "007", "b_6": ""])
        #expect(collection.features[1].properties["b_6"] == 1.5)
    }

    @Test func `a row may have any number of values, and a carriage return alone ends a line`() throws {
        let names = (0..<1000).map { "c\($0)" }.joined(separator: ","), values = Array(repeating: "x", count: 1000)
        let collection = try read("lon,lat,\(names)\r1,2,\(values.joined(separator: ","))\r")
        #expect(collection.features.map(\.properties.count) == [1000])
        #expect(collection.features.first?.properties["c999"] == "x")
    }

    @Test func `rows without coordinates are kept with a warning`() throws {
        let collection = try read("lon,lat\n1,2\nx,y\n3\n")
        #expect(collection.features.map { $0.geometry == nil } == [false, true, true])
        #expect(
            collection.warnings.map(\.message) == [
                "line 3 has no valid coordinates in 'lon' ('x') and 'lat' ('y')",
                "line 4 has no valid coordinates in 'lon' ('3') and 'lat' ('')",
            ])
    }

    @Test(arguments: ["id,name\n1,2\n", "hello", "{\"lon,lat\":1}", "", "lon\n1\n"])
    func `a table without coordinates is rejected`(_ text: String) {
        #expect(!CSVFormat().recognizes(Array(text.utf8)[...]))
        #expect(throws: FeatureFileError.self) { try CSVFormat().read(Array(text.utf8), limits: FeatureLimits()) }
    }

    @Test func `limits are enforced`() {
        let error = #expect(throws: FeatureFileError.self) {
            try CSVFormat().read(Array("lon,lat\n1,2\n3,4\n".utf8), limits: FeatureLimits(maximumFeatureCount: 1))
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.place == .line(3))
    }

    @Test func `points are written in columns and read back`() throws {
        let features = [
            Feature(
                id: "a", geometry: .point(Coordinate(x: 24.9, y: 60.125), altitude: 12),
                properties: ["name": "x, \"y\"\nz; |", "n": 7, "lon": "east", "list": [1, "b"]]),
            Feature(
                geometry: .point(Coordinate(x: -1e-7, y: 0)),
                properties: ["name": " edge ", "yes": true, "none": .null]),
        ]
        let text = String(
            decoding: try #require(CSVFormat().write(FeatureCollection(features: features))), as: UTF8.self)
        #expect(text.hasPrefix("longitude,latitude,altitude,id,name,n,lon,list,yes,none\n24.9,60.125,12,a,"))
        let again = try read(text).features
        #expect(again.map { $0.geometry?.coordinates } == features.map { $0.geometry?.coordinates })
        #expect(again[0].properties["name"] == "x, \"y\"\nz; |")
        #expect(again[0].properties["lon"] == "east")
        #expect(again[0].properties["list"] == #"[1,"b"]"# && again[1].properties["name"] == " edge ")
        #expect(again[0].properties["altitude"]?.displayText == "12")
        #expect(again[0].identifier == "a")
    }

    @Test(arguments: [
        Geometry.lineString([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4.5)]),
        .polygon([[Coordinate(x: 0, y: 0), Coordinate(x: 1, y: 0), Coordinate(x: 1, y: 1), Coordinate(x: 0, y: 0)]]),
        .collection([.point(Coordinate(x: 1, y: 2)), .lineString([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)])]),
    ])
    func `other geometries are written as well-known text`(shape: Geometry) throws {
        let point = Feature(geometry: .point(Coordinate(x: 5, y: 6)), properties: ["name": "p"])
        let features = [Feature(geometry: shape, properties: ["name": "s"]), point, Feature(geometry: nil)]
        let text = String(
            decoding: try #require(CSVFormat().write(FeatureCollection(features: features))), as: UTF8.self)
        #expect(text.hasPrefix("wkt,name\n"))
        let again = try read(text)
        #expect(again.features.map(\.geometry) == features.map(\.geometry))
        #expect(again.warnings.count == 1)
    }

    @Test func `a feature without geometry and properties is written as a row`() throws {
        let line = Geometry.lineString([Coordinate(x: 1, y: 2), Coordinate(x: 3, y: 4)])
        let shapes = [nil, line, nil].map { Feature(geometry: $0) }
        let bytes = try #require(CSVFormat().write(FeatureCollection(features: shapes)))
        let again = try CSVFormat().read(bytes, limits: FeatureLimits())
        #expect(again.features.map(\.geometry) == [nil, line, nil])
    }
}
