import PortolanGeo
import PortolanPlan
import PortolanServices
import PortolanWeb

/// The capabilities of a Web Map Tile Service (OGC 07-057r7, clause 7.1.1.2).
struct WMTSCapabilitiesDocument {
    private let context: ServingContext

    init(_ context: ServingContext) { self.context = context }

    /// The union of the zoom levels of all maps.
    ///
    /// Other levels are not listed, so that most maps need no limits.
    private var levels: ClosedRange<Int> {
        let zooms = context.book.maps.map(\.zooms)
        return (zooms.map(\.lowerBound).min() ?? 0)...(zooms.map(\.upperBound).max() ?? 0)
    }

    /// The document in UTF-8.
    var bytes: [UInt8] {
        var writer = MarkupWriter()
        writer.element(
            "Capabilities",
            [
                "version": "1.0.0", "xmlns": "http://www.opengis.net/wmts/1.0",
                "xmlns:ows": "http://www.opengis.net/ows/1.1", "xmlns:xlink": "http://www.w3.org/1999/xlink",
                "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
                "xsi:schemaLocation":
                    "http://www.opengis.net/wmts/1.0 http://schemas.opengis.net/wmts/1.0/wmtsGetCapabilities_response.xsd",
            ]
        ) { root in
            root.element("ows:ServiceIdentification") { service in
                service.element("ows:Title", [:], context.title)
                service.element("ows:ServiceType", [:], "OGC WMTS")
                service.element("ows:ServiceTypeVersion", [:], "1.0.0")
                service.element("ows:Fees", [:], "none")
                service.element("ows:AccessConstraints", [:], "none")
            }
            root.element("ows:OperationsMetadata") { operations in
                for name in ["GetCapabilities", "GetTile", "GetFeatureInfo"] { operation(&operations, name) }
            }
            root.element("Contents") { contents in
                for layer in context.book.namedLayers { self.layer(&contents, layer) }
                for grid in ServedTileGrid.all { self.grid(&contents, grid) }
            }
            root.element(
                "ServiceMetadataURL", ["xlink:href": "\(context.base)/wmts/1.0.0/WMTSCapabilities.xml"])
        }
        return writer.bytes
    }

    private func operation(_ operations: inout MarkupWriter, _ name: String) {
        operations.element("ows:Operation", ["name": name]) { operation in
            operation.element("ows:DCP") { dcp in
                dcp.element("ows:HTTP") { http in
                    http.element("ows:Get", ["xlink:href": "\(context.base)/wmts?"]) { get in
                        get.element("ows:Constraint", ["name": "GetEncoding"]) { constraint in
                            constraint.element("ows:AllowedValues") { $0.element("ows:Value", [:], "KVP") }
                        }
                    }
                }
            }
        }
    }

    private func layer(_ contents: inout MarkupWriter, _ layer: NamedLayer) {
        let degrees = layer.map.degrees.map(NumberText.decimal)
        contents.element("Layer") { writer in
            writer.element("ows:Title", [:], layer.title)
            writer.element("ows:WGS84BoundingBox") { box in
                box.element("ows:LowerCorner", [:], "\(degrees[0]) \(degrees[1])")
                box.element("ows:UpperCorner", [:], "\(degrees[2]) \(degrees[3])")
            }
            writer.element("ows:Identifier", [:], layer.name)
            writer.element("Style", ["isDefault": "true"]) { $0.element("ows:Identifier", [:], "default") }
            let formats = ServedFormat.allCases.filter(\.hasPixels)
            for format in formats { writer.element("Format", [:], format.mediaType) }
            if layer.isQueryable {
                for format in PlaceFormat.allCases { writer.element("InfoFormat", [:], format.mediaType) }
            }
            for dimension in layer.dimensions { self.dimension(&writer, dimension) }
            for grid in ServedTileGrid.all {
                writer.element("TileMatrixSetLink") { link in
                    link.element("TileMatrixSet", [:], grid.id)
                    limits(&link, grid, layer.map.zooms)
                }
            }
            let chosen = layer.dimensions.map { "/{\($0.name.lowercased())}" }.joined()
            let place = "{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}"
            let tile = "\(context.base)/wmts/\(layer.name)/{Style}\(chosen)/\(place)"
            for format in formats {
                writer.element(
                    "ResourceURL",
                    ["format": format.mediaType, "resourceType": "tile", "template": "\(tile).\(format.rawValue)"])
            }
            guard layer.isQueryable else { return }
            for (format, ending) in [(PlaceFormat.text, "txt"), (.json, "json"), (.html, "html")] {
                writer.element(
                    "ResourceURL",
                    [
                        "format": format.mediaType, "resourceType": "FeatureInfo",
                        "template": "\(tile)/{J}/{I}.\(ending)",
                    ])
            }
        }
    }

