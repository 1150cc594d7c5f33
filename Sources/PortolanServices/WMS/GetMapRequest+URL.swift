import PortolanWeb

extension GetMapRequest {
    /// The address to get the picture from.
    ///
    /// Parameters stand in one order with names in capitals, so that equal requests have equal addresses. `STYLES` is
    /// always there, with as many entries as `LAYERS`. Parameters of the protocol that stand in the base address are
    /// dropped, its others come first.
    ///
    /// Follows OGC 06-042 table 8, OGC 01-068r3 table 9, OGC 01-047r2 and OGC 00-028 6.2.8.
    public var url: String {
        ServiceURL(baseURL).url(
            with: parameters(of: version == .v1_0_0 ? "map" : "GetMap"), dropping: WMSParameters.ofProtocol)
    }

    /// The parameters of an operation that takes a picture's, as GetMap and GetFeatureInfo do, in their order.
    func parameters(of operation: String) -> [(name: String, value: String)] {
        var parameters = WMSParameters.opening(version: version, request: operation) + pictureParameters
        for extra in extraParameters {
            let value = PercentEncoding.value(extra.value)
            if let index = parameters.firstIndex(where: { $0.name == extra.name.uppercased() }) {
                parameters[index].value = value
            } else {
                parameters.append((extra.name, value))
            }
        }
        return parameters
    }

    private var pictureParameters: [(name: String, value: String)] {
        let padding = Array(repeating: "", count: max(layers.count - styles.count, 0))
        let format = version == .v1_0_0 ? WMSFormat(format).elementName : format
        var parameters = [
            ("LAYERS", layers.map(PercentEncoding.listItem).joined(separator: ",")),
            ("STYLES", (styles + padding).map(PercentEncoding.listItem).joined(separator: ",")),
            (version.crsParameter, PercentEncoding.value(crsName)),
            ("BBOX", BoundingBoxWriter.string(for: extent, crs: crs, version: version, axisOrder: axisOrder)),
            ("WIDTH", String(width)),
            ("HEIGHT", String(height)),
            ("FORMAT", PercentEncoding.value(format)),
        ]
        if let isTransparent { parameters.append(("TRANSPARENT", isTransparent ? "TRUE" : "FALSE")) }
        if let background { parameters.append(("BGCOLOR", background.hexadecimal)) }
        if let exceptions { parameters.append(("EXCEPTIONS", PercentEncoding.value(exceptions))) }
        return parameters
    }
}

extension GetMapRequest.Color {
    /// The colour as `0xRRGGBB`.
    package var hexadecimal: String {
        let digits = String(Int(red) << 16 | Int(green) << 8 | Int(blue), radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
