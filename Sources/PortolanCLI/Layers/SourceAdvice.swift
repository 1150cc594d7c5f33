import Portolan
import PortolanWeb

/// What to write instead of a source that is something else than it is taken for.
enum SourceAdvice {
    /// Whether a source is on this machine.
    static func isFile(_ source: String) -> Bool {
        source.hasPrefix("data:") || source.hasPrefix("file:") || !source.contains("://")
    }

    /// How another program makes GeoJSON of a file.
    static func conversion(of source: String) -> String {
        "convert it first, as with ogr2ogr -f GeoJSON -t_srs EPSG:4326 out.geojson \(source == "-" ? "FILE" : source)"
    }

    /// The kind of a file that is no features in GeoJSON, and what to do with it; `nil` when it may be features.
    static func sentence(about bytes: [UInt8], from source: String) -> String? {
        let (kind, advice): (String, String)
        switch ContentKind(recognizing: bytes) {
        case .shapefile: (kind, advice) = ("a Shapefile", conversion(of: source))
        case .flatGeobuf: (kind, advice) = ("a FlatGeobuf file", conversion(of: source))
        case .zip: (kind, advice) = ("a ZIP archive", "unpack it; of what is in it GeoJSON can be drawn")
        case .gzip: (kind, advice) = ("a gzip file", "unpack it first, as with gunzip \(source)")
        case .tiff:
            let tiles = "gdal_translate -of MBTILES \(source) out.mbtiles, and write mbtiles:out.mbtiles"
            (kind, advice) = ("a TIFF", "make tiles of it first, as with \(tiles)")
        case .pdf: (kind, advice) = ("a PDF", "only GeoJSON can be drawn")
        default: return nil
        }
        return "'\(source)' is \(kind); \(advice)"
    }

    /// What to do with an address of some kind; `nil` where there is nothing to say.
    ///
    /// - Parameter wanted: the kind of layer that it was given as, or `nil` where it was none.
    static func advice(for kind: AnswerKind, at url: String, wanted: LayerKind?) -> String? {
        switch kind {
        case .wms, .wmts, .tms: "write \(kind.rawValue):\(url) instead"
        case .geoJSON: "write it without a kind, as -l \(url)"
        case .features: "of files of features GeoJSON alone is read; convert it first"
        case .tileJSON: "write xyz: with the template that stands in its \"tiles\""
        case .style: "tiles of pictures are drawn, not vector tiles; look for a WMTS or XYZ address of the same map"
        case .wfs:
            "WFS is not supported; download its features as GeoJSON, with REQUEST=GetFeature and "
                + "OUTPUTFORMAT=application/json, or look for the WMS of the same server"
        case .wcs, .csw: "that is not supported; look for the WMS or WMTS of the same server"
        case .arcGIS: arcGISAdvice(url)
        case .image: wanted == nil ? nil : "write xyz: with a template, {z} {x} {y} in place of the numbers of the tile"
        case .json, .page: nil
        }
    }

    /// An ArcGIS server has its WMS, where it is switched on, beside the folder `rest`.
    private static func arcGISAdvice(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let rest = path.firstRange(of: "/rest/services/"), let end = path.firstRange(of: "/MapServer") else {
            return "its own protocol is not supported; look for the WMS of the same server, whose address ends in "
                + "/MapServer/WMSServer"
        }
        let place =
            path[..<rest.lowerBound] + "/services/" + path[rest.upperBound..<max(end.lowerBound, rest.upperBound)]
        return "its own protocol is not supported; if its WMS is switched on, that is wms:\(place)/MapServer/WMSServer"
    }
}

extension CommandFailure {
    /// What a service or a file that cannot be used means for the user.
    init(_ error: ServiceError, of source: String) {
        if SourceAdvice.isFile(source) {
            let status: ExitStatus = source.hasPrefix("data:") ? .badData : .noInput
            self.init(status, "\(source): \(Self.reason(ofFile: error))")
            return
        }
        let status: ExitStatus =
            switch error.code {
            case .notFound: .noInput
            case .notOffered: .usage
            case .unreadable: .badData
            default: .unavailable
            }
        let advice = error.answersAs.flatMap { SourceAdvice.advice(for: $0, at: source, wanted: nil) }
        let message = error.description + (status == .badData ? advice.map { "; \($0)" } ?? "" : "")
        self.init(status, message, httpStatus: error.status)
    }

    /// Why a file cannot be had: the name of the code says nothing more of a file.
    private static func reason(ofFile error: ServiceError) -> String {
        switch error.cause {
        case .fetch(let cause): cause.detail
        default: error.detail
        }
    }

    /// What is wrong with a layer whose address is of something that its kind cannot be, and what to write instead; `nil`
    /// where another kind or address does not mend it.
    init?(ofOtherKind error: ServiceError, _ specification: LayerSpecification) {
        guard let kind = error.answersAs,
            let advice = SourceAdvice.advice(for: kind, at: specification.source, wanted: specification.kind)
        else { return nil }
        let prefix = specification.kind == .features ? "" : specification.kind.name + ":"
        self.init(.usage, "layer '\(prefix)\(specification.source)': this address \(kind.words); \(advice)")
    }
}
