import PortolanFeatures

extension StaticMapEndpoint {
    package var operations: [APIOperation] {
        APIOperation.staticMaps("/maps/{map}/static/{place}/{width}x{height}")
            + [APIOperation.google("/maps/api/staticmap")]
    }
}

extension GoogleStaticEndpoint {
    package var operations: [APIOperation] { [APIOperation.google("/staticmap")] }
}

extension APIOperation {
    /// Returns the operation of static maps in the Google syntax.
    static func google(_ path: String) -> APIOperation {
        let parameters: [APIParameter] = [
            .query("size", ["type": "string", "pattern": "^[0-9]{1,4}x[0-9]{1,4}$"], "Size in pixels, like 600x400")
                .required,
            .query("center", "Latitude and longitude of the centre"),
            .query("zoom", ["type": "number", "minimum": 0, "maximum": 24], "Zoom level"),
            .query("scale", APIParameter.whole(1...4), "Pixel ratio"),
            .query("format", "Image format"), .query("map", "Name of a map (default: the first)"),
            .query("markers", "Markers: styles and coordinates"), .query("path", "A path: styles and coordinates"),
            .query("visible", "Coordinates that must be visible"),
        ]
        return APIOperation(
            path, "A static map in the Google syntax.", group: "Static maps", parameters: parameters, [.picture])
    }

    /// Returns the operations of static maps in the tileserver-gl syntax.
    static func staticMaps(_ path: String) -> [APIOperation] {
        let parameters: [APIParameter] = [
            .query("path", "A path: options and coordinates, or enc: and an encoded polyline"),
            .query("marker", "A marker: coordinates, icon and options"),
            .query("latlng", "Whether coordinates have the latitude first"), .query("fill", "Fill colour of paths"),
            .query("stroke", "Colour of paths"), .query("width", "Width of paths"),
            .query("border", "Colour of the border of paths"), .query("borderwidth", "Width of the border of paths"),
            .query("linecap", APIParameter.one(of: ["butt", "round", "square"]), "Ends of lines"),
            .query("linejoin", APIParameter.one(of: ["miter", "round", "bevel"]), "Corners of lines"),
            .query("padding", ["type": "number", "minimum": 0], "Margin around fitted content"),
            .query("maxzoom", ["type": "number", "minimum": 0, "maximum": 24], "Highest zoom level for fitting"),
        ]
        let bodies = ["application/geo+json", "application/json", "application/x-www-form-urlencoded"]
        return [".{format}", "@{ratio}x.{format}"].flatMap { ending in
            [
                APIOperation(
                    path + ending, "A static map.", group: "Static maps", parameters: parameters, [.picture]),
                APIOperation(
                    path + ending, "A static map with overlays from the body.", .post, group: "Static maps",
                    parameters: parameters, bodies: bodies, [.picture]),
            ]
        }
    }
}
