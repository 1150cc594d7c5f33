import PortolanFeatures

extension ViewerEndpoint {
    package var operations: [APIOperation] {
        [
            APIOperation("/viewer", "The page with all maps.", group: "Viewer", [.page]),
            APIOperation(
                "/viewer/{map}", "The page that shows a map.", group: "Viewer",
                errors: ["application/problem+json", "text/html"], [.page]),
            APIOperation(
                "/viewer/{map}/ground", "A block of the map, which a page draws under its other content.",
                group: "Viewer", [.tile]),
            APIOperation(
                "/viewer/{map}", "Opens a viewer, whose page then uses /session/{session}.", .post, group: "Viewer",
                bodies: ["application/json"], [APIAnswer(201, "application/json")]),
        ]
    }
}

extension ViewerSessionEndpoint {
    package var operations: [APIOperation] {
        func get(_ part: String, _ summary: String, _ answers: [APIAnswer], _ more: [APIParameter] = []) -> APIOperation
        {
            APIOperation("/session/{session}/\(part)", summary, group: "Viewer", parameters: more, answers)
        }
        func post(
            _ part: String, _ summary: String, _ answers: [APIAnswer], _ more: [APIParameter] = []
        ) -> APIOperation {
            APIOperation(
                "/session/{session}/\(part)", summary, .post, group: "Viewer", parameters: more,
                bodies: [part == "features" ? "application/octet-stream" : "application/json"], answers)
        }
        let number = APIParameter.whole(0...1_000_000_000)
        return [
            get(
                "frame", "The current picture and state, once they have changed.",
                [.tile, .nothing],
                [.query("after", number, "Number of the last frame"), .query("picture", number, "Known picture")]),
            get(
                "moving", "What moves, once it has changed.", [.json, .nothing],
                [.query("after", number, "Known state")]),
            get("badge", "The mark of a moving object.", [.ok("image/png")]),
            get(
                "picture", "The picture with its attribution.", [.picture],
                [.query("format", APIParameter.one(of: ServedFormat.allCases.map(\.rawValue)), "Image format")]),
            get("search", "Places of the map by name.", [.json], [.query("q", "Name")]),
            get("legend", "The legend.", [.ok("image/png"), .nothing]),
            get("route", "The planned route.", [.ok("application/geo+json", "application/gpx+xml"), .nothing]),
            get("found", "Stops and places by name.", [.json], [.query("q", "Name")]),
            get("state", "The state of the viewer.", [.json]),
            post("input", "Pointer, wheel and key events.", [.json]),
            post("command", "A command.", [.nothing]),
            post("service", "Adds a service, or lists its layers.", [.json, .nothing]),
            post(
                "features", "Adds a file.", [.nothing],
                [.query("name", "File name"), .query("fit", "no: keep the view")]),
            APIOperation("/session/{session}", "Closes the viewer.", .delete, group: "Viewer", [.nothing]),
        ]
    }
}