    /// Writes a dimension (OGC 07-057r7, clause 7.1.1.1, table 9).
    private func dimension(_ layer: inout MarkupWriter, _ dimension: WMSCapabilities.Dimension) {
        layer.element("Dimension") { writer in
            writer.element("ows:Identifier", [:], dimension.name.lowercased())
            if !dimension.units.isEmpty { writer.element("ows:UOM", [:], dimension.units) }
            if let symbol = dimension.unitSymbol { writer.element("UnitSymbol", [:], symbol) }
            let usual = dimension.defaultValue ?? ""
            if !usual.isEmpty { writer.element("Default", [:], usual) }
            if dimension.takesCurrent { writer.element("Current", [:], "true") }
            let values = dimension.values.split(separator: ",").map { String($0).trimmingSpace() }
            for value in values.isEmpty ? [usual.isEmpty ? "default" : usual] : values {
                writer.element("Value", [:], value)
            }
        }
    }

    /// Writes the limits of the available zoom levels.
    private func limits(_ link: inout MarkupWriter, _ grid: ServedTileGrid, _ zooms: ClosedRange<Int>) {
        let matrices = grid.grid.matrices
        guard zooms != levels else { return }
        link.element("TileMatrixSetLimits") { limits in
            for level in zooms where matrices.indices.contains(level) {
                limits.element("TileMatrixLimits") { limit in
                    limit.element("TileMatrix", [:], "\(level)")
                    limit.element("MinTileRow", [:], "0")
                    limit.element("MaxTileRow", [:], "\(matrices[level].rowCount - 1)")
                    limit.element("MinTileCol", [:], "0")
                    limit.element("MaxTileCol", [:], "\(matrices[level].columnCount - 1)")
                }
            }
        }
    }

    private func grid(_ contents: inout MarkupWriter, _ served: ServedTileGrid) {
        contents.element("TileMatrixSet") { writer in
            writer.element("ows:Identifier", [:], served.id)
            writer.element("ows:SupportedCRS", [:], served.urn)
            if served.grid.crs == .webMercator {
                writer.element("WellKnownScaleSet", [:], "urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible")
            }
            for (level, matrix) in served.grid.matrices.enumerated() where levels.contains(level) {
                writer.element("TileMatrix") { writer in
                    writer.element("ows:Identifier", [:], "\(level)")
                    let scale = matrix.resolution.scaleDenominator(in: served.grid.crs)
                    writer.element("ScaleDenominator", [:], NumberText.decimal(scale))
                    // Both CRSs are written with the eastward axis first.
                    writer.element(
                        "TopLeftCorner", [:],
                        "\(NumberText.decimal(matrix.origin.x)) \(NumberText.decimal(matrix.origin.y))")
                    writer.element("TileWidth", [:], "\(matrix.tileWidth)")
                    writer.element("TileHeight", [:], "\(matrix.tileHeight)")
                    writer.element("MatrixWidth", [:], "\(matrix.columnCount)")
                    writer.element("MatrixHeight", [:], "\(matrix.rowCount)")
                }
            }
        }
    }
}
