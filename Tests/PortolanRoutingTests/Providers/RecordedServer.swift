import Foundation
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanTesting
import Testing

/// Answers of real servers, from the folder Fixtures.
enum RecordedServer {
    /// The eight places of the recordings.
    static func places() throws -> [Coordinate] {
        let list = try #require(try JSONReader.value(bytes: Fixtures.bytes("osrm/places.json")).arrayValue)
        return try list.map { value in
            let x = try #require(value.objectValue?["lon"]?.doubleValue)
            return Coordinate(x: x, y: try #require(value.objectValue?["lat"]?.doubleValue))
        }
    }

    /// The answer of a recording.
    static func answer(_ file: String) throws -> [UInt8] {
        let members = try JSONReader.value(bytes: Fixtures.bytes(file)).objectValue
        return Array(json(try #require(members?["response"])).utf8)
    }

    /// A transport that gives one answer, whatever is asked.
    static func always(_ body: [UInt8], status: Int = 200) -> StubTransport {
        StubTransport { HTTPResponse(status: status, body: body, url: $0.url) }
    }

    /// JSON of a value.
    static func json(_ value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .string(let text): String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
        case .array(let list): "[" + list.map(json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { json(.string($0.name)) + ":" + json($0.value) }.joined(separator: ",") + "}"
        }
    }

    /// A fetcher that tries nothing again.
    static func fetcher(_ transport: any HTTPTransport) -> Fetcher { Fetcher(transport: transport, retries: .none) }
}
