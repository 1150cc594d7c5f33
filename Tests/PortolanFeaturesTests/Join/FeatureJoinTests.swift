import PortolanFeatures
import PortolanGeo
import PortolanWeb
import Testing

@Suite struct FeatureJoinTests {
    private static func join(_ keys: [String], property: String? = "code", name: String = "t.csv") -> FeatureJoin {
        FeatureJoin(
            name, property: property, rows: keys.enumerated().map { ($1, ["row": .integer($0), "kind": "joined"]) })
    }

    private static func feature(_ key: PropertyValue?, id: Feature.ID? = nil) -> Feature {
        var properties: Properties = ["kind": "own", "x": 1]
        if let key { properties["code"] = key }
        return Feature(id: id, geometry: nil, properties: properties)
    }

    private static let keys: [([String], PropertyValue, Int?)] = [
        (["a", "b"], "b", 1), (["a", "b"], "B", nil), ([" a ", "b"], " a", 0),
        (["7", "8"], 8, 1), (["7", "8"], 8.0, 1), (["007", "008"], 8, 1), (["7", "8"], "008", 1),
        (["007", "7"], 7, 1), (["007", "7"], "007", 0), (["007", "0007"], 7, nil), (["7.5"], 7.5, 0),
        (["a", "a"], "a", 0),
        (["true"], true, 0), ([""], "", nil), (["1"], .null, nil), (["1"], ["1"], nil),
    ]

    @Test(arguments: keys)
    func `keys are texts, and whole numbers are also numbers`(_ keys: [String], _ key: PropertyValue, _ row: Int?) {
        #expect(Self.join(keys).values(for: Self.feature(key))?["row"]?.integerValue == row)
    }

    private static let identifiers: [(Feature.ID?, PropertyValue?, Int?)] = [
        (5, nil, 0), (.string("5"), nil, 0), (.integer(6), nil, nil),
        (nil, "5", 0), (nil, 5, 0), (.integer(6), "5", nil), (nil, nil, nil),
    ]

    @Test(arguments: identifiers)
    func `without a property the key is the identifier, or else the property id`(
        _ id: Feature.ID?, _ property: PropertyValue?, _ row: Int?
    ) {
        var feature = Self.feature(nil, id: id)
        if let property { feature.properties["id"] = property }
        #expect(Self.join(["5"], property: nil).values(for: feature)?["row"]?.integerValue == row)
    }

    @Test func `values of the row replace those of the feature`() {
        var collection = FeatureCollection(features: [Self.feature("b"), Self.feature("z")])
        collection.join(Self.join(["a", "b"]))
        #expect(collection.features[0].properties == ["kind": "joined", "x": 1, "code": "b", "row": 1])
        #expect(collection.features[1].properties == ["kind": "own", "x": 1, "code": "z"])
    }

    private static let counts: [([String], [PropertyValue?], MapWarning.Effect?, String)] = [
        (["a", "b"], ["a", "b"], nil, ""),
        (
            ["a", "b"], ["a", "z", nil], .note,
            "2 of 3 features have no row in 't.csv', such as 'z'; 1 of 2 rows have no feature"
        ),
        (["a"], ["a", nil], .note, "1 of 2 features have no row in 't.csv'"),
        (["a", "b"], ["a"], .note, "1 of 2 rows have no feature"),
        (
            ["a"], ["z"], .ignored,
            "no feature has a row in 't.csv': 'code' is 'z' in a feature, and the key is 'a' in the first row"
        ),
        (["a"], [nil], .ignored, "no feature has a row in 't.csv': features have no property 'code'"),
        (["a"], [], nil, ""),
    ]

    @Test(arguments: counts)
    func `features and rows without a partner are counted`(
        _ keys: [String], _ features: [PropertyValue?], _ effect: MapWarning.Effect?, _ message: String
    ) {
        var collection = FeatureCollection(features: features.map { Self.feature($0) })
        collection.join(Self.join(keys))
        #expect(collection.warnings.map(\.effect) == [effect].compactMap(\.self))
        #expect(collection.warnings.map(\.message) == [message].filter { !$0.isEmpty })
        #expect(collection.warnings.allSatisfy { !$0.isLoss && !$0.changesDocument })
    }

    @Test func `a property that is almost the key is suggested`() {
        var collection = FeatureCollection(features: [Feature(geometry: nil, properties: ["Code": 1, "name": "x"])])
        collection.join(Self.join(["1"]))
        #expect(collection.warnings.first?.message.hasSuffix("did you mean 'Code'?") == true)
    }

    @Test func `layers without any row are not counted beside one that has some`() {
        let join = Self.join(["a", "b"])
        func outcome(_ keys: [String]) -> JoinOutcome {
            var outcome = JoinOutcome(), features = keys.map { Self.feature(.string($0)) }
            features.join(join, &outcome)
            return outcome
        }
        for order in [[["x", "y"], ["a", "z"], ["w"]], [["a", "z"], ["x", "y"], ["w"]]] {
            var all = JoinOutcome()
            for keys in order { all.add(outcome(keys)) }
            #expect(
                all.warnings(join, isWhole: false).map(\.message) == [
                    "1 of 2 features have no row in 't.csv', such as 'z'"
                ])
        }
    }

    @Test func `equal tables are equal joins`() {
        #expect(Self.join(["a"]) == Self.join(["a"]))
        #expect(Self.join(["a"]) != Self.join(["b"]))
        #expect(Self.join(["a"]) != Self.join(["a"], property: nil))
        #expect(Self.join(["a"]).hashValue == Self.join(["a"]).hashValue)
    }
}
