extension TileEndpoint {
    package var operations: [APIOperation] {
        APIOperation.tiles("/tiles/{map}/{z}/{x}/{y}", "A drawn tile, with rows from the north.")
            + APIOperation.tiles("/tiles/{map}/{grid}/{z}/{x}/{y}", "A drawn tile of a grid.")
    }
}

extension TMSEndpoint {
    package var operations: [APIOperation] {
        APIOperation.tiles("/tms/1.0.0/{map}/{z}/{x}/{y}", "A drawn tile, with rows from the south.")
            + APIOperation.tiles(
                "/tms/1.0.0/{map}/{grid}/{z}/{x}/{y}", "A drawn tile of a grid, with rows from the south.")
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
            APIOperation("/data/{archive}.json", "TileJSON of stored tiles.", group: "Tiles", [.json]),
            APIOperation(
                "/data/{archive}/{z}/{x}/{y}.{dataFormat}",
                "A stored tile; 204 for a tile that the archive does not have.", group: "Tiles",
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
