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
                return parameter(String(name), in: "path", isNumber ? "integer" : "string", "Path parameter")
            }
            let isPicture = type == "image/png"
            let types =
                isPicture
                ? ServedFormat.allCases.filter(\.hasPixels).map(\.mediaType) : ["application/json", "text/html"]
            let schema: PropertyValue = isPicture ? ["type": "string", "format": "binary"] : ["type": "object"]
            var content = Properties()
            for type in types { content[type] = ["schema": schema] }
            let parameters = own + more + [parameter("f", in: "query", "string", "Format")]
            return (
                template,
                [
                    "get": [
                        "summary": .string(summary), "parameters": .array(parameters),
                        "responses": [
                            "200": ["description": "Response", "content": .object(content)],
                            "400": ["description": "Invalid request"],
                            "404": ["description": "Not found"],
                        ],
                    ]
                ]
            )
        }
        let map = [
            ("bbox", "string", "Bounding box: four numbers, in the axis order of its CRS"),
            ("bbox-crs", "string", "CRS of the bounding box (default: CRS84)"),
            ("center", "string", "Centre of the map"), ("center-crs", "string", "CRS of the centre (default: CRS84)"),
            ("crs", "string", "CRS of the map"), ("width", "integer", "Width in pixels"),
            ("height", "integer", "Height in pixels"), ("scale-denominator", "number", "Scale denominator"),
            ("mm-per-pixel", "number", "Pixel size in millimetres (default: 0.28)"),
            ("bgcolor", "string", "Background colour"),
            ("transparent", "boolean", "Transparent background"),
        ].map { parameter($0.0, in: "query", $0.1, $0.2) }
        let collections = parameter("collections", in: "query", "string", "Names of collections, bottom first")
        var paths = [
            path("/", "Landing page", "application/json"),
            path("/conformance", "Conformance classes", "application/json"),
            path("/api", "This API definition", "application/json"),
            path("/collections", "Collections", "application/json"),
            path("/collections/{collectionId}", "Collection", "application/json"),
            path("/tileMatrixSets", "Tile matrix sets", "application/json"),
            path("/tileMatrixSets/{tileMatrixSetId}", "Tile matrix set", "application/json"),
            path("/map", "Map of the dataset", "image/png", map + [collections]),
            path("/collections/{collectionId}/map", "Map of a collection", "image/png", map),
            path("/collections/{collectionId}/styles/{styleId}/map", "Map in a style", "image/png", map),
        ]
        for start in ["", "/collections/{collectionId}"] {
            paths += [
                path("\(start)/map/tiles", "Tile sets", "application/json"),
                path("\(start)/map/tiles/{tileMatrixSetId}", "Tile set", "application/json"),
                path(
                    "\(start)/map/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}", "Tile", "image/png"),
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
