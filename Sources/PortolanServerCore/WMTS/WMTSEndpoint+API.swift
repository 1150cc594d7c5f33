extension WMTSEndpoint {
    package var operations: [APIOperation] {
        let parameters: [APIParameter] = [
            .query("service", APIParameter.one(of: ["WMTS"]), "Service").required,
            .query("request", APIParameter.one(of: ["GetCapabilities", "GetTile", "GetFeatureInfo"]), "Operation")
                .required,
            .query("version", "1.0.0"), .query("acceptversions", "Versions that the client knows"),
            .query("layer", "Layer"), .query("style", "Style, default"), .query("format", "Media type"),
            .query("tilematrixset", "Tile matrix set"), .query("tilematrix", "Level"), .query("tilerow", "Row"),
            .query("tilecol", "Column"), .query("i", "Column of the pixel"), .query("j", "Row of the pixel"),
            .query("infoformat", "Media type of GetFeatureInfo"),
        ]
        let errors = ["text/xml", "application/problem+json"], tile = "/wmts/{layer}/{style}/{grid}/{z}/{y}/{x}"
        let infos = APIAnswer.ok(PlaceFormat.allCases.map(\.mediaType))
        return [
            APIOperation(
                "/wmts", "Web Map Tile Service 1.0.0, key-value requests.", group: "OGC services",
                parameters: parameters, errors: errors,
                [.ok(APIAnswer.tile.types + PlaceFormat.allCases.map(\.mediaType) + ["application/xml"])]),
            APIOperation(
                "/wmts/1.0.0/WMTSCapabilities.xml", "Capabilities of the Web Map Tile Service.", group: "OGC services",
                errors: errors, [.ok("application/xml")]),
            APIOperation(tile + ".{tileFormat}", "A drawn tile.", group: "OGC services", errors: errors, [.tile]),
            APIOperation(
                tile + "/{j}/{i}.{infoFormat}", "The features at a pixel of a tile.", group: "OGC services",
                errors: errors, [infos]),
        ]
    }
}
