import PortolanVectorTiles
import Testing

@Suite struct MVTFixtureTests {
    /// Fixture 057 has the same error as 051, a count greater than its geometry, and vtzero rejects it as well.
    private static let invalidDespiteLabel: Set<String> = ["057"]
    static let valid = TileFixture.mvt.filter { $0.v2 && !invalidDespiteLabel.contains($0.name) }
    /// Fixture 061 has no version, which 024 has as a fatal error.
    static let fatal = TileFixture.mvt.filter { $0.error == "fatal" || invalidDespiteLabel.contains($0.name) }
    static let recoverable = TileFixture.mvt.filter { $0.error == "recoverable" }

    @Test func `all fixtures are present`() {
        #expect(Self.valid.count == 45)
        #expect(Self.fatal.count == 21)
        #expect(Self.recoverable.count == 7)
    }

    @Test(arguments: valid) func `a decoded valid tile equals its description`(fixture: TileFixture.MVT) throws {
        let tile = try VectorTile([UInt8](fixture.bytes))
        #expect(tile.faults.isEmpty)
        try #require(tile.layers.count == fixture.layers.count)
        for (layer, json) in zip(tile.layers, fixture.layers) {
            let expected = json.object
            #expect(.string(layer.name) == expected["name"])
            #expect(.int(Int64(layer.version)) == expected["version"])
            #expect(.int(Int64(layer.extent)) == expected["extent"] ?? .int(4096))
            let features = expected["features"]?.array ?? []
            try #require(layer.featureCount == features.count)
            let keys = expected["keys"]?.array.compactMap(\.string) ?? []
            let values = expected["values"]?.array ?? []
            for (feature, json) in features.enumerated() {
                let expected = json.object
                // An encoder of proto3 omits the identifier 0.
                let id = expected["id"].flatMap { $0.double }
                #expect(layer.ids[feature].map { Double($0) } == id || id == 0)
                let commands = expected["geometry"]?.array.compactMap(\.double).map { UInt32($0) } ?? []
                if layer.geometry.types[feature] != .unknown {
                    #expect(layer.geometry.commands(of: feature) == commands)
                }
                let tags = expected["tags"]?.array.compactMap(\.double).map { Int($0) } ?? []
                let attributes = layer.attributes(of: feature)
                #expect(attributes.count == tags.count / 2)
                for index in stride(from: 0, to: tags.count, by: 2) {
                    var (kind, value) = try #require(values[tags[index + 1]].object.first)
                    // The description of fixture 076 has a number where the tile has a text.
                    if kind == "string_value", case .int(let number) = value { value = .string("\(number)") }
                    #expect(attributes[keys[tags[index]]]?.equals(value) == true)
                }
            }
        }
    }

    @Test(arguments: fatal) func `an invalid tile is refused with a position`(fixture: TileFixture.MVT) throws {
        let error = #expect(throws: VectorTileError.self) { try VectorTile([UInt8](fixture.bytes)) }
        #expect(error?.code == .malformed)
        #expect(error.map { (0..<fixture.bytes.count).contains($0.offset) } == true)
    }

    @Test(arguments: recoverable) func `an invalid feature or layer is left out, and the rest is kept`(
        fixture: TileFixture.MVT
    ) throws {
        let tile = try VectorTile([UInt8](fixture.bytes))
        // A line with two equal vertices is drawn as it is, and a missing type is the type unknown, as in fixture 016.
        let isKept = ["003", "046"].contains(fixture.name)
        #expect(tile.layers.count == 1)
        #expect(tile.faultCount == (isKept ? 0 : 1))
        #expect(tile.faults.count == tile.faultCount)
        // Of two layers with one name, the first one is kept.
        #expect(tile.layers.first?.featureCount == (isKept || fixture.name == "015" ? 1 : 0))
    }

    @Test func `a line of version 1 can end with a ClosePath command`() throws {
        let fixture = try #require(TileFixture.mvt.first { $0.name == "061" })
        // The fixture with the version that it lacks.
        let bytes = [UInt8](fixture.bytes)
        let tile = [0x1A, bytes[1] + 2] + bytes.dropFirst(2) + [0x78]
        let layer = try #require(try VectorTile(tile + [1]).layers.first)
        #expect(layer.geometry.coordinates == [2, 2, 2, 10, 10, 10, 2, 2])
        #expect(throws: VectorTileError.self) { try VectorTile(tile + [2]) }
    }

    @Test func `coordinates wrap around at 32 bits`() throws {
        let fixture = try #require(TileFixture.mvt.first { $0.name == "049" })
        let layer = try #require(try VectorTile([UInt8](fixture.bytes)).layers.first)
        #expect(layer.geometry.coordinates == [.max, 0, .min, 1])
    }
}
