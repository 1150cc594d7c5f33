import PortolanFeatures

/// Converts stop functions, which preceded expressions, to expressions (MapLibre Style Specification, Deprecations,
/// Functions).
struct LegacyFunction {
    private let parameters: Properties
    private let specification: PropertySpecification

    /// Reads the function object.
    init(_ parameters: Properties, for specification: PropertySpecification) {
        self.parameters = parameters
        self.specification = specification
    }

    /// Whether the function depends on the zoom and a property.
    private static func isComposite(_ stop: PropertyValue) -> Bool { stop.arrayValue?.first?.objectValue != nil }

    private struct Stop {
        let input: PropertyValue
        let output: PropertyValue
    }

    private var fallback: PropertyValue? { parameters["default"].map(Self.literal) }
    private var get: PropertyValue { ["get", parameters["property"] ?? .null] }

    /// Marks lists and objects as literals.
    private static func literal(_ value: PropertyValue) -> PropertyValue {
        switch value {
        case .array, .object, .null: ["literal", value]
        default: value
        }
    }

    /// Converts the function.
    func expression() throws(StyleExpressionError) -> PropertyValue {
        guard let list = parameters["stops"] else { return try identity() }
        guard let stops = list.arrayValue, let first = stops.first else {
            throw fault(.malformed(wanted: "a list of one or more stops"))
        }
        let isComposite = Self.isComposite(first)
        let isOfZoom = !isComposite && parameters["property"] == nil
        var read: [Stop] = []
        for stop in stops {
            guard let pair = stop.arrayValue, pair.count == 2 else {
                throw fault(.malformed(wanted: "an input and an output for each stop"))
            }
            let output: PropertyValue
            if isOfZoom, specification.hasTokens, let text = pair[1].stringValue {
                output = TokenText.expression(text)
            } else {
                output = Self.literal(pair[1])
            }
            read.append(Stop(input: pair[0], output: output))
        }
        if isComposite { return try composite(read) }
        return isOfZoom ? try curve(read, of: ["zoom"]) : try ofProperty(read)
    }

    private func fault(_ reason: StyleExpressionError.Problem.Reason, _ path: [Int] = []) -> StyleExpressionError {
        StyleExpressionError(errors: [StyleExpressionError.Problem(path: path, reason: reason)])
    }

    private func identity() throws(StyleExpressionError) -> PropertyValue {
        guard let fallback else {
            return specification.kind == .string ? ["string", get] : get
        }
        switch specification.kind {
        case .word(let words): return .array(["match", get, .array(words.map(PropertyValue.string)), get, fallback])
        case .array(let item, let count):
            return .array([
                "array", .string(item.assertion), count.map(PropertyValue.integer) ?? .null, get, fallback,
            ])
        default: return .array([.string(specification.kind.assertion), get, fallback])
        }
    }

    /// The function type: the stated one, or the default for the property.
    private var type: String {
        parameters["type"]?.stringValue ?? (specification.isInterpolated ? "exponential" : "interval")
    }

    private var interpolation: PropertyValue {
        switch parameters["colorSpace"]?.stringValue {
        case "hcl": "interpolate-hcl"
        case "lab": "interpolate-lab"
        default: "interpolate"
        }
    }

    private var curveWords: PropertyValue {
        guard let base = parameters["base"], base.doubleValue != 1 else { return ["linear"] }
        return ["exponential", base]
    }

    /// A curve of stops over an input.
    private func curve(_ stops: [Stop], of input: PropertyValue) throws(StyleExpressionError) -> PropertyValue {
        switch type {
        case "exponential": return pairs([interpolation, curveWords, input], stops, isStep: false)
        case "interval": return pairs(["step", input], stops, isStep: true)
        default: throw fault(.malformed(wanted: "exponential or interval as the function type"))
        }
    }

    /// An operator with its stops.
    ///
    /// If an input is repeated, the first one is used.
    private func pairs(_ head: [PropertyValue], _ stops: [Stop], isStep: Bool) -> PropertyValue {
        var expression = head, last: PropertyValue?
        for stop in stops where stop.input != last || last == nil {
            // The first output of a step has no input.
            if !(isStep && expression.count == 2) {
                expression.append(stop.input)
                last = stop.input
            }
            expression.append(stop.output)
        }
        // A step needs at least two outputs.
        if isStep, expression.count == 3 { expression += [0, expression[2]] }
        return .array(expression)
    }

    private func ofProperty(_ stops: [Stop]) throws(StyleExpressionError) -> PropertyValue {
        switch type {
        case "categorical":
            let missing: PropertyValue? = specification.kind == .resolvedImage ? .string("") : nil
            guard let otherwise = fallback ?? specification.defaultValue.map(Self.literal) ?? missing else {
                throw fault(.malformed(wanted: "a default"), [2 * stops.count + 2])
            }
            if stops.first?.input.boolValue != nil {
                let branches = stops.flatMap { stop -> [PropertyValue] in [["==", get, stop.input], stop.output] }
                return .array(["case"] + branches + [otherwise])
            }
            guard case .array(let expression) = pairs(["match", get], stops, isStep: false) else { return .null }
            return .array(expression + [otherwise])
        case "interval", "exponential":
            let curve = try curve(stops, of: ["number", get])
            guard let fallback else { return curve }
            return ["case", ["==", ["typeof", get], "number"], curve, fallback]
        default:
            throw fault(.malformed(wanted: "categorical, exponential, interval or identity as the function type"))
        }
    }

    /// A curve over zoom whose outputs are functions of a property.
    private func composite(_ stops: [Stop]) throws(StyleExpressionError) -> PropertyValue {
        var zooms: [PropertyValue] = [], grouped: [PropertyValue: [Stop]] = [:]
        for stop in stops {
            guard let input = stop.input.objectValue, let zoom = input["zoom"], let value = input["value"] else {
                throw fault(.malformed(wanted: "zoom and value as the input of each stop"))
            }
            if grouped[zoom] == nil { zooms.append(zoom) }
            grouped[zoom, default: []].append(Stop(input: value, output: stop.output))
        }
        var outer: [Stop] = []
        for zoom in zooms {
            outer.append(Stop(input: zoom, output: try ofProperty(grouped[zoom] ?? [])))
        }
        return specification.isInterpolated
            ? pairs([interpolation, ["linear"], ["zoom"]], outer, isStep: false)
            : pairs(["step", ["zoom"]], outer, isStep: true)
    }
}

/// Texts in which `{name}` is replaced by a feature property.
enum TokenText {
    /// Converts the text to an expression, or returns the text itself if it has no token.
    static func expression(_ text: String) -> PropertyValue {
        var parts: [PropertyValue] = []
        var rest = text[...], plain = ""
        while let open = rest.firstIndex(of: "{") {
            plain += rest[..<open]
            let inside = rest[rest.index(after: open)...]
            guard let end = inside.firstIndex(where: { $0 == "}" || $0 == "{" }), inside[end] == "}",
                end > inside.startIndex
            else {
                plain += "{"
                rest = inside
                continue
            }
            if !plain.isEmpty { parts.append(.string(plain)) }
            plain = ""
            parts.append(["get", .string(String(inside[..<end]))])
            rest = inside[inside.index(after: end)...]
        }
        guard !parts.isEmpty else { return .string(text) }
        plain += rest
        if !plain.isEmpty { parts.append(.string(plain)) }
        return .array((parts.count == 1 ? ["to-string"] : ["concat"]) + parts)
    }
}
