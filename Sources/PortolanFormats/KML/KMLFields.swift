import PortolanFeatures

/// The properties of features without KML elements: their names and types in a whole collection.
struct KMLFields {
    private static let schema = "properties"
    private var types: [String: KMLSchemaType] = [:]
    private var names: [String] = []

    /// Determines the types: that of all values of a property, or text for mixed types and those that a `Schema` lacks.
    ///
    /// - Parameter isTaken: returns whether a property is written elsewhere.
    init(_ features: [Feature], isTaken: (Properties.Element) -> Bool) {
        for feature in features {
            for property in feature.properties where property.value != .null && !isTaken(property) {
                let type: KMLSchemaType =
                    switch property.value {
                    case .bool: .bool
                    case .integer: .int
                    case .number(let number): number.isFinite ? .double : .string
                    case .null, .string, .array, .object: .string
                    }
                if let known = types[property.name] {
                    if known != type { types[property.name] = .string }
                } else {
                    types[property.name] = type
                    names.append(property.name)
                }
            }
        }
    }

    /// Writes the `Schema`, if there are properties.
    func write(to output: inout XMLOutput) {
        guard !names.isEmpty else { return }
        output.add("<Schema id=\"\(Self.schema)\"")
        output.attribute("name", Self.schema)
        output.add(">")
        for name in names {
            output.add("<SimpleField type=\"\(types[name]?.rawValue ?? "string")\"")
            output.attribute("name", name)
            output.add("/>")
        }
        output.add("</Schema>\n")
    }

    /// Writes the properties of a feature that are not written elsewhere, without null values.
    func write(_ properties: Properties, isTaken: (Properties.Element) -> Bool, to output: inout XMLOutput) {
        let own = properties.filter { $0.value != .null && !isTaken($0) }
        guard !own.isEmpty else { return }
        output.add("<ExtendedData><SchemaData schemaUrl=\"#\(Self.schema)\">")
        for property in own {
            output.add("<SimpleData")
            output.attribute("name", property.name)
            output.add(">")
            let text = property.value.displayText ?? String(decoding: GeoJSONWriter.json(property.value), as: UTF8.self)
            output.escaped(text)
            output.add("</SimpleData>")
        }
        output.add("</SchemaData></ExtendedData>")
    }
}
