import PortolanFeatures

extension OGCAPIDocuments {
    /// The OpenAPI 3.0 definition of the interface.
    var definition: PropertyValue {
        func parameter(_ name: String, in place: String, _ kind: String, _ meaning: String) -> PropertyValue {
            [
                "name": .string(name), "in": .string(place), "required": .bool(place == "path"),
                "description": .string(meaning), "schema": ["type": .string(kind)],
            ]
        }
        func path(
            _ template: String, _ summary: String, _ type: String, _ more: [PropertyValue] = []
        ) -> (
            String, PropertyValue
        ) {
            let names = template.split(separator: "/").filter { $0.first == "{" }.map { $0.dropFirst().dropLast() }
            let own = names.map { name in
                let isNumber = ["tileMatrix", "tileRow", "tileCol"].contains(String(name))
                return parameter(String(name), in: "path", isNumber ? "integer" : "string", "A part of the path")
            }
            let isPicture = type == "image/png"
            let types =
                isPicture
                ? ServedFormat.allCases.filter(\.hasPixels).map(\.mediaType) : ["application/json", "text/html"]
            let schema: PropertyValue = isPicture ? ["type": "string", "format": "binary"] : ["type": "object"]
            var content = Properties()
            for type in types { content[type] = ["schema": schema] }
            let parameters = own + more + [parameter("f", in: "query", "string", "The format")]
            return (
                template,
                [
                    "get": [
                        "summary": .string(summary), "parameters": .array(parameters),
                        "responses": [
                            "200": ["description": "The answer", "content": .object(content)],
                            "400": ["description": "The request is not well written"],
                            "404": ["description": "There is no such thing"],
                        ],
                    ]
                ]
            )
        }
        let map = [
            ("bbox", "string", "The box: four numbers, in the order of its system"),
            ("bbox-crs", "string", "The system of the box; CRS84"),
            ("center", "string", "The place in the middle"), ("center-crs", "string", "The system of that; CRS84"),
            ("crs", "string", "The system of the map"), ("width", "integer", "Pixels across"),
            ("height", "integer", "Pixels down"), ("scale-denominator", "number", "The scale is 1 to this"),
            ("mm-per-pixel", "number", "The size of a pixel; 0.28"), ("bgcolor", "string", "What shows beneath"),
            ("transparent", "boolean", "Whether nothing shows beneath"),
        ].map { parameter($0.0, in: "query", $0.1, $0.2) }
        let collections = parameter("collections", in: "query", "string", "Names of collections, the lowest first")
        var paths = [
            path("/", "What there is", "application/json"), path("/conformance", "What is kept", "application/json"),
            path("/api", "This definition", "application/json"),
            path("/collections", "The collections", "application/json"),
            path("/collections/{collectionId}", "A collection", "application/json"),
            path("/tileMatrixSets", "The grids", "application/json"),
            path("/tileMatrixSets/{tileMatrixSetId}", "A grid", "application/json"),
            path("/map", "A map of the dataset", "image/png", map + [collections]),
            path("/collections/{collectionId}/map", "A map of a collection", "image/png", map),
            path("/collections/{collectionId}/styles/{styleId}/map", "A map in a style", "image/png", map),
        ]
        for start in ["", "/collections/{collectionId}"] {
            paths += [
                path("\(start)/map/tiles", "The sets of tiles", "application/json"),
                path("\(start)/map/tiles/{tileMatrixSetId}", "A set of tiles", "application/json"),
                path(
                    "\(start)/map/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}", "A tile", "image/png"),
            ]
        }
        var members = Properties()
        for path in paths { members[path.0] = path.1 }
        return [
            "openapi": "3.0.3", "info": ["title": .string(context.title), "version": "1.0.0"],
            "servers": [["url": .string("\(context.base)/ogc")]], "paths": .object(members),
        ]
    }
}
