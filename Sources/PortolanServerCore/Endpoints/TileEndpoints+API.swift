extension TileEndpoint {
    package var operations: [APIOperation] {
        APIOperation.tiles("/tiles/{map}/{z}/{x}/{y}", "A drawn tile, with rows from the north.")
            + APIOperation.tiles("/tiles/{map}/{grid}/{z}/{x}/{y}", "A drawn tile of a grid.")
    }
}

extension TMSEndpoint {
    package var operations: [APIOperation] {
        func document(_ path: String, _ summary: String) -> APIOperation {
            APIOperation("/tms" + path, summary, group: "Tiles", [.ok("text/xml")])
        }
        return [
            document("", "The versions of the Tile Map Service."), document("/1.0.0", "The tile maps."),
            document("/1.0.0/{layer}", "A tile map."), document("/1.0.0/{layer}/{grid}", "A tile map in a grid."),
        ] + APIOperation.tiles("/tms/1.0.0/{layer}/{z}/{x}/{y}", "A drawn tile, with rows from the south.")
            + APIOperation.tiles(
                "/tms/1.0.0/{layer}/{grid}/{z}/{x}/{y}", "A drawn tile of a grid, with rows from the south.")
    }
}

extension TileJSONEndpoint {
    package var operations: [APIOperation] {
        [APIOperation("/tilejson/{map}.json", "TileJSON of drawn tiles.", group: "Tiles", [.json])]
    }
}

extension DataEndpoint {
    package var operations: [APIOperation] {
        let types = [
            "application/vnd.mapbox-vector-tile", "application/vnd.maplibre-vector-tile", "application/geo+json",
            "application/octet-stream", "image/png", "image/jpeg", "image/webp", "image/gif",
        ]
        return [
            APIOperation(
                "/data/{archive}.json", "TileJSON of stored tiles, or of vector tiles made from features.",
                group: "Tiles", [.json]),
            APIOperation(
                "/data/{archive}/{z}/{x}/{y}.{dataFormat}",
                "A stored tile, or one made from features; 204 for an empty one.", group: "Tiles",
                [.ok(types), .nothing]),
        ]
    }
}

extension APIOperation {
    /// Returns the operations of tiles, with and without a pixel ratio.
    static func tiles(_ path: String, _ summary: String, group: String = "Tiles") -> [APIOperation] {
        [
            APIOperation(path + ".{tileFormat}", summary, group: group, [.tile]),
            APIOperation(path + "@{ratio}x.{tileFormat}", summary, group: group, [.tile]),
        ]
    }
}
