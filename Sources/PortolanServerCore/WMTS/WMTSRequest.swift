import PortolanGeo

/// A request to a Web Map Tile Service (OGC 07-057r7), from a query or a path.
package struct WMTSRequest: Hashable, Sendable {
    /// The operations.
    package enum Operation: Hashable, Sendable {
        case capabilities
        case tile(Tile)
        case featureInfo(Tile, i: Int, j: Int, format: String?)
    }

    /// A tile of a layer.
    package struct Tile: Hashable, Sendable {
        /// The name of the layer.
        package var layer: String
        /// The tile address with its format.
        package var address: TileAddress
        /// The values of the layer's dimensions.
        package var dimensions = Dimensions.listed([])

        /// The values of dimensions in a request.
        package enum Dimensions: Hashable, Sendable {
            /// By lowercase parameter name, among other parameters.
            case named([String: String])
            /// In the order of the layer's capabilities; empty for their defaults.
            case listed([String])
        }
    }

    /// The operation.
    package let operation: Operation

    /// Parses the items of a query.
    ///
    /// Parameter names ignore case.
    package init(_ query: Query) throws(ServiceFault) {
        func required(_ key: String) throws(ServiceFault) -> String {
            guard let value = query[anyCase: key], !value.isEmpty else {
                throw ServiceFault(.missingParameterValue, "missing '\(key)'", key: key)
            }
            return value
        }
        func whole(_ key: String) throws(ServiceFault) -> Int {
            let text = try required(key)
            guard let value = try? RequestText.whole(text, key) else {
                throw ServiceFault(.invalidParameterValue, "must be a whole number", key: key)
            }
            return value
        }
        let service = try required("service")
        guard service.lowercased() == "wmts" else {
            throw ServiceFault(
                .invalidParameterValue, "unsupported service '\(service)'; this is a WMTS", key: "service")
        }
        let name = try required("request")
        if name.lowercased() != "getcapabilities", let version = query[anyCase: "version"], version != "1.0.0" {
            throw ServiceFault(.invalidParameterValue, "unsupported version; use 1.0.0", key: "version")
        }
        switch name.lowercased() {
        case "getcapabilities":
            if let versions = query[anyCase: "acceptversions"], !versions.isEmpty,
                !versions.split(separator: ",").contains("1.0.0")
            {
                throw ServiceFault(.versionNegotiationFailed, "unsupported version; use 1.0.0", key: "acceptversions")
            }
            operation = .capabilities
        case "gettile", "getfeatureinfo":
            var tile = try Tile(
                layer: try required("layer"), style: query[anyCase: "style"] ?? "",
                grid: try required("tilematrixset"), level: try required("tilematrix"), row: try whole("tilerow"),
                column: try whole("tilecol"), mediaType: try required("format"))
            tile.dimensions = .named(
                Dictionary(query.items.map { ($0.name.lowercased(), $0.value) }) { first, _ in first })
            guard name.lowercased() == "getfeatureinfo" else {
                operation = .tile(tile)
                return
            }
            operation = .featureInfo(
                tile, i: try whole("i"), j: try whole("j"), format: try required("infoformat"))
        default: throw ServiceFault(.operationNotSupported, "unknown operation '\(name)'", key: "request")
        }
    }

    /// Parses the path of a resource: `1.0.0/WMTSCapabilities.xml`, or
    /// `{layer}/{style}[/{dimension}…]/{grid}/{level}/{row}/{column}[/{j}/{i}].{format}`.
    package init(path: some Collection<String>) throws(ServiceFault) {
        let parts = Array(path)
        if parts == ["1.0.0", "WMTSCapabilities.xml"] {
            operation = .capabilities
            return
        }
        func missing(_ detail: String, _ key: String? = nil) -> ServiceFault {
            ServiceFault(.invalidParameterValue, Problem(.notFound, detail, key: key))
        }
        guard parts.count >= 6, let last = parts.last, let dot = last.lastIndex(of: ".") else {
            throw missing("the path of a tile is /wmts/{layer}/{style}/{grid}/{level}/{row}/{column}.png")
        }
        let ending = String(last[last.index(after: dot)...]), infoType = Self.infoTypes[ending]
        let isTile = infoType == nil, places = isTile ? 4 : 6
        guard parts.count >= 2 + places else {
            throw missing("the path of a pixel is /wmts/{layer}/{style}/{grid}/{level}/{row}/{column}/{j}/{i}.txt")
        }
        // The tile matrix set, and what follows it.
        let place = Array(parts.suffix(places))
        var numbers = Array(place[2...])
        numbers[numbers.count - 1] = String(last[..<dot])
        var values: [Int] = []
        for (text, key) in zip(numbers, ["tilerow", "tilecol", "j", "i"]) {
            guard let value = try? RequestText.whole(text, key) else {
                throw missing("'\(text)' is not a whole number", key)
            }
            values.append(value)
        }
        let format = isTile ? ServedFormat(name: ending) : .png
        guard let format, format.hasPixels else { throw missing("unknown format '\(ending)'", "format") }
        var tile: Tile
        do throws(ServiceFault) {
            tile = try Tile(
                layer: parts[0], style: parts[1], grid: place[0], level: place[1], row: values[0], column: values[1],
                mediaType: format.mediaType)
        } catch { throw error.notFound }
        tile.dimensions = .listed(Array(parts[2..<parts.count - places]))
        operation = isTile ? .tile(tile) : .featureInfo(tile, i: values[3], j: values[2], format: infoType)
    }

    /// The media types of feature info by the end of the path.
    private static let infoTypes = [
        "txt": "text/plain", "json": "application/json", "geojson": "application/json", "html": "text/html",
    ]
}

extension WMTSRequest.Tile {
    fileprivate init(
        layer: String, style: String, grid: String, level: String, row: Int, column: Int, mediaType: String
    ) throws(ServiceFault) {
        guard ["", "default"].contains(style) else {
            throw ServiceFault(.invalidParameterValue, "unknown style '\(style)'", key: "style")
        }
        guard let format = ServedFormat(mediaType: mediaType), format.hasPixels else {
            throw ServiceFault(.invalidParameterValue, "unsupported format '\(mediaType)'", key: "format")
        }
        guard let served = ServedTileGrid.named(grid) else {
            throw ServiceFault(.invalidParameterValue, "unknown tile matrix set '\(grid)'", key: "tilematrixset")
        }
        guard let place = try? RequestText.whole(level, "tilematrix"), served.grid.matrices.indices.contains(place)
        else { throw ServiceFault(.invalidParameterValue, "unknown tile matrix '\(level)'", key: "tilematrix") }
        self.layer = layer
        address = TileAddress(grid: grid, level: place, column: column, row: row, format: format)
    }
}

extension ServiceFault {
    /// The fault of an invalid path, which is answered with 404 (OGC 07-057r7, clause 10.2).
    var notFound: ServiceFault {
        guard problem.kind == .badRequest else { return self }
        return ServiceFault(
            code, Problem(.notFound, problem.detail, key: problem.key, position: problem.position))
    }
}
