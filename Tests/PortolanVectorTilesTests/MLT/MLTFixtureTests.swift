import Testing

@testable import PortolanVectorTiles

@Suite struct MLTFixtureTests {
    @Test func `all fixtures are present`() {
        #expect(TileFixture.mlt.count == 528)
        #expect(TileFixture.twins.count == 8)
    }

    @Test(arguments: TileFixture.mlt) func `a decoded tile equals its description`(fixture: TileFixture.MLT) throws {
        let tile = try VectorTile([UInt8](fixture.bytes), encoding: .mlt)
        #expect(tile.faults.isEmpty)
        var features = fixture.features[...]
        for layer in tile.layers {
            for feature in 0..<layer.featureCount {
                let next = features.popFirst()
                let expected = try #require(next).object
                let properties = expected["properties"]?.object ?? [:]
                #expect(.string(layer.name) == properties["_layer"])
                #expect(.int(Int64(layer.extent)) == properties["_extent"])
                let id = layer.ids[feature].map { Int64(exactly: $0).map(JSONValue.int) ?? .uint($0) }
                #expect(id == expected["id"])
                let (type, coordinates) = layer.geoJSON(of: feature)
                let geometry = expected["geometry"]?.object ?? [:]
                // A single geometry can be written as a multiple one.
                if geometry["type"] == .string("Multi" + type) {
                    #expect(.array([coordinates]) == geometry["coordinates"])
                } else {
                    #expect(.string(type) == geometry["type"])
                    #expect(coordinates == geometry["coordinates"])
                }
                let attributes = layer.attributes(of: feature)
                #expect(attributes.count == properties.count - 2)
                for (key, value) in attributes { #expect(properties[key].map(value.equals) == true, "\(key)") }
            }
        }
        #expect(features.isEmpty)
    }

    @Test(arguments: TileFixture.twins) func `a tile and its twin in MVT have equal features`(
        twins: TileFixture.Twins
    ) throws {
        let mlt = try VectorTile([UInt8](twins.mlt), encoding: .mlt), mvt = try VectorTile([UInt8](twins.mvt))
        #expect(mlt.layers.map(\.name).sorted() == mvt.layers.map(\.name).sorted())
        for layer in mlt.layers {
            let other = try #require(mvt[layer.name])
            #expect(layer.extent == other.extent)
            #expect(layer.comparable == other.comparable)
        }
    }

    @Test(arguments: TileFixture.fastPFOR) func `FastPFOR is decoded`(vector: TileFixture.FastPFOR) {
        #expect(MLTFastPFOR.decode(vector.encoded, count: vector.decoded.count) == vector.decoded)
    }
}

extension VectorTileLayer {
    /// The features as texts in order of the texts, since encoders of MapLibre Tiles may sort features.
    var comparable: [String] {
        (0..<featureCount).map { feature in
            let attributes = attributes(of: feature).mapValues(\.comparable).sorted { $0.key < $1.key }
            // The encoder of the fixtures keeps 32 bits of identifiers that are negative numbers.
            let id = ids[feature].map { $0 > Int64.max ? $0 & 0xFFFF_FFFF : $0 }
            return "\(id ?? 0) \(geometry.commands(of: feature)) \(attributes)"
        }.sorted()
    }
}

extension VectorTileValue {
    /// The value without the kind of number, which encoders may change.
    fileprivate var comparable: String {
        switch self {
        case .int(let value): "\(value)"
        case .uint(let value): "\(value)"
        case .float(let value): "\(Double(value))"
        case .double(let value): "\(value)"
        default: "\(self)"
        }
    }
}
