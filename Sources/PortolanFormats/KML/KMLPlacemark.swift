import PortolanFeatures
import PortolanXML

/// A `Placemark` as a feature, before its style is resolved.
struct KMLPlacemark {
    /// The feature.
    private(set) var feature: Feature
    /// The reference to its style.
    private(set) var style: KMLStyles.Reference
    /// Whether it is visible, without regard to its folders.
    private(set) var isVisible = true
    /// Messages about omitted content.
    private(set) var faults: [String] = []

    /// Reads a placemark (OGC 12-007r2 clause 9.11).
    ///
    /// - Parameters:
    ///   - children: its child elements.
    ///   - fields: the types of custom elements, which a schema of KML 2.0 defines; `nil` for a `Placemark`.
    ///   - schemas: the types of the fields of each `Schema`, by identifier.
    init(
        id: String?, of children: some Sequence<XMLElement>, fields: [String: KMLSchemaType]?,
        schemas: [String: [String: KMLSchemaType]], depthLimit: Int
    ) {
        var geometries = KMLGeometryReader(depthLimit: depthLimit)
        var properties: [Properties.Element] = []
        func add(_ name: String, _ value: PropertyValue) { properties.append(.init(name: name, value: value)) }
        var styles: [XMLElement] = [], shapes: [XMLElement] = [], data: [XMLElement] = []
        var address: String?
        for child in children {
            switch child.name {
            case "name", "description", "address", "phoneNumber":
                let name = child.name
                // Descriptions often contain markup that is not escaped.
                let text = child.text.isEmpty ? child.allText : child.text
                if !text.isEmpty { add(name, .string(text)) }
            case "Snippet", "snippet": if !child.text.isEmpty { add("snippet", .string(child.text)) }
            case "visibility": isVisible = !["0", "false"].contains(child.text.lowercased())
            case "styleUrl": if !child.text.isEmpty { address = child.text }
            case let name where KMLStyles.names.contains(name): styles.append(child)
            case "ExtendedData": data.append(child)
            case "TimeStamp": if let time = child.text(of: "when") { add("time", .string(time)) }
            case "TimeSpan":
                for name in ["begin", "end"] { if let time = child.text(of: name) { add(name, .string(time)) } }
            case let name where KMLGeometryReader.names.contains(name): shapes.append(child)
            default:
                guard let fields, child.children.isEmpty else { continue }
                add(child.name, (fields[child.name] ?? .string).value(of: child.text))
            }
        }
        let geometry = geometries.geometry(of: shapes)
        for (name, text) in geometries.words { add(name, .string(text)) }
        var known = Properties(lastOf: properties)
        for child in data { KMLExtendedData.add(child, schemas: schemas, to: &known) }
        if let times = geometries.times { known["coordinateProperties"] = ["times": times] }
        var faults = geometries.faults
        style = KMLStyles.reference(to: styles, address: address, faults: &faults)
        self.faults = faults
        feature = Feature(
            id: id.flatMap { $0.isEmpty ? nil : .string($0) }, geometry: geometry,
            properties: known)
    }
}

/// The field types of a `Schema` (OGC 12-007r2 clause 9.9).
enum KMLSchemaType: String {
    case string, int, uint, short, ushort, float, double, bool

    /// Returns the value of a text, or the text itself if it is invalid for the type.
    func value(of text: String) -> PropertyValue {
        switch self {
        case .string: .string(text)
        case .int, .uint, .short, .ushort: Int(text).map { .integer($0) } ?? .string(text)
        case .float, .double: text.decimalValue.map { .number($0) } ?? .string(text)
        case .bool:
            switch text.lowercased() {
            case "1", "true": .bool(true)
            case "0", "false": .bool(false)
            default: .string(text)
            }
        }
    }
}

/// The extended data of a placemark (OGC 12-007r2 clause 9.8).
enum KMLExtendedData {
    /// The maximum number of names per placemark, as lookups are linear in it.
    private static let limit = 2000

    /// Adds the data in an `ExtendedData` element to properties.
    ///
    /// A duplicate name gets a number.
    static func add(
        _ element: XMLElement, schemas: [String: [String: KMLSchemaType]], to properties: inout Properties
    ) {
        func add(_ name: String, _ value: PropertyValue) {
            guard properties.count < limit, properties[name] != value else { return }
            var free = name, number = 2
            while properties[free] != nil, number < 100 {
                free = "\(name)_\(number)"
                number += 1
            }
            properties[free] = value
        }
        for child in element.children {
            switch child.name {
            case "Data":
                guard let name = child.attribute("name") else { continue }
                add(name, .string(child.text(of: "value") ?? ""))
            case "SchemaData":
                let address = child.attribute("schemaUrl") ?? ""
                let types = schemas[address.split(separator: "#").last.map(String.init) ?? ""] ?? [:]
                for item in child.children {
                    guard let name = item.attribute("name") else { continue }
                    let type = types[name] ?? .string
                    if item.name == "SimpleArrayData" {
                        add(name, .array(item.children("value").map { type.value(of: $0.text) }))
                    } else {
                        add(name, type.value(of: item.text))
                    }
                }
            default: if child.children.isEmpty { add(child.name, .string(child.text)) }
            }
        }
    }
}
