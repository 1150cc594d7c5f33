private let group = "tileserver-gl"

extension CatalogEndpoint {
    package var operations: [APIOperation] {
        [
            ("styles.json", "The styles."), ("data.json", "TileJSON of stored tiles."), ("fonts.json", "The fonts."),
            ("index.json", "TileJSON of drawn and stored tiles."), ("rendered.json", "TileJSON of drawn tiles."),
        ].compactMap { file, summary in
            if file == root { return APIOperation("/\(root)", summary, group: group, [.json]) }
            guard StylesEndpoint.sides.contains(root), ["index.json", "rendered.json"].contains(file) else {
                return nil
            }
            return APIOperation("/\(root)/\(file)", summary, group: group, [.json])
        }
    }
}

extension SpritesEndpoint {
    package var operations: [APIOperation] {
        [APIOperation("/\(root)", "The sprites packed from folders.", group: group, [.json])]
            + ["", "@{ratio}x"].flatMap { ratio in
                [
                    APIOperation("/\(root)/{sprite}\(ratio).json", "The index of a sprite.", group: group, [.json]),
                    APIOperation(
                        "/\(root)/{sprite}\(ratio).png", "The picture of a sprite.", group: group, [.ok("image/png")]),
                ]
            }
    }
}

extension FontsEndpoint {
    package var operations: [APIOperation] {
        [
            APIOperation(
                "/fonts/{fontstack}/{range}.pbf", "Glyphs of a font.", group: group, [.ok("application/x-protobuf")])
        ]
    }
}

extension StylesEndpoint {
    package var operations: [APIOperation] {
        func document(_ path: String, _ summary: String, _ type: String = "application/json") -> APIOperation {
            APIOperation("/styles/" + path, summary, group: group, [.ok(type)])
        }
        let mapbox: [APIParameter] = [
            .query("padding", "Margin around fitted content"),
            .query("attribution", "Whether the attribution is drawn"),
            .query("logo", "Whether a logo is drawn; it has no effect"),
        ]
        let mapboxTypes = ServedFormat.allCases.map(\.mediaType)
        return [
            document("{map}.json", "TileJSON of drawn tiles."),
            document("{side}/{map}.json", "TileJSON of drawn tiles of a size."),
            document("{map}/style.json", "The MapLibre style."),
            document("{map}/wmts.xml", "WMTS capabilities of the map.", "application/xml"),
            document("{map}/sprite.json", "The index of the sprite."),
            document("{map}/sprite.png", "The picture of the sprite.", "image/png"),
            document("{map}/sprite@{ratio}x.json", "The index of the sprite."),
            document("{map}/sprite@{ratio}x.png", "The picture of the sprite.", "image/png"),
            document("{map}/sprite/{sprite}.json", "The index of one of several sprites."),
            document("{map}/sprite/{sprite}.png", "The picture of one of several sprites.", "image/png"),
            document("{map}/sprite/{sprite}@{ratio}x.json", "The index of one of several sprites."),
            document("{map}/sprite/{sprite}@{ratio}x.png", "The picture of one of several sprites.", "image/png"),
            document("{map}/sources/{source}.geojson", "The features of a source.", "application/geo+json"),
        ] + APIOperation.tiles("/styles/{map}/{z}/{x}/{y}", "A drawn tile.", group: group)
            + APIOperation.tiles("/styles/{map}/{side}/{z}/{x}/{y}", "A drawn tile of a size.", group: group)
            + APIOperation.staticMaps("/styles/{map}/static/{place}/{width}x{height}")
            + APIOperation.staticMaps("/styles/{map}/static/raw/{place}/{width}x{height}")
            + ["", "{overlays}/"].flatMap { overlays in
                ["", "@2x"].map { ratio in
                    APIOperation(
                        "/styles/v1/{user}/{map}/static/\(overlays){place}/{width}x{height}\(ratio)",
                        "A static map in the Mapbox syntax.", group: "Static maps", parameters: mapbox,
                        [.ok(mapboxTypes)])
                }
            } + mapboxPaths
    }

    /// The paths of the Mapbox Styles and Static Tiles APIs.
    private var mapboxPaths: [APIOperation] {
        let path = "/styles/v1/{user}/{map}"
        return [
            APIOperation(path, "The MapLibre style.", group: "Mapbox", [.json]),
            APIOperation(path + "/tiles.json", "TileJSON of drawn tiles.", group: "Mapbox", [.json]),
            APIOperation(path + "/wmts", "WMTS capabilities of the map.", group: "Mapbox", [.ok("application/xml")]),
            APIOperation(path + "/tiles/{z}/{x}/{y}", "A drawn tile of 512 pixels.", group: "Mapbox", [.tile]),
            APIOperation(path + "/tiles/{side}/{z}/{x}/{y}", "A drawn tile.", group: "Mapbox", [.tile]),
        ]
    }
}
