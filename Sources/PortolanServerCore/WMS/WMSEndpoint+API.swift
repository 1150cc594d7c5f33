extension WMSEndpoint {
    package var operations: [APIOperation] {
        let parameters: [APIParameter] = [
            .query(
                "request",
                APIParameter.one(of: ["GetCapabilities", "GetMap", "GetFeatureInfo", "GetLegendGraphic"]), "Operation"
            ).required,
            .query("service", APIParameter.one(of: ["WMS", ""]), "Service"), .query("version", "1.1.1 or 1.3.0"),
            .query("layers", "Layers, bottom first"), .query("styles", "Styles, which are default or empty"),
            .query("crs", "CRS, as srs in version 1.1.1"), .query("srs", "CRS in version 1.1.1"),
            .query("bbox", "Bounding box in the axis order of the CRS"), .query("width", "Width in pixels"),
            .query("height", "Height in pixels"), .query("format", "Media type"),
            .query("transparent", "TRUE or FALSE"), .query("bgcolor", "Background colour, 0xRRGGBB"),
            .query("exceptions", "XML, INIMAGE or BLANK"), .query("query_layers", "Layers of GetFeatureInfo"),
            .query("info_format", "Media type of GetFeatureInfo"), .query("feature_count", "Features of a layer"),
            .query("i", "Column of the pixel, x in version 1.1.1"), .query("j", "Row of the pixel, y in version 1.1.1"),
            .query("x", "Column of the pixel in version 1.1.1"), .query("y", "Row of the pixel in version 1.1.1"),
            .query("layer", "Layer of GetLegendGraphic"), .query("style", "Style of GetLegendGraphic"),
            .query("updatesequence", "Update sequence that the client has"),
        ]
        let types =
            ServedFormat.allCases.map(\.mediaType) + PlaceFormat.allCases.map(\.mediaType)
            + ["text/xml", "application/vnd.ogc.wms_xml", "application/vnd.ogc.se_xml"]
        return [
            APIOperation(
                "/wms", "Web Map Service 1.1.1 and 1.3.0.", group: "OGC services", parameters: parameters,
                errors: ["text/xml", "application/vnd.ogc.se_xml", "application/problem+json"], [.ok(types)])
        ]
    }
}
