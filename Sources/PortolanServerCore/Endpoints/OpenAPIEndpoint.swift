/// The description of all operations of the server in OpenAPI 3.1: `/openapi.json`.
package struct OpenAPIEndpoint: Endpoint {
    package let root = "openapi.json"
    private let described: [APIOperation]

    /// Creates the endpoint.
    ///
    /// - Parameter operations: the operations of all other endpoints.
    package init(describing operations: [APIOperation]) { described = operations }

    package var operations: [APIOperation] {
        [APIOperation("/openapi.json", "This description.", group: "Documents", [.json])]
    }

    package func answer(
        _ request: ServerRequest, path: ArraySlice<String>, in context: ServingContext
    ) async throws(Problem) -> ServerResponse {
        guard path.isEmpty else { throw Problem(.notFound, "the path of the description is /openapi.json") }
        let document = OpenAPIDocument(
            version: .v3_1, title: context.title, revision: context.version, server: context.base,
            operations: described + operations, book: context.book)
        return context.answer(ServerResponse(json: document.value), document: request)
    }
}
