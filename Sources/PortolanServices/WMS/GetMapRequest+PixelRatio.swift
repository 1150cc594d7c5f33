extension GetMapRequest {
    /// The request of a picture for a denser screen: as many pixels, with symbols and letters `ratio` times as large.
    ///
    /// More pixels alone would make them smaller to the eye. No standard has a word for it, so those of GeoServer
    /// (`FORMAT_OPTIONS=dpi:N`), MapServer (`MAP_RESOLUTION`) and QGIS Server (`DPI`) are all sent; each passes over those
    /// it does not know. GeoServer and QGIS count from 90 dots an inch, MapServer from 72. With a ratio of 1, or when the
    /// caller has set a resolution in the parameters or in the address, the request stays as it is.
    public func enlarged(byPixelRatio ratio: Double) -> GetMapRequest {
        guard ratio.isFinite, ratio > 0, ratio != 1 else { return self }
        let query = baseURL.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let inAddress = query.split(whereSeparator: { $0 == "&" || $0 == "?" }).map {
            Parameter(String($0.prefix { $0 != "=" }), String($0.drop { $0 != "=" }.dropFirst()))
        }
        let given = inAddress + extraParameters
        let options = given.last { $0.name.uppercased() == "FORMAT_OPTIONS" }
        let isSet = given.contains { ["DPI", "MAP_RESOLUTION", "MAP.RESOLUTION"].contains($0.name.uppercased()) }
        guard !isSet, options?.value.lowercased().contains("dpi:") != true else { return self }
        var request = self
        let resolution = Int((90 * ratio).rounded())
        request.extraParameters += [
            Parameter("MAP_RESOLUTION", String(Int((72 * ratio).rounded()))), Parameter("DPI", String(resolution)),
        ]
        // Other options of the caller's for the format stay beside it.
        let index = request.extraParameters.lastIndex { $0.name.uppercased() == "FORMAT_OPTIONS" }
        if let index {
            let own = request.extraParameters[index]
            request.extraParameters[index] = Parameter(own.name, own.value + ";dpi:\(resolution)")
        } else if options == nil {
            request.extraParameters.append(Parameter("FORMAT_OPTIONS", "dpi:\(resolution)"))
        }
        return request
    }
}
