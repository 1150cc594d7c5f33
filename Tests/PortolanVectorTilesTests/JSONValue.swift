/// A JSON value of a fixture; whole numbers keep all 64 bits.
enum JSONValue: Decodable, Hashable, Sendable {
    case null, bool(Bool), int(Int64), uint(UInt64), number(Double), string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .uint(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    var double: Double? {
        switch self {
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    var array: [JSONValue] { if case .array(let values) = self { values } else { [] } }
    var object: [String: JSONValue] { if case .object(let values) = self { values } else { [:] } }
    var string: String? { if case .string(let value) = self { value } else { nil } }
}
