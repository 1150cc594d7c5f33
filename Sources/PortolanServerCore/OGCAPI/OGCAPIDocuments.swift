import PortolanFeatures
import PortolanGeo
import PortolanPlan

/// The documents of OGC API – Common, – Maps (OGC 20-058) and – Tiles (OGC 20-057).
struct OGCAPIDocuments {
    let context: ServingContext
    private var root: String { "\(context.base)/ogc" }
    private static let relations = "http://www.opengis.net/def/rel/ogc/1.0/"

    private func link(
        _ relation: String, _ path: String, _ type: String, title: String? = nil, isTemplate: Bool = false
    ) -> PropertyValue {
        var members: Properties = ["rel": .string(relation), "href": .string(root + path), "type": .string(type)]
        if let title { members["title"] = .string(title) }
        if isTemplate { members["templated"] = .bool(true) }
        return .object(members)
    }

    /// Returns links to the JSON and HTML representations of a document.
    private func own(_ path: String) -> [PropertyValue] {
        [
            link("self", path, "application/json", title: "This document"),
            link("alternate", path + "?f=html", "text/html", title: "This document as HTML"),
        ]
    }

    private func maps(_ path: String) -> [PropertyValue] {
        [
            link(Self.relations + "map", path + "/map", "image/png", title: "Map"),
            link(Self.relations + "tilesets-map", path + "/map/tiles", "application/json", title: "Tiles"),
        ]
    }

    /// The landing page.
    var landing: PropertyValue {
        [
            "title": .string(context.title), "description": "Maps and map tiles",
            "links": .array(
                own("") + [
                    link("service-desc", "/api", "application/vnd.oai.openapi+json;version=3.0", title: "Definition"),
                    link("conformance", "/conformance", "application/json", title: "Conformance"),
                    link(Self.relations + "conformance", "/conformance", "application/json", title: "Conformance"),
                    link("data", "/collections", "application/json", title: "Collections"),
                    link(Self.relations + "data", "/collections", "application/json", title: "Collections"),
                    link(Self.relations + "tiling-schemes", "/tileMatrixSets", "application/json", title: "Grids"),
                ] + maps("")),
        ]
    }

    /// The conformance declaration.
    var conformance: PropertyValue {
        let maps = [
            "core", "dataset-map", "collection-map", "styled-map", "collections-selection", "spatial-subsetting",
            "scaling", "display-resolution", "background", "crs", "tilesets", "png", "jpeg", "cors",
        ].map { "http://www.opengis.net/spec/ogcapi-maps-1/1.0/conf/\($0)" }
        let tiles = [
            "core", "tileset", "tilesets-list", "dataset-tilesets", "geodata-tilesets", "png", "jpeg", "oas30",
        ].map { "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/\($0)" }
        let common = [
            "ogcapi-common-1/1.0/conf/core", "ogcapi-common-1/1.0/conf/json", "ogcapi-common-1/1.0/conf/html",
            "ogcapi-common-1/1.0/conf/oas30", "ogcapi-common-2/1.0/conf/collections", "tms/2.0/conf/tilematrixset",
            "tms/2.0/conf/json-tilematrixset",
        ].map { "http://www.opengis.net/spec/\($0)" }
        return ["conformsTo": .array((common + maps + tiles).map(PropertyValue.string))]
    }

    /// All collections: the maps, and the layers of each.
    var collections: PropertyValue {
        [
            "links": .array(own("/collections")),
            "collections": .array(context.book.namedLayers.map(collection)),
        ]
    }

    /// Returns a collection.
    func collection(_ layer: NamedLayer) -> PropertyValue {
        let path = "/collections/\(layer.name)"
        var members: Properties = [
            "id": .string(layer.name), "title": .string(layer.title), "dataType": "map",
            "extent": [
                "spatial": [
                    "bbox": .array([.array(layer.map.degrees.map(PropertyValue.number))]),
                    "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
                ]
            ],
            "crs": .array([CRS.crs84, .epsg4326, .webMercator, layer.map.crs].unique.map { .string($0.uri) }),
            "storageCrs": .string(layer.map.crs.uri), "links": .array(own(path) + maps(path)),
        ]
        if let attribution = layer.map.attribution { members["attribution"] = .string(attribution) }
        return .object(members)
    }

    /// The list of tile matrix sets.
    var grids: PropertyValue {
        [
            "links": .array(own("/tileMatrixSets")),
            "tileMatrixSets": .array(
                ServedTileGrid.all.map { grid in
                    [
                        "id": .string(grid.id), "title": .string(grid.id), "uri": .string(grid.uri),
                        "crs": .string(grid.crsURI), "links": .array(own("/tileMatrixSets/\(grid.id)")),
                    ]
                }),
        ]
    }

