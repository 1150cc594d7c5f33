import PortolanFeatures
import PortolanFormats
import PortolanGeo
import Testing

@Suite struct CSVColumnsTests {
    private func places(_ text: String, _ format: CSVFormat = CSVFormat()) throws -> [Coordinate?] {
        try places(Array(text.utf8), format)
    }

    private func places(_ bytes: [UInt8], _ format: CSVFormat = CSVFormat()) throws -> [Coordinate?] {
        #expect(format.recognizes(bytes[...]))
        return try format.read(bytes, limits: FeatureLimits()).features.map { $0.geometry?.coordinates.first }
    }

    @Test(arguments: [
        "name,lat,lon\nA,50.5,7.25\n", "name,LATITUDE,LONGITUDE\nA,50.5,7.25\n",
        "stop_id,stop_lat,stop_lon\nA,50.5,7.25\n",
        "Name,Latitude (WGS84),Longitude (WGS84)\nA,50.5,7.25\n",
        "a,start_lat,start_lng,end_lat,end_lng\nA,50.5,7.25,1,2\n",
        "lat deg,lon deg\n50.5,7.25\n", "sep=;\nname;lat;lon\nA;50,5;7,25\n", "name,lat,lng\nA,\"50,5\",\"7,25\"\n",
        "name,y,x\nA,50.5,7.25\n", "northing,easting\n50.5,7.25\n", "Breitengrad;Längengrad\n50,5;7,25\n",
        "name\tlat\tlon\nA\t50.5\t7.25\n", "name,location\nA,\"50.5, 7.25\"\n", "name,location\nA,\"(50.5, 7.25)\"\n",
        "geo_point_2d,n\n\"50.5,7.25\",1\n", "lonlat,n\n\"7.25 50.5\",1\n", "id,wkt\n1,POINT(7.25 50.5)\n",
        "id,location\n1,POINT (7.25 50.5)\n",
        "id,geometry\n1,\"{\"\"type\"\":\"\"Point\"\",\"\"coordinates\"\":[7.25,50.5]}\"\n",
        "lat,lon\n\"50°30'0\"\"N\",\"7°15'E\"\n", "lat,lon\nN 50 30,E 7 15\n", "lat,lon\n50.5N,7.25E\n",
        "lat,lon\n50° 30.0',7d15m\n",
    ])
    func `coordinate columns and notations are recognised`(text: String) throws {
        #expect(try places(text) == [Coordinate(x: 7.25, y: 50.5)])
    }

    @Test(arguments: [
        "name,city,value\nA,Madrid,3\n", "name,location\nA,Madrid\n", "a,shape\n1,round\n", "x,name\n1,2\n",
        "lat,name\n1,2\n",
    ])
    func `tables without coordinates are not recognised`(text: String) {
        #expect(!CSVFormat().recognizes(Array(text.utf8)[...]))
    }

    @Test func `south and west are negative, and invalid angles are left out`() throws {
        let places = try places("lat,lon\n33°52'S,151°12'E\n-33 52 0,W 70 30\n50°70',1\n,\n")
        #expect(
            places == [
                Coordinate(x: 151.2, y: -(33 + 52 / 60.0)), Coordinate(x: -70.5, y: -(33 + 52 / 60.0)), nil, nil,
            ])
    }

    @Test func `columns with other names can be given`() throws {
        let text = "a;rechts;hoch\nA;7,25;50,5\n"
        #expect(!CSVFormat().recognizes(Array(text.utf8)[...]))
        let named = CSVFormat(columns: CSVFormat.Columns(x: "Rechts", y: "hoch"))
        #expect(try places(text, named) == [Coordinate(x: 7.25, y: 50.5)])
        let shapes = CSVFormat(columns: CSVFormat.Columns(geometry: "wo"))
        #expect(try places("wo,n\nPOINT(1 2),3\n", shapes) == [Coordinate(x: 1, y: 2)])
        #expect(!CSVFormat(columns: CSVFormat.Columns(x: "no", y: "hoch")).recognizes(Array(text.utf8)[...]))
    }

    @Test(arguments: [true, false]) func `UTF-16 is read by its byte order mark`(isLittle: Bool) throws {
        let units = Array("\u{FEFF}lat,lon,name\n50.5,7.25,Köln\n".utf16)
        let bytes = units.flatMap { isLittle ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)] }
        let collection = try FeatureFormats.standard.read(bytes)
        #expect(collection.features[0].properties["name"] == "Köln")
        #expect(collection.warnings.isEmpty)
        #expect(collection.features[0].geometry == .point(Coordinate(x: 7.25, y: 50.5)))
    }
}
