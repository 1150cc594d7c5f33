import PortolanFeatures
import PortolanGeo
import Testing

@testable import PortolanStyles

@Suite struct LabelLanguageTests {
    @Test(arguments: [
        ("es", "es"), ("ES", "es"), ("zh-hant", "zh-Hant"), ("ZH_hant_tw", "zh-Hant-TW"), ("pt-br", "pt-BR"),
        ("be-tarask", "be-tarask"), ("mul", "mul"), ("ja_kana", "ja-Kana"),
    ])
    func `a tag is read in any case`(_ text: String, _ tag: String) { #expect(LabelLanguage(text)?.tag == tag) }

    @Test(arguments: [
        "", "e", "spanish", "e5", "es-", "-es", "es--MX", "es MX", "es-waytoolong", "ñ", "a-b", "es-a-b-c-d-e",
    ])
    func `other texts are not language tags`(_ text: String) { #expect(LabelLanguage(text) == nil) }

    @Test(arguments: [
        (
            "zh-Hant-TW",
            [
                "name:zh-Hant-TW", "name_zh-Hant-TW", "NAME_ZH-HANT-TW", "name:zh-Hant", "name_zh-Hant", "NAME_ZH-HANT",
                "name:zh", "name_zh", "NAME_ZH",
            ]
        ), ("es", ["name:es", "name_es", "NAME_ES"]), ("mul", ["name", "NAME"]),
    ])
    func `the most exact name is the best`(_ tag: String, _ names: [String]) {
        #expect(LabelLanguage(tag)?.propertyNames == names)
    }

    // MARK: - Texts

    /// A country with a name in Spanish, one without, and one without names at all.
    private static let greece: Properties = [
        "name": "Ελλάδα", "name:latin": "Elláda", "name:nonlatin": "Ελλάδα", "name_en": "Greece", "name:en": "Greece",
        "name:es": "Grecia", "ele": 5, "ref": "GR", "script": "Greek", "name2": "Hellas",
    ]
    private static let chios: Properties = [
        "name": "Χίος", "name:latin": "Chíos", "name:nonlatin": "Χίος", "name_en": "Chios", "name:en": "Chios",
        "name:es": "",
        "ele": 7, "ref": "82", "script": "Greek",
    ]

    /// The text of a style's `text-field` in a language.
    private static func text(_ field: String, _ language: String?, _ properties: Properties) throws -> String {
        let document = #"{"layers": [{"id": "l", "type": "symbol", "layout": {"text-field": \#(field)}}]}"#
        let sheet = try StyleSheet(
            bytes: Array(document.utf8), options: StyleSheet.Options(language: language.flatMap { LabelLanguage($0) }))
        #expect(sheet.warnings.isEmpty)
        let feature = Feature(geometry: .point(.init(x: 1, y: 2)), properties: properties)
        var looks = FeatureStyler(
            try #require(sheet.layers.first), zoom: 10, globalState: [:],
            pictures: StylePictures(sprites: [], pixelRatio: 1))
        return looks.look(of: feature)?.style.label?.template ?? ""
    }

    private static let openMapTiles =
        #"["case", ["has", "name:nonlatin"], ["concat", ["get", "name:latin"], "\n", ["get", "name:nonlatin"]], ["coalesce", ["get", "name_en"], ["get", "name"]]]"#
    private static let versaTiles =
        #"["case", ["to-boolean", ["get", "name_en"]], ["get", "name_en"], ["get", "name"]]"#
    private static let protomaps =
        #"["case", ["has", "script"], ["format", ["coalesce", ["get", "name:en"], ["get", "name:en"]], {}, "\n", {}, ["coalesce", ["get", "pgf:name"], ["get", "name"]], {"text-font": ["case", ["==", ["get", "script"], "Greek"], ["literal", ["Noto Sans"]], ["literal", ["Noto Serif"]]]}], ["format", ["coalesce", ["get", "name:en"], ["get", "pgf:name"], ["get", "name"]], {}]]"#

    @Test(arguments: [
        // The text as the style states it, in Spanish, and in Spanish without a Spanish name.
        (#""{name:latin}\n{name:nonlatin}""#, "Elláda\nΕλλάδα", "Grecia\n", "Chíos\nΧίος"),
        (#""{name:latin} {name:nonlatin} {ele} m""#, "Elláda Ελλάδα 5 m", "Grecia  5 m", "Chíos Χίος 7 m"),
        (#"{"stops": [[0, "{name}"], [6, "{name_en}"]]}"#, "Greece", "Grecia", "Chios"),
        (#"["get", "name"]"#, "Ελλάδα", "Grecia", "Χίος"),
        (#"["coalesce", ["get", "name:en"], ["get", "name"]]"#, "Greece", "Grecia", "Χίος"),
        (#"["upcase", ["get", "name_int"]]"#, "", "GRECIA", ""),
        (openMapTiles, "Elláda\nΕλλάδα", "Grecia", "Chíos\nΧίος"), (versaTiles, "Greece", "Grecia", "Χίος"),
        (protomaps, "Greece\nΕλλάδα", "Grecia", "\nΧίος"),
        (
            #"["format", ["get", "name"], {}, "\n", {}, ["get", "name:en"], {"font-scale": 0.8}]"#, "Ελλάδα\nGreece",
            "Grecia\nGrecia", "Χίος\n"
        ),
        // Other texts, and lists that only look like reads of names.
        (#""{ref}""#, "GR", "GR", "82"), (#"["get", "ele"]"#, "5", "5", "7"),
        (#"["match", ["get", "ref"], ["has", "name"], "yes", ["get", "name_alt"], "maybe", "no"]"#, "no", "no", "no"),
        (#"["get", "name", ["literal", {"name": "fixed"}]]"#, "fixed", "fixed", "fixed"),
    ])
    func `a text reads names in the language, and otherwise what the style states or the local name`(
        _ field: String, _ stated: String, _ spanish: String, _ without: String
    ) throws {
        #expect(try Self.text(field, nil, Self.greece) == stated)
        #expect(try Self.text(field, "es", Self.greece) == spanish)
        #expect(try Self.text(field, "es-MX", Self.greece) == spanish)
        #expect(try Self.text(field, "es", Self.chios) == without)
    }

    @Test func `mul is the local name alone`() throws {
        #expect(try Self.text(#""{name:latin}\n{name:nonlatin}""#, "mul", Self.greece) == "Ελλάδα\n")
        #expect(try Self.text(Self.openMapTiles, "mul", Self.greece) == "Ελλάδα")
    }

    // MARK: - Styles

    private static func sheet(_ field: String, _ language: LabelLanguage?) throws -> StyleSheet {
        try StyleSheet(
            bytes: Array(
                #"{"layers": [{"id": "l", "type": "symbol", "filter": ["has", "name"], "layout": {"text-field": \#(field), "icon-image": ["get", "name"]}}]}"#
                    .utf8), options: StyleSheet.Options(language: language))
    }

    @Test func `names in the language are read from tiles, for texts alone`() throws {
        let spanish = try #require(LabelLanguage("es"))
        let layer = try #require(try Self.sheet(#""{name_en}""#, spanish).layers.first)
        #expect(layer.propertyNames == ["name", "name_en", "name:es", "name_es", "NAME_ES"])
        #expect(try Self.sheet(#""{name_en}""#, nil).layers.first?.propertyNames == ["name", "name_en"])
    }

    @Test func `styles in two languages differ`() throws {
        #expect(try Self.sheet(#""{name}""#, LabelLanguage("es")) != Self.sheet(#""{name}""#, LabelLanguage("de")))
        #expect(try Self.sheet(#""{name}""#, LabelLanguage("es")) == Self.sheet(#""{name}""#, LabelLanguage("ES")))
    }

    @Test(arguments: [(#""{name}""#, 1), (#""{ref}""#, 0)])
    func `a style knows whether its texts read names`(_ field: String, _ count: Int) throws {
        #expect(try Self.sheet(field, LabelLanguage("es")).localLayerCount == count)
        #expect(try Self.sheet(field, nil).localLayerCount == 0)
    }

    @Test func `the built-in styles speak the language`() throws {
        for style in BaseMapStyle.allCases {
            let sheet = try StyleSheet(
                style.document(tiles: ""), options: StyleSheet.Options(language: LabelLanguage("es")))
            #expect(sheet.localLayerCount > 3)
            #expect(sheet.warnings.isEmpty)
        }
    }
}