    /// Returns a tile matrix set (OGC 17-083r4, clause 7).
    ///
    /// GDAL 3.4 to 3.6 reads the names of a draft, so they are included: `identifier`, `supportedCRS`, `boundingBox` and
    /// `topLeftCorner`.
    ///
    /// - Parameter levels: the levels, or `nil` for all.
    func grid(_ served: ServedTileGrid, levels: ClosedRange<Int>? = nil) -> PropertyValue {
        let matrices = served.grid.matrices.enumerated().filter { levels?.contains($0.offset) ?? true }.map {
            level, matrix -> PropertyValue in
            let corner: PropertyValue = .array([.number(matrix.origin.x), .number(matrix.origin.y)])
            return [
                "id": .string("\(level)"), "identifier": .string("\(level)"),
                "scaleDenominator": .number(matrix.resolution.scaleDenominator(in: served.grid.crs)),
                "cellSize": .number(matrix.resolution.unitsPerPixel), "cornerOfOrigin": "topLeft",
                "pointOfOrigin": corner, "topLeftCorner": corner,
                "tileWidth": .integer(matrix.tileWidth), "tileHeight": .integer(matrix.tileHeight),
                "matrixWidth": .integer(matrix.columnCount), "matrixHeight": .integer(matrix.rowCount),
            ]
        }
        return [
            "id": .string(served.id), "identifier": .string(served.id), "title": .string(served.id),
            "uri": .string(served.uri), "crs": .string(served.crsURI), "supportedCRS": .string(served.crsURI),
            "orderedAxes": served.grid.crs == .webMercator ? ["X", "Y"] : ["Lon", "Lat"],
            "boundingBox": Self.box(served.sides, crs: served.crsURI),
            "tileMatrices": .array(matrices), "links": .array(own("/tileMatrixSets/\(served.id)")),
        ]
    }

    /// Returns a bounding box (OGC 17-083r4, table 3), with the corners also by the names of a draft.
    private static func box(_ sides: [Double], crs: String) -> PropertyValue {
        let low: PropertyValue = .array(sides.prefix(2).map(PropertyValue.number))
        let high: PropertyValue = .array(sides.suffix(2).map(PropertyValue.number))
        return [
            "lowerLeft": low, "upperRight": high, "lowerCorner": low, "upperCorner": high, "crs": .string(crs),
        ]
    }

    /// Returns the tilesets of the resource at a path.
    func tilesets(of map: PublishedMap, at path: String) -> PropertyValue {
        [
            "links": .array(own("\(path)/map/tiles")),
            "tilesets": .array(ServedTileGrid.all.map { tileset($0, of: map, at: path) }),
        ]
    }

    /// Returns a tileset (OGC 20-057, clause 9).
    func tileset(_ served: ServedTileGrid, of map: PublishedMap, at path: String) -> PropertyValue {
        let own = "\(path)/map/tiles/\(served.id)", degrees = map.degrees
        let formats = ServedFormat.allCases.filter(\.hasPixels)
        let limits = served.grid.matrices.enumerated().filter { map.zooms.contains($0.offset) }.map {
            level, matrix -> PropertyValue in
            [
                "tileMatrix": .string("\(level)"), "minTileRow": 0, "maxTileRow": .integer(matrix.rowCount - 1),
                "minTileCol": 0, "maxTileCol": .integer(matrix.columnCount - 1),
            ]
        }
        var members: Properties = [
            "title": .string(map.title), "dataType": "map", "crs": .string(served.crsURI),
            "tileMatrixSetURI": .string(served.uri), "tileMatrixSetLimits": .array(limits),
            "boundingBox": Self.box(degrees, crs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84"),
            "links": .array(
                self.own(own) + [
                    link(
                        Self.relations + "tiling-scheme", "/tileMatrixSets/\(served.id)", "application/json",
                        title: served.id)
                ]
                    + formats.map {
                        link(
                            "item", "\(own)/{tileMatrix}/{tileRow}/{tileCol}?f=\($0.rawValue)", $0.mediaType,
                            isTemplate: true)
                    }),
        ]
        // OpenLayers counts levels from 0 in the set that it reads, and the limits have to begin there.
        if map.zooms.lowerBound > 0 { members["tileMatrixSet"] = grid(served, levels: map.zooms) }
        return .object(members)
    }
}

extension CRS {
    /// The CRS identifier in the form of OGC 09-048r5.
    var uri: String {
        let parts = name.split(separator: ":")
        guard parts.count == 2 else { return name }
        return parts[0] == "CRS"
            ? "http://www.opengis.net/def/crs/OGC/1.3/CRS\(parts[1])"
            : "http://www.opengis.net/def/crs/\(parts[0])/0/\(parts[1])"
    }
}

extension [CRS] {
    /// The distinct elements in order.
    fileprivate var unique: [CRS] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
