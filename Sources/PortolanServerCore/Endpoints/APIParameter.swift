package import PortolanFeatures

/// A parameter of an operation, for the API description of the server.
package struct APIParameter: Hashable, Sendable {
    /// The part of a request that has the parameter.
    package enum Place: String, Hashable, Sendable {
        case path, query, header
    }

    /// The name.
    package let name: String
    /// The part of the request.
    package let place: Place
    /// The JSON schema of its values.
    package let schema: PropertyValue
    /// The description, one sentence.
    package let meaning: String
    /// Whether it is required.
    package var isRequired: Bool

    /// Creates an optional parameter of the query.
    package static func query(_ name: String, _ schema: PropertyValue, _ meaning: String) -> APIParameter {
        APIParameter(name: name, place: .query, schema: schema, meaning: meaning, isRequired: false)
    }

    /// Creates an optional parameter of the query with a text.
    package static func query(_ name: String, _ meaning: String) -> APIParameter {
        query(name, ["type": "string"], meaning)
    }

    /// The same parameter, required.
    package var required: APIParameter {
        var parameter = self
        parameter.isRequired = true
        return parameter
    }

    /// Returns the schema of a whole number.
    package static func whole(_ range: ClosedRange<Int>) -> PropertyValue {
        ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
    }

    /// Returns the schema of one of several texts.
    package static func one(of texts: [String]) -> PropertyValue {
        ["type": "string", "enum": .array(texts.map(PropertyValue.string))]
    }

    /// Returns the parameter of a path by its name.
    ///
    /// - Parameter book: the maps whose names are valid.
    static func path(_ name: String, of book: MapBook) -> APIParameter {
        let (schema, meaning) = values(name, of: book)
        return APIParameter(name: name, place: .path, schema: schema, meaning: meaning, isRequired: true)
    }

    private static func values(_ name: String, of book: MapBook) -> (PropertyValue, String) {
        let formats = ServedFormat.allCases, text: PropertyValue = ["type": "string", "minLength": 1]
        func names(_ names: [String]) -> PropertyValue { names.isEmpty || names.count > 1000 ? text : one(of: names) }
        let grids = ServedTileGrid.all.map(\.id)
        switch name {
        case "map": return (names(book.maps.map(\.name)), "Name of a map")
        case "collectionId", "layer": return (names(book.namedLayers.map(\.name)), "Map, or {map}:{layer}")
        case "archive":
            let own = book.maps.flatMap { $0.archiveNames + [$0.servedFeatures?.id].compactMap(\.self) }
            return (names(book.providers.map(\.id) + own), "Map, or {map}:{layer}")
        case "grid", "tileMatrixSetId": return (one(of: grids), "Tile matrix set")
        case "z", "tileMatrix": return (whole(0...24), "Zoom level")
        case "x", "tileCol": return (whole(0...33_554_431), "Column")
        case "y", "tileRow": return (whole(0...33_554_431), "Row")
        case "i", "j": return (whole(0...1023), "Pixel of the tile")
        case "ratio": return (whole(1...4), "Pixel ratio")
        case "width", "height": return (whole(1...4096), "Size in pixels")
        case "tileFormat": return (one(of: formats.filter(\.hasPixels).map(\.rawValue)), "Image format")
        case "format": return (one(of: formats.map(\.rawValue)), "Image format")
        case "dataFormat":
            return (
                one(of: ["pbf", "mvt", "mlt", "png", "jpg", "webp", "geojson"]), "Format of the archive, or geojson"
            )
        case "infoFormat": return (one(of: ["json", "geojson", "txt", "html"]), "Format of the information")
        case "side": return (one(of: ["256", "512"]), "Size of tiles in pixels")
        case "style": return (one(of: ["default"]), "Style")
        case "styleId": return (one(of: ["default"]), "Style")
        case "place":
            return (
                text, "Centre lon,lat,zoom[@bearing], box west,south,east,north, or auto for the extent of the overlays"
            )
        case "range": return (["type": "string", "pattern": "^[0-9]+-[0-9]+$"], "Range of 256 characters, like 0-255")
        case "number": return (whole(0...1_000_000), "Number")
        default: return (text, "Name")
        }
    }
}
