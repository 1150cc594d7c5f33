import Portolan

extension LayerBuilder {
    /// What is wrong with a layer whose address is of something that its kind cannot be, and what to write instead; `nil`
    /// where the user cannot mend it by writing another kind or address.
    static func failure(
        ofOtherKind error: ServiceError, _ specification: LayerSpecification
    ) -> CommandFailure? {
        guard let kind = error.answersAs,
            let advice = advice(for: kind, at: specification.source, wanted: specification.kind)
        else { return nil }
        let prefix = specification.kind == .features ? "" : specification.kind.rawValue + ":"
        return CommandFailure(
            .usage, "layer '\(prefix)\(specification.source)': this address \(kind.words); \(advice)")
    }

    /// What to do with an address of some kind; `nil` where there is nothing to say.
    static func advice(for kind: AnswerKind, at url: String, wanted: LayerSpecification.Kind?) -> String? {
        switch kind {
        case .wms, .wmts, .tms: "write \(kind.rawValue):\(url) instead"
        case .geoJSON: "write it without a kind, as -l \(url)"
        case .features: "of files of features GeoJSON alone is read; convert it first"
        case .tileJSON: "write xyz: with the template that stands in its \"tiles\""
        case .style: "tiles of pictures are drawn, not vector tiles; look for a WMTS or XYZ address of the same map"
        case .wfs:
            "a WFS is not spoken; download its features as GeoJSON, with REQUEST=GetFeature and "
                + "OUTPUTFORMAT=application/json, or look for the WMS of the same server"
        case .wcs, .csw: "that is not spoken; look for the WMS or WMTS of the same server"
        case .arcGIS: arcGISAdvice(url)
        case .image: wanted == nil ? nil : "write xyz: with a template, {z} {x} {y} in place of the numbers of the tile"
        case .json, .page: nil
        }
    }

    /// An ArcGIS server has its WMS, where it is switched on, beside the folder `rest`.
    private static func arcGISAdvice(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let rest = path.firstRange(of: "/rest/services/"), let end = path.firstRange(of: "/MapServer") else {
            return "its own protocol is not spoken; look for the WMS of the same server, whose address ends in "
                + "/MapServer/WMSServer"
        }
        let place =
            path[..<rest.lowerBound] + "/services/" + path[rest.upperBound..<max(end.lowerBound, rest.upperBound)]
        return "its own protocol is not spoken; if its WMS is switched on, that is wms:\(place)/MapServer/WMSServer"
    }
}
