/// A response of an operation, for the API description of the server.
package struct APIAnswer: Hashable, Sendable {
    /// The HTTP status code.
    package let status: Int
    /// The media types, empty for no body.
    package let types: [String]

    /// Creates a response.
    package init(_ status: Int, _ types: String...) {
        self.status = status
        self.types = types
    }

    private init(status: Int, types: [String]) {
        self.status = status
        self.types = types
    }

    /// Returns a successful response.
    package static func ok(_ types: String...) -> APIAnswer { APIAnswer(status: 200, types: types) }
    /// Returns a successful response in one of several media types.
    package static func ok(_ types: [String]) -> APIAnswer { APIAnswer(status: 200, types: types) }
    /// A JSON document.
    package static let json = ok("application/json")
    /// An HTML page.
    package static let page = ok("text/html")
    /// No content.
    package static let nothing = APIAnswer(status: 204, types: [])
    /// A picture in any format.
    package static let picture = APIAnswer(status: 200, types: ServedFormat.allCases.map(\.mediaType))
    /// A tile in any format with pixels.
    package static let tile = APIAnswer(
        status: 200, types: ServedFormat.allCases.filter(\.hasPixels).map(\.mediaType))
}

/// An operation of the server, for its API description: a path with a method, its parameters and responses.
package struct APIOperation: Hashable, Sendable {
    /// The path with the names of its parameters, such as `/tiles/{map}/{z}/{x}/{y}.{tileFormat}`.
    package let path: String
    /// The method.
    package let method: ServerRequest.Method
    /// The summary, one sentence.
    package let summary: String
    /// The group of operations that a reader looks for together.
    package let group: String
    /// The parameters besides those of the path.
    package let parameters: [APIParameter]
    /// The media types of the request body, empty for none.
    package let bodies: [String]
    /// The responses of the operation, besides errors and 304.
    package let answers: [APIAnswer]
    /// The media types of errors.
    package let errors: [String]

    /// Creates an operation.
    package init(
        _ path: String, _ summary: String, _ method: ServerRequest.Method = .get, group: String,
        parameters: [APIParameter] = [], bodies: [String] = [], errors: [String] = ["application/problem+json"],
        _ answers: [APIAnswer]
    ) {
        self.path = path
        self.method = method
        self.summary = summary
        self.group = group
        self.parameters = parameters
        self.bodies = bodies
        self.answers = answers
        self.errors = errors
    }

    /// The names of the path parameters in order.
    package var pathNames: [String] {
        path.split(separator: "{").dropFirst().compactMap { $0.split(separator: "}").first.map(String.init) }
    }

    /// The unique name of the operation: the method and the words of the path.
    package var id: String {
        let words = path.split { !$0.isLetter && !$0.isNumber }
        return method.rawValue.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Returns whether a decoded path has the form of ``path``.
    package func matches(_ components: [String]) -> Bool {
        let own = path.split(separator: "/")
        return own.count == components.count && zip(own, components).allSatisfy(Self.matches)
    }

    /// Returns whether a path component has the form of a template such as `{y}@{ratio}x.{format}`.
    private static func matches(_ template: Substring, _ component: String) -> Bool {
        var template = template, rest = component[...]
        while let start = template.firstIndex(of: "{"), let end = template[start...].firstIndex(of: "}") {
            guard rest.hasPrefix(template[..<start]) else { return false }
            rest = rest.dropFirst(template[..<start].count)
            template = template[template.index(after: end)...]
            // The parameter has at least one character, and ends where the next literal text begins.
            let literal = template.prefix { $0 != "{" }
            guard !rest.isEmpty else { return false }
            guard !literal.isEmpty else { return template.isEmpty }
            guard let next = rest.dropFirst().firstRange(of: literal) else { return false }
            rest = rest[next.lowerBound...]
        }
        return rest == template
    }
}
