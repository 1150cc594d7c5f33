package import PortolanFeatures
import PortolanWeb

/// The description of a layer of vector tiles, a member of `vector_layers` (TileJSON 3.0, section 3.3).
public struct VectorLayerDescription: Hashable, Sendable {
    /// An attribute of the features of a layer.
    public struct Field: Hashable, Sendable {
        /// The name.
        public let name: String
        /// The type or a description, as the document states it; often `String`, `Number` or `Boolean`.
        public let type: String

        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    /// The name of the layer in tiles.
    public let id: String
    /// The content of the layer, or `nil`.
    public let description: String?
    /// The coarsest level with the layer, or `nil` if that is not stated.
    public let minimumLevel: Int?
    /// The finest level with the layer, or `nil` if that is not stated.
    public let maximumLevel: Int?
    /// The attributes, in the order of the document.
    public let fields: [Field]

    /// The largest number of layers, and of attributes of a layer, that are read.
    private static let limit = 2000

    /// Makes a description.
    package init(
        id: String, description: String? = nil, minimumLevel: Int? = nil, maximumLevel: Int? = nil,
        fields: [Field] = []
    ) {
        self.id = id
        self.description = description
        self.minimumLevel = minimumLevel
        self.maximumLevel = maximumLevel
        self.fields = fields
    }

    /// Reads the member `vector_layers` of a document; members that are not objects with an `id` are omitted.
    package static func read(_ value: PropertyValue?) -> [VectorLayerDescription] {
        (value?.arrayValue ?? []).prefix(limit).compactMap { $0.objectValue.flatMap(VectorLayerDescription.init) }
    }

    private init?(_ members: Properties) {
        guard let id = members["id"]?.stringValue, !id.isEmpty else { return nil }
        func level(_ name: String) -> Int? {
            members[name]?.doubleValue.flatMap { (0...30).contains($0) ? Int($0) : nil }
        }
        self.id = id
        description = members["description"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        minimumLevel = level("minzoom")
        maximumLevel = level("maxzoom")
        fields = (members["fields"]?.objectValue ?? Properties()).prefix(Self.limit).map {
            Field(name: $0.name, type: $0.value.stringValue ?? "")
        }
    }

    /// The description as a member of `vector_layers`.
    package var value: PropertyValue {
        var members: Properties = ["id": .string(id)]
        if let description { members["description"] = .string(description) }
        if let minimumLevel { members["minzoom"] = .integer(minimumLevel) }
        if let maximumLevel { members["maxzoom"] = .integer(maximumLevel) }
        members["fields"] = .object(
            Properties(lastOf: fields.map { Properties.Element(name: $0.name, value: .string($0.type)) }))
        return .object(members)
    }
}
