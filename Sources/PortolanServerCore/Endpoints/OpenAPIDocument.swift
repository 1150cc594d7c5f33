import PortolanFeatures

/// A description of operations in OpenAPI.
struct OpenAPIDocument {
    /// The versions of OpenAPI.
    enum Version: String {
        /// OpenAPI 3.0.3, which OGC API – Common names.
        case v3_0 = "3.0.3"
        /// OpenAPI 3.1.0.
        case v3_1 = "3.1.0"
    }

    let version: Version
    let title: String
    /// The version of the program.
    let revision: String
    /// The base URL of the paths.
    let server: String
    let operations: [APIOperation]
    /// The maps whose names are valid.
    let book: MapBook

    /// The document.
    var value: PropertyValue {
        var paths = Properties(), groups: [String] = []
        for path in templates {
            var members = Properties()
            for operation in operations where operation.path == path {
                members[operation.method.rawValue.lowercased()] = .object(described(operation))
                if !groups.contains(operation.group) { groups.append(operation.group) }
            }
            paths[path] = .object(members)
        }
        var components: Properties = ["schemas": ["Problem": Self.problem]]
        var document: Properties = [
            "openapi": .string(version.rawValue),
            "info": ["title": .string(title), "version": .string(revision.isEmpty ? "1.0.0" : revision)],
            "servers": [["url": .string(server)]], "tags": .array(groups.map { ["name": .string($0)] }),
            "paths": .object(paths),
        ]
        if book.hasKeys || !book.refusals.isEmpty {
            components["securitySchemes"] = [
                "bearer": ["type": "http", "scheme": "bearer"],
                "key": ["type": "apiKey", "in": "query", "name": "key"],
            ]
            // Maps without keys need none.
            document["security"] = [[:], ["bearer": []], ["key": []]]
        }
        document["components"] = .object(components)
        return .object(document)
    }

    /// The paths, each once.
    private var templates: [String] {
        var known: Set<String> = []
        return operations.map(\.path).filter { known.insert($0).inserted }
    }

    private func described(_ operation: APIOperation) -> Properties {
        let parameters = operation.pathNames.map { APIParameter.path($0, of: book) } + operation.parameters
        var members: Properties = [
            "operationId": .string(operation.id), "summary": .string(operation.summary),
            "tags": [.string(operation.group)],
            "parameters": .array(parameters.map(Self.described)), "responses": .object(responses(of: operation)),
        ]
        if !operation.bodies.isEmpty {
            members["requestBody"] = ["content": .object(content(operation.bodies)), "required": false]
        }
        return members
    }

    private static func described(_ parameter: APIParameter) -> PropertyValue {
        [
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "required": .bool(parameter.isRequired), "description": .string(parameter.meaning),
            "schema": parameter.schema,
        ]
    }

    private func responses(of operation: APIOperation) -> Properties {
        var responses = Properties()
        for answer in operation.answers {
            var members: Properties = ["description": .string(Self.meaning(of: answer.status))]
            if !answer.types.isEmpty { members["content"] = .object(content(answer.types)) }
            responses["\(answer.status)"] = .object(members)
        }
        if operation.method == .get, responses["200"] != nil {
            responses["304"] = ["description": "The client has the current version"]
        }
        let errors = content(operation.errors)
        responses["4XX"] = ["description": "Invalid request", "content": .object(errors)]
        if responses["503"] == nil {
            responses["5XX"] = ["description": "The server cannot answer now", "content": .object(errors)]
        }
        return responses
    }

    private static func meaning(of status: Int) -> String {
        switch status {
        case 201: "Created"
        case 204: "No content"
        case 302: "Leads to another address"
        case 503: "Not available"
        default: "Success"
        }
    }

    private func content(_ types: [String]) -> Properties {
        var content = Properties()
        for type in types {
            switch type {
            case "application/problem+json": content[type] = ["schema": ["$ref": "#/components/schemas/Problem"]]
            case "application/json", "application/geo+json": content[type] = ["schema": [:]]
            case _ where type.hasPrefix("text/") || type.hasSuffix("xml"):
                content[type] = ["schema": ["type": "string"]]
            // Since OpenAPI 3.1 the media type alone describes bytes.
            default: content[type] = version == .v3_0 ? ["schema": ["type": "string", "format": "binary"]] : [:]
            }
        }
        return content
    }

    /// The schema of a problem document (RFC 9457).
    private static let problem: PropertyValue = [
        "type": "object", "required": ["type", "title", "status", "detail", "code"],
        "properties": [
            "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
            "detail": ["type": "string"],
            "code": APIParameter.one(of: Problem.Kind.allCases.map(\.rawValue)),
            "key": ["type": "string", "description": "The invalid parameter"],
            "position": ["type": "integer", "description": "The position of the error in the value"],
        ],
    ]
}
