extension RouteEndpoint {
    package var operations: [APIOperation] {
        func operation(
            _ path: String, _ summary: String, by method: ServerRequest.Method = .get, bodies: [String] = [],
            parameters: [APIParameter] = [], _ answers: APIAnswer...
        ) -> APIOperation {
            APIOperation(
                "/routes" + path, summary, method, group: "Routes", parameters: parameters, bodies: bodies, answers)
        }
        let json = ["application/json"], created = APIAnswer(201, "application/json")
        return [
            operation(
                "", "The routes.",
                parameters: [
                    .query("q", "Words to search for"),
                    .query("sort", APIParameter.one(of: ["date", "rating", "popularity"]), "Order"),
                    .query("limit", APIParameter.whole(0...1_000_000_000), "Number of routes, 1000 at most"),
                ], .json),
            operation(
                "", "Publishes a route; needs a key.", by: .post,
                bodies: ["application/gpx+xml", "application/geo+json", "application/octet-stream"],
                parameters: [.query("name", "Name of the route")], created),
            operation("/{route}", "A route.", .ok("application/json", "application/geo+json", "application/gpx+xml")),
            operation("/{route}", "Removes a route; for its publisher.", by: .delete, .nothing),
            operation(
                "/{route}/snapshot.{format}", "A picture of a route.",
                parameters: [
                    .query("map", "Name of a map"), .query("width", APIParameter.whole(1...4096), "Width in pixels"),
                    .query("height", APIParameter.whole(1...4096), "Height in pixels"),
                ], .picture),
            operation("/{route}/rating", "The mean rating.", .json),
            operation("/{route}/rating", "Rates a route; needs a key.", by: .put, bodies: json, .json),
            operation("/{route}/rating", "Removes a rating; needs a key.", by: .delete, .json, .nothing),
            operation("/{route}/comments", "The comments.", .json),
            operation("/{route}/comments", "Comments on a route; needs a key.", by: .post, bodies: json, created),
            operation("/{route}/comments/{number}", "Removes a comment; for its author.", by: .delete, .nothing),
        ]
    }
}
