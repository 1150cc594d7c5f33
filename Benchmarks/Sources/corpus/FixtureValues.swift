import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanStyles

extension PropertySpecification {
    /// Creates the property specification of a fixture; by default, any value that depends on feature and zoom.
    init(fixture: Properties) {
        let expression = fixture["expression"]?.objectValue
        let parameters = expression?["parameters"]?.arrayValue ?? ["zoom", "feature"]
        self.init(
            Self.kind(fixture), default: fixture["default"], dependsOnZoom: parameters.contains("zoom"),
            dependsOnFeatures: ["data-driven", "cross-faded-data-driven"].contains(
                fixture["property-type"]?.stringValue ?? "data-driven"),
            isInterpolated: expression?["interpolated"]?.boolValue ?? true,
            hasTokens: fixture["tokens"]?.boolValue ?? false)
    }

    private static func kind(_ fixture: Properties) -> Kind {
        switch fixture["type"]?.stringValue {
        case "number": .number
        case "string": .string
        case "boolean": .boolean
        case "color": .color
        case "enum": .word(fixture["values"]?.objectValue?.names ?? [])
        case "array": .array(kind(["type": fixture["value"] ?? .null]), count: fixture["length"]?.integerValue)
        case "formatted": .formatted
        case "resolvedImage": .resolvedImage
        case "padding": .padding
        case "numberArray": .numberArray
        case "colorArray": .colorArray
        case "variableAnchorOffsetCollection": .variableAnchorOffsetCollection
        case "projectionDefinition": .projectionDefinition
        default: .any
        }
    }
}

extension ExpressionContext {
    /// Creates the inputs of a fixture: globals, and a feature.
    ///
    /// - Parameter isOnGrid: whether coordinates are rounded to the grid of a vector tile, as in MapLibre's
    ///   measurements.
    init(fixture: PropertyValue, globalState: Properties, isOnGrid: Bool) {
        let globals = fixture.arrayValue?.first?.objectValue ?? [:]
        let feature = fixture.arrayValue?.dropFirst().first?.objectValue ?? [:]
        self.init(zoom: globals["zoom"]?.doubleValue ?? 0)
        properties = feature["properties"]?.objectValue ?? [:]
        state = feature["featureState"]?.objectValue ?? [:]
        id = feature["id"].flatMap { Feature.ID($0) }
        geometryType = feature["geometry"]?.objectValue?["type"]?.stringValue
        // Without a tile the fixture has no coordinates, only a geometry type.
        if let shape = feature["geometry"], let tile = globals["canonicalID"]?.objectValue {
            let read = try? GeoJSONReader.read(Self.feature(shape))
            geometry = read?.features.first?.geometry
            if isOnGrid { geometry = geometry.map { Self.onGrid($0, ofTile: tile) } }
        }
        availableImages = Set((globals["availableImages"]?.arrayValue ?? []).compactMap(\.stringValue))
        heatmapDensity = globals["heatmapDensity"]?.doubleValue ?? 0
        lineProgress = globals["lineProgress"]?.doubleValue ?? 0
        accumulated = globals["accumulated"].map(ExpressionValue.init) ?? .null
        self.globalState = globalState
    }
}

extension ExpressionContext {
    private static func feature(_ shape: PropertyValue) -> [UInt8] {
        Array(#"{"type":"Feature","properties":{},"geometry":\#(Line.json(shape))}"#.utf8)
    }

    /// Returns a geometry with coordinates rounded to a tile grid of 8192 units per side.
    private static func onGrid(_ geometry: Geometry, ofTile tile: Properties) -> Geometry {
        let cells = 8192 * exp2(tile["z"]?.doubleValue ?? 0)
        return geometry.mapCoordinates { place in
            let y = (1 - asinh(tan(place.y * .pi / 180)) / .pi) / 2
            let column = ((place.x + 180) / 360 * cells).rounded() / cells, row = (y * cells).rounded() / cells
            return Coordinate(x: column * 360 - 180, y: atan(sinh((1 - 2 * row) * .pi)) * 180 / .pi)
        }
    }
}

extension StyleColor {
    /// Red, green and blue times the opacity, and the opacity, as in fixtures.
    fileprivate var multiplied: [PropertyValue] {
        [.number(red * alpha), .number(green * alpha), .number(blue * alpha), .number(alpha)]
    }

    fileprivate var members: PropertyValue {
        let channels = multiplied
        return ["r": channels[0], "g": channels[1], "b": channels[2], "a": channels[3]]
    }
}

extension ExpressionValue {
    /// The value in the representation of fixtures.
    var fixtureValue: PropertyValue {
        func list(_ numbers: [Double]) -> PropertyValue { .array(numbers.map(PropertyValue.number)) }
        switch self {
        case .null: return .null
        case .boolean(let flag): return .bool(flag)
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .color(let color): return .array(color.multiplied)
        case .array(let items): return .array(items.map(\.fixtureValue))
        case .object(let members): return .object(members)
        case .collator: return [:]
        case .formatted(let text): return ["sections": .array(text.sections.map(\.fixtureValue))]
        case .image(let image): return ["name": .string(image.name), "available": .bool(image.isAvailable)]
        case .padding(let numbers), .numberArray(let numbers): return ["values": list(numbers)]
        case .colorArray(let colors): return ["values": .array(colors.map(\.members))]
        case .anchorOffsets(let offsets):
            return ["values": .array(offsets.flatMap { [.string($0.anchor), list([$0.x, $0.y])] })]
        case .projection(let from, let to, let transition):
            return ["from": .string(from), "to": .string(to), "transition": .number(transition)]
        }
    }
}

extension ExpressionValue.FormattedText.Section {
    fileprivate var fixtureValue: PropertyValue {
        [
            "text": .string(text),
            "image": image.map { ExpressionValue.image($0).fixtureValue } ?? .null,
            "scale": scale.map(PropertyValue.number) ?? .null,
            "fontStack": fontStack.map(PropertyValue.string) ?? .null,
            "textColor": color?.members ?? .null,
            "verticalAlign": verticalAlign.map(PropertyValue.string) ?? .null,
        ]
    }
}

extension PropertyValue {
    /// Returns whether a value is equal to six digits.
    func isNear(_ wanted: PropertyValue) -> Bool {
        if let a = doubleValue, let b = wanted.doubleValue {
            return a == b || a.sixDigits == b || abs(a - b) <= max(abs(b) * 1e-5, 1e-9)
        }
        if let a = arrayValue, let b = wanted.arrayValue {
            return a.count == b.count && zip(a, b).allSatisfy { $0.isNear($1) }
        }
        if let a = objectValue, let b = wanted.objectValue {
            return a.count == b.count && a.allSatisfy { member in b[member.name].map(member.value.isNear) ?? false }
        }
        return self == wanted
    }
}

extension Double {
    /// The number truncated after six digits twice, as in the fixtures, so that the last digit may be one lower.
    fileprivate var sixDigits: Double {
        guard self != 0, isFinite else { return self }
        let unit = pow(10, max(0, 6 - log10(magnitude).rounded(.up)))
        return ((self * unit).rounded(.down) / unit * unit).rounded(.down) / unit
    }
}
