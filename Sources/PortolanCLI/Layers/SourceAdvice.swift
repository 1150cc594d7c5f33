import Portolan
import PortolanArchives
import PortolanFeatures
import PortolanFormats
import PortolanServices
import PortolanWeb

/// Advice for sources of an unexpected kind.
enum SourceAdvice {
    /// A command that converts a file to GeoJSON.
    static func conversion(of source: String) -> String {
        "convert it first, as with ogr2ogr -f GeoJSON -t_srs EPSG:4326 out.geojson \(source == "-" ? "FILE" : source)"
    }

    /// Advice for a file that has no features, or `nil` if its kind is self-explanatory.
    static func advice(for file: FeatureFileError.FileKind, at source: String) -> String? {
        if file.isVectorData { return conversion(of: source) }
        return switch file {
        case .zip, .archive: "unpack it; KMZ is the only archive that is read"
        case .encryptedZip: "unpack it with its password"
        case .splitZip: "join the parts of the archive and unpack it"
        case .gzip: "unpack it first, as with gunzip \(source)"
        case .tiff: "write geotiff:\(source), or hillshade: or contours: for elevations"
        case .netCDF, .hdf5, .grib, .asciiGrid:
            "make tiles first, as with gdal_translate -of MBTILES \(source) out.mbtiles, and write "
                + "mbtiles:out.mbtiles"
        case .pmtiles: "write pmtiles:\(source)"
        case .vectorTile: "write vector: with a template of tiles, as vector:FOLDER/{z}/{x}/{y}.pbf"
        case .mapboxStyle: "write style:\(source)"
        case .mapDocument: "a map document is given without -l"
        case .tileJSON: "write tilejson:\(source)"
        case .sld: "give it to the layer of features that it is for, as FEATURES;style=\(source)"
        case .shapefileIndex, .dBase, .projection: "use the .shp file, which has the geometries"
        case .mapInfoTable:
            "convert the table with the files beside it, as with ogr2ogr -f GeoJSON out.geojson \(source)"
        case .zippedTimetable: "draw it with -l transit:\(source), or read it with portolan transit"
        case .timetableTable: "write transit: with the folder or the archive of all its tables"
        case .gtfsRealtime, .siri, .vehicleRecording: "write vehicles:\(source)"
        case .spreadsheet: "save its table as CSV with coordinate columns"
        case .fit, .tcx, .igc: "convert it to GPX first, as with gpsbabel"
        case .nmea: "make a route with portolan routes record, or convert it to GPX, as with gpsbabel"
        case .utf16: "save it as UTF-8"
        case .table: "add coordinate columns, or name them with ;x-column=…;y-column=… or ;geometry-column=…"
        case .ogcAPI:
            "write oaf: (features), oat: (tiles) or oam: (maps) before the URL"
        case .esriLayer: arcGISAdvice(source)
        case .page where FileAddress.isLocal(source): "open it in a browser"
        case .page: "if this is a map service, portolan info '\(source)' shows its kind, such as wms:"
        case .pdf, .text, .binary, .xml, .json, .protobuf, .svg, .officeDocument, .osmChange:
            "supported feature formats: GeoJSON, KML, GPX, GML, GeoRSS, FlatGeobuf, GeoParquet, Shapefile, GeoPackage, "
                + "CSV and WKT"
        default: nil
        }
    }

    /// Advice for a URL of some kind, or `nil`.
    ///
    /// - Parameter wanted: the kind in the source, or `nil`.
    static func advice(for kind: AnswerKind, at url: String, wanted: LayerKind?) -> String? {
        // The source already has this kind: the error is elsewhere.
        if wanted?.name == kind.rawValue { return nil }
        return switch kind {
        case .wms, .wmts, .tms, .wfs: "write \(kind.rawValue):\(url) instead"
        case .geoJSON, .features: "omit the kind, as in -l \(url)"
        case .tileJSON: "write tilejson:\(url) instead"
        case .style: "write style:\(url) instead"
        case .wcs, .csw: "this is not supported; look for a WMS or WMTS on the same server"
        case .arcGIS: arcGISAdvice(url)
        case .image: wanted == nil ? nil : "write xyz: with a template, as https://example.org/{z}/{x}/{y}.png"
        case .json, .page: nil
        }
    }

    /// Map and image services are supported, other ArcGIS services are not.
    private static func arcGISAdvice(_ url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }, lower = path.lowercased()
        if lower.contains("/mapserver") || lower.contains("/imageserver") {
            guard let rest = path.firstRange(of: "/rest/services/"), let end = path.firstRange(of: "/MapServer") else {
                return "write arcgis:\(path) instead"
            }
            // Its WMS, if enabled, is next to the folder `rest`.
            let name = path[rest.upperBound..<max(end.lowerBound, rest.upperBound)]
            return
                "write arcgis:\(path) instead, or if WMS is enabled wms:\(path[..<rest.lowerBound])/services/"
                + "\(name)/MapServer/WMSServer"
        }
        return "only ArcGIS services that end in /MapServer or /ImageServer are drawn, as arcgis:URL"
    }
}

