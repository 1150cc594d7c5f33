import PortolanFeatures

extension OGCAPIEndpoint {
    package var operations: [APIOperation] {
        let texts = ["json", "html"], page = APIAnswer.ok("application/json", "text/html")
        func document(_ path: String, _ summary: String, _ answer: APIAnswer = page) -> APIOperation {
            APIOperation(
                "/ogc" + path, summary, group: "OGC API",
                parameters: [.query("f", APIParameter.one(of: texts), "Format (default: by Accept)")], [answer])
        }
        let number: PropertyValue = ["type": "number", "minimum": 0], pixels = APIParameter.whole(1...4096)
        let format = APIParameter.query(
            "f", APIParameter.one(of: ServedFormat.allCases.map(\.rawValue)), "Format (default: by Accept)")
        let tileFormat = APIParameter.query(
            "f", APIParameter.one(of: ServedFormat.allCases.filter(\.hasPixels).map(\.rawValue)),
            "Format (default: by Accept)")
        let map: [APIParameter] = [
            .query("bbox", "Bounding box: four numbers, in the axis order of its CRS"),
            .query("bbox-crs", "CRS of the bounding box (default: CRS84)"), .query("center", "Centre of the map"),
            .query("center-crs", "CRS of the centre (default: CRS84)"), .query("crs", "CRS of the map"),
            .query("width", pixels, "Width in pixels"), .query("height", pixels, "Height in pixels"),
            .query("scale-denominator", number, "Scale denominator"),
            .query("mm-per-pixel", number, "Pixel size in millimetres (default: 0.28)"),
            .query("bgcolor", "Background colour"),
            .query("transparent", ["type": "boolean"], "Transparent background"), format,
        ]
        let collections = APIParameter.query("collections", "Names of collections, bottom first")
        func picture(
            _ path: String, _ summary: String, _ parameters: [APIParameter], _ answer: APIAnswer
        ) -> APIOperation {
            APIOperation("/ogc" + path, summary, group: "OGC API", parameters: parameters, [answer])
        }
        let definition = APIAnswer.ok("application/vnd.oai.openapi+json", "text/html")
        return [
            document("", "Landing page"), document("/conformance", "Conformance classes"),
            document("/api", "This API definition", definition), document("/collections", "Collections"),
            document("/collections/{collectionId}", "Collection"), document("/tileMatrixSets", "Tile matrix sets"),
            document("/tileMatrixSets/{tileMatrixSetId}", "Tile matrix set"),
            picture("/map", "Map of the dataset", map + [collections], .picture),
            picture("/styles/{styleId}/map", "Map of the dataset in a style", map + [collections], .picture),
            picture("/collections/{collectionId}/map", "Map of a collection", map, .picture),
            picture("/collections/{collectionId}/styles/{styleId}/map", "Map in a style", map, .picture),
        ]
            + ["", "/collections/{collectionId}"].flatMap { start in
                [
                    document("\(start)/map/tiles", "Tile sets"),
                    document("\(start)/map/tiles/{tileMatrixSetId}", "Tile set"),
                    picture(
                        "\(start)/map/tiles/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}", "Tile", [tileFormat],
                        .tile),
                ]
            }
    }
}

extension OGCAPIDocuments {
    /// The OpenAPI 3.0 definition of the interface, with paths from its landing page.
    func definition(_ operations: [APIOperation]) -> PropertyValue {
        let inner = operations.map { operation in
            let path = operation.path.dropFirst("/ogc".count)
            return APIOperation(
                path.isEmpty ? "/" : String(path), operation.summary, operation.method, group: operation.group,
                parameters: operation.parameters, bodies: operation.bodies, errors: operation.errors, operation.answers)
        }
        return OpenAPIDocument(
            version: .v3_0, title: context.title, revision: context.version, server: "\(context.base)/ogc",
            operations: inner, book: context.book
        ).value
    }
}
