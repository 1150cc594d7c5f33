import PortolanGeo
import PortolanWeb

/// The protocol of a map request.
package enum MapRequestDialect: String, Hashable, Sendable {
    /// A WMS.
    case wms
    /// An OGC API – Maps (OGC 20-058).
    case ogcAPIMaps
    /// The operation `export` of an ArcGIS `MapServer`.
    case arcGISMap
    /// The operation `exportImage` of an ArcGIS `ImageServer`.
    case arcGISImage

    /// The kind of layer.
    package var kind: String {
        switch self {
        case .wms: "wms"
        case .ogcAPIMaps: "oam"
        case .arcGISMap, .arcGISImage: "arcgis"
        }
    }
}

extension GetMapRequest {
    /// The parameters of protocols other than WMS.
    var otherParameters: [(name: String, value: String)] {
        switch dialect {
        case .wms: []
        case .ogcAPIMaps: ogcParameters
        case .arcGISMap, .arcGISImage: arcGISParameters
        }
    }

    /// The names of base URL parameters that are not those of an image request.
    static let otherNames: Set<String> = [
        "BBOX", "BBOX-CRS", "CRS", "WIDTH", "HEIGHT", "TRANSPARENT", "COLLECTIONS", "BBOXSR", "IMAGESR", "SIZE", "DPI",
    ]

    /// The parameters of OGC 20-058, clauses 7.4 and 8 to 13.
    ///
    /// Boxes are in the axis order of the CRS.
    private var ogcParameters: [(name: String, value: String)] {
        let box = BoundingBoxWriter.string(
            for: extent, isNorthFirst: BoundingBoxWriter.isNorthFirst(crs: crs, axisOrder: axisOrder))
        var parameters = [("bbox", box)]
        // The default is degrees, east first.
        if crs != .crs84 {
            parameters += [("bbox-crs", PercentEncoding.value(crsName)), ("crs", PercentEncoding.value(crsName))]
        }
        parameters += [("width", String(width)), ("height", String(height))]
        if let isTransparent { parameters.append(("transparent", isTransparent ? "true" : "false")) }
        if layers.count > 1 {
            parameters.append(("collections", layers.map(PercentEncoding.listItem).joined(separator: ",")))
        }
        return parameters.map { (name: $0.0, value: $0.1) }
    }

    /// The parameters of `export` and `exportImage`; x is first in any CRS.
    private var arcGISParameters: [(name: String, value: String)] {
        var parameters = [
            ("bbox", BoundingBoxWriter.string(for: extent, isNorthFirst: false)), ("bboxSR", crsName),
            ("imageSR", crsName), ("size", "\(width),\(height)"), ("format", PercentEncoding.value(format)),
        ]
        if dialect == .arcGISMap {
            if let isTransparent { parameters.append(("transparent", isTransparent ? "true" : "false")) }
            if layers != [""] {
                let numbers = layers.map(PercentEncoding.listItem).joined(separator: ",")
                parameters.append(("layers", "show:\(numbers)"))
            }
        }
        return parameters.map { (name: $0.0, value: $0.1) }
    }
}