extension CommandFailure {
    /// The failure of a service or file that cannot be used.
    init(_ error: ServiceError, of source: String) {
        if FileAddress.isLocal(source) {
            let status: ExitStatus = source.hasPrefix("data:") ? .badData : .noInput
            var reason = Self.reason(ofFile: error)
            if case .fetch(let cause) = error.cause, cause.code == .bodyTooLarge {
                reason += "; make vector tiles of it with portolan tile, and draw those"
            }
            self.init(status, "\(source): \(reason)")
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

    /// The reason for a file that cannot be read.
    ///
    /// The name of the code adds nothing for files.
    private static func reason(ofFile error: ServiceError) -> String {
        switch error.cause {
        case .fetch(let cause): cause.detail
        default: error.detail
        }
    }

    /// The failure of the most specific inner error, or else of the code.
    init(_ error: MapError) {
        switch error.inner {
        case let error as LayerError: self.init(error)
        case let error as DocumentError: self.init(error)
        case let error as ViewRequestError: self.init(error)
        case let error as ServiceError: self.init(error, of: error.url)
        case let error as ArchiveError: self.init(error)
        default:
            let status: ExitStatus =
                switch error.code {
                case .notFound: .noInput
                case .invalidArgument, .unknownName, .duplicate, .notOffered, .notAllowed, .notBuiltIn: .usage
                case .timedOut, .network, .tls, .httpStatus, .unavailable, .offline, .serviceException: .unavailable
                case .unwritableFile, .busy: .cannotCreate
                case .cancelled: .interrupted
                default: .badData
                }
            self.init(status, error.description, httpStatus: error.httpStatus)
        }
    }

    /// The failure of a layer that cannot be made, with advice.
    init(_ error: LayerError) {
        let source = error.source
        func saying(_ status: ExitStatus, _ advice: String? = nil) -> CommandFailure {
            CommandFailure(status, error.description + (advice.map { "; \($0)" } ?? ""))
        }
        switch error.cause {
        case .specification, .value, .duplicateName, .foreign, .refused: self = saying(.usage)
        case .missingKey(_, let offer):
            let listed = offer == .tileSets ? "the tile sets" : "them"
            self = saying(.usage, "portolan info '\(source)' lists \(listed)")
        case .template:
            let isService = !source.contains("{")
            self = saying(
                .usage, isService ? "if this is a service, portolan info '\(source)' shows its kind" : nil)
        case .service(let cause): self.init(cause, of: source)
        case .otherKind(let kind): self = saying(.usage, SourceAdvice.advice(for: kind, at: source, wanted: error.kind))
        case .deadline: self.init(.unavailable, error.description + " (--deadline)")
        case .noFile: self = saying(.noInput)
        case .archive(let cause): self.init(cause)
        case .file(let file) where file.isDatabase: self = saying(.usage)
        case .file(let kind): self = saying(.badData, SourceAdvice.advice(for: kind, at: source))
        case .document(let kind):
            self = saying(.usage, SourceAdvice.advice(for: kind, at: source, wanted: .features))
        case .geoJSON, .features, .style: self = saying(.badData)
        case .memory: self = .tooLarge(error.description)
        case .repaired: self.init(.badData, error.description + " (refused by --strict)")
        }
    }

    /// The failure of a missing file.
    init(noFileAt path: String) { self.init(LayerError(.noFile, source: path)) }

    /// The failure of a tile file that cannot be used.
    init(_ error: ArchiveError) {
        let status: ExitStatus =
            switch error.code {
            case .cannotOpen: .noInput
            case .invalid: .usage
            default: .badData
            }
        self.init(status, error.description)
    }

    /// The failure of a document that cannot be read.
    init(_ error: DocumentError) {
        func saying(_ status: ExitStatus, _ advice: String? = nil) -> CommandFailure {
            CommandFailure(status, error.description + (advice.map { "; \($0)" } ?? ""))
        }
        switch error.cause {
        case .missing: self = saying(.noInput, Self.adviceForLayer(error.place))
        case .folder, .unreadable: self = saying(.noInput)
        case .notWritable: self = saying(.cannotCreate)
        case .json(_, line: nil): self = saying(.badData, Self.adviceForLayer(error.place))
        case .tooLarge, .json, .content, .view: self = saying(.badData)
        case .features: self = saying(.badData, "draw it with -l \(error.place)")
        case .layer(let number, let cause):
            let failure = CommandFailure(cause)
            self = failure.inDocument("\(error.place): layer \(number): \(failure.message)")
        }
    }

    /// Advice for an argument other than a map document: it may be a layer, or follow an option that takes no value.
    private static func adviceForLayer(_ argument: String) -> String {
        let arguments = CommandLine.arguments, advice = "add a layer with -l"
        guard let place = arguments.lastIndex(of: argument), place > 0 else { return advice }
        let option = arguments[place - 1]
        return option.hasPrefix("--") ? "\(option) takes no value; \(advice)" : advice
    }

    /// The result of `work`.
    ///
    /// Errors of services and files are converted like in ``init(_:of:)``.
    static func service<Value>(
        of source: String, _ work: () throws(ServiceError) -> Value
    ) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure(error, of: source) }
    }

    /// The result of `work`.
    ///
    /// Layer errors are converted to failures.
    static func layer<Value>(_ work: () throws(MapError) -> Value) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure(error) }
    }
}

extension LayerBuilder.Built {
    /// The failure of the layer.
    ///
    /// The command ends with it if no other layer has data.
    var commandFailure: CommandFailure? {
        guard let failure else { return nil }
        guard let error = failure.layerError?.serviceError else { return CommandFailure(failure) }
        return CommandFailure(failure).saying(error.description)
    }

    /// The report entry of a layer without data.
    var missing: RenderReport.Layer? {
        guard let failure, let words = commandFailure?.message else { return nil }
        let isData = specification.kind.readsFeatures
        let reported: RenderReport.Failure =
            switch failure.layerError?.cause {
            case .memory: .init(resource: "features", code: .memory, error: words)
            case .deadline: .init(resource: "capabilities", code: .deadline, status: nil, error: words)
            case .service(let error):
                .init(
                    resource: isData ? "features" : "capabilities", code: .service, status: error.status, error: words)
            default: .init(resource: isData ? "features" : "capabilities", code: .service, error: words)
            }
        return RenderReport.Layer(name: name, kind: specification.kind.name, failure: reported)
    }
}
