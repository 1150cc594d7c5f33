import PortolanGeo
import PortolanServices
import PortolanWeb
import Testing

@Suite struct WMSNegotiationTests {
    private let base: BaseURL = "http://127.0.0.1:18080/wms"

    private func template(
        _ options: WMSOptions, _ file: String = "mapserver/caps-1.3.0.xml", base: BaseURL? = nil,
        crs: CRS = .webMercator, around extent: Extent? = nil, change: (inout WMSCapabilities) -> Void = { _ in }
    ) throws -> WMSMapTemplate {
        var capabilities = try WMSCapabilitiesReader.read(Fixture.bytes(file))
        change(&capabilities)
        return try WMSNegotiation.template(
            for: options, of: capabilities, baseURL: base ?? self.base, mapCRS: crs, around: extent)
    }

    private func failure(_ options: WMSOptions, crs: CRS = .webMercator) throws -> WMSNegotiationError? {
        do {
            _ = try template(options, crs: crs)
            return nil
        } catch let error as WMSNegotiationError {
            return error
        }
    }

    @Test func `unset options get defaults from the service`() throws {
        let template = try template(WMSOptions(layers: ["relief", "countries"]))
        #expect(template.version == .v1_3_0)
        #expect(template.baseURL.text == "http://127.0.0.1:18080/wms")
        #expect(template.styles == ["", ""])
        #expect(template.crs == .webMercator)
        #expect(template.crsName == "EPSG:3857")
        #expect(!template.needsReprojection)
        #expect(template.format == "image/png")
        #expect(template.isTransparent)
        #expect(template.maxWidth == 2048)
        #expect(template.attributions.count == 1)
        #expect(template.warnings == [])
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        #expect(
            template.request(extent: extent, width: 2, height: 2).url.hasPrefix(
                "http://127.0.0.1:18080/wms?SERVICE=WMS&VERSION=1.3.0&REQUEST=GetMap&LAYERS=relief,countries&STYLES=,&CRS="
            ))
    }

    @Test func `an unknown layer is an error that lists the available layers`() throws {
        guard
            case .layerNotFound("Countries", "countries"?, let offers)? = try failure(WMSOptions(layers: ["Countries"]))
        else {
            Issue.record("no error")
            return
        }
        #expect(offers.contains("relief"))
        #expect(
            try failure(WMSOptions(layers: ["contries"]))?.description.contains("did you mean 'countries'?") == true)
        #expect(
            try failure(WMSOptions(layers: ["Natural Earth relief"]))?.description.contains("mean 'relief'") == true)
        #expect(try failure(WMSOptions(layers: ["zzzz"]))?.description.contains("'zzzz'; available: world") == true)
        #expect(try failure(WMSOptions(layers: []))?.description.contains("no layer given") == true)
    }

    @Test func `unavailable styles, formats and CRSs are errors that list the available ones`() throws {
        #expect(
            try failure(WMSOptions(layers: ["countries"], styles: ["nope"]))?.description.contains("outline") == true)
        #expect(
            try failure(WMSOptions(layers: ["countries"], styles: ["", ""])) == .tooManyStyles(layers: 1, styles: 2))
        #expect(try failure(WMSOptions(layers: ["countries"], styles: ["outline"])) == nil)
        #expect(
            try failure(WMSOptions(layers: ["countries"], format: "image/bmp"))?.description.contains("image/webp")
                == true)
        #expect(
            try failure(WMSOptions(layers: ["countries"], crsName: "EPSG:2154"))?.description.contains("EPSG:3035")
                == true)
    }

    @Test(arguments: [
        // The map's system, that of the request and its spelling, and whether the picture must be warped.
        ("EPSG:3857", "mapserver/caps-1.3.0.xml", "EPSG:3857", false),
        ("EPSG:900913", "mapserver/caps-1.1.1.xml", "EPSG:3857", false),
        ("CRS:84", "mapserver/caps-1.3.0.xml", "CRS:84", false),
        // MapServer lists CRS:84 in version 1.1.1 and then refuses it.
        ("CRS:84", "mapserver/caps-1.1.1.xml", "EPSG:4326", false),
        ("EPSG:4326", "mapserver/caps-1.1.1.xml", "EPSG:4326", false),
        ("EPSG:25829", "mapserver/caps-1.3.0.xml", "EPSG:25830", true),
    ])
    func `the CRS closest to the map's is chosen`(map: String, file: String, name: String, isWarped: Bool) throws {
        let spain = Extent(minX: 500_000, minY: 4_400_000, maxX: 900_000, maxY: 4_700_000)
        let template = try template(
            WMSOptions(layers: ["countries"]), file, crs: CRS(map), around: map == "EPSG:25829" ? spain : nil)
        #expect(template.crsName == name)
        #expect(template.needsReprojection == isWarped)
    }

    @Test func `CRS 84 in a version without it gives a warning`() throws {
        let pinned = WMSOptions(layers: ["countries"], crsName: "CRS:84")
        let old = try template(pinned, "mapserver/caps-1.1.1.xml")
        #expect(
            old.crsName == "CRS:84"
                && old.warnings.contains { $0.description.contains("EPSG:4326 has the same coordinates") })
        #expect(try template(pinned).warnings.isEmpty)
    }

    @Test(arguments: ["application/dxf", "application/pdf", "text/html; subtype=openlayers"])
    func `a format that is not an image is an error that lists the image formats`(format: String) throws {
        #expect(throws: WMSNegotiationError.formatNotPicture(format, offers: ["image/png", "image/svg+xml"])) {
            try template(WMSOptions(layers: ["countries"], format: format)) { capabilities in
                for place in capabilities.operations.indices {
                    capabilities.operations[place].formats = [format, "image/png", "image/svg+xml"].map(
                        WMSCapabilities.Format.init)
                }
            }
        }
    }

    @Test(arguments: [
        // What the service offers, and what is asked for on a map of the Netherlands in web mercator.
        (["EPSG:28992"], "EPSG:28992"),
        // Known to a metre is worse than stretched by two thirds.
        (["EPSG:28992", "EPSG:4326"], "EPSG:4326"), (["EPSG:4326", "EPSG:28992", "EPSG:25831"], "EPSG:25831"),
        // A zone of the other side of the earth does not have the place at all, and systems of the poles bend it.
        (["EPSG:32660", "EPSG:28992"], "EPSG:28992"), (["EPSG:32660", "EPSG:4326"], "EPSG:4326"),
        (["EPSG:3413", "EPSG:3031", "EPSG:3035"], "EPSG:3035"), (["EPSG:27200", "EPSG:31466"], "EPSG:31466"),
    ])
    func `a national grid is requested where it distorts least`(offers: [String], name: String) throws {
        let netherlands = Extent(minX: 480_000, minY: 6_750_000, maxX: 680_000, maxY: 6_950_000)
        let template = try template(WMSOptions(layers: ["countries"]), around: netherlands) { capabilities in
            for index in capabilities.layers.indices {
                capabilities.layers[index] = Self.offering(offers, capabilities.layers[index])
            }
        }
        #expect(template.crsName == name)
        #expect(template.needsReprojection)
    }

    /// Of the whole world a zone has but a part.
    @Test(arguments: [["EPSG:25831", "EPSG:4326"], ["EPSG:4326", "EPSG:3413", "EPSG:2154"]])
    func `a regional CRS is not chosen for the whole world`(offers: [String]) throws {
        let template = try template(WMSOptions(layers: ["countries"])) { capabilities in
            for index in capabilities.layers.indices {
                capabilities.layers[index] = Self.offering(offers, capabilities.layers[index])
            }
        }
        #expect(template.crsName == "EPSG:4326")
    }

    private static func offering(_ names: [String], _ layer: WMSCapabilities.Layer) -> WMSCapabilities.Layer {
        var copy = layer
        copy.crsNames = names
        copy.boundingBoxes = []
        copy.children = layer.children.map { offering(names, $0) }
        return copy
    }

    @Test func `the map's CRS is requested in the server's spelling`() throws {
        let template = try template(WMSOptions(layers: ["countries"])) { capabilities in
            for index in capabilities.layers.indices {
                capabilities.layers[index] = Self.respelled(capabilities.layers[index])
            }
        }
        #expect(template.crsName == "EPSG:900913")
        #expect(template.crs == .webMercator)
    }

    private static func respelled(_ layer: WMSCapabilities.Layer) -> WMSCapabilities.Layer {
        var copy = layer
        copy.crsNames.removeAll { $0 == "EPSG:3857" }
        copy.children = layer.children.map(respelled)
        return copy
    }

    @Test(arguments: [
        ("image/jpeg", "image/jpeg"),
        ("jpeg", "image/jpeg"),
        ("jpg", "image/jpeg"),
        ("image/png; mode=8bit", "image/png; mode=8bit"),
        ("PNG", "image/png"),
    ])
    func `a format can be given by its short name`(wanted: String, format: String) throws {
        let template = try template(WMSOptions(layers: ["countries"], format: wanted))
        #expect(template.format == format)
        #expect(template.isTransparent == (format != "image/jpeg"))
    }

    @Test(arguments: [
        (["image/gif", "image/jpeg", "image/png"], "image/png"), (["image/webp", "image/jpeg"], "image/jpeg"),
        (["image/gif", "image/webp"], "image/webp"), (["image/tiff", "image/gif"], "image/gif"),
    ])
    func `formats are preferred in the order PNG, JPEG, WebP, GIF, TIFF`(
        offers: [String], format: String
    ) throws {
        let formats = offers.map { "<Format>\($0)</Format>" }.joined()
        let text = """
            <WMT_MS_Capabilities version="1.1.1"><Capability><Request><GetMap>\(formats)</GetMap></Request>\
            <Layer><Name>one</Name><SRS>EPSG:4326</SRS></Layer></Capability></WMT_MS_Capabilities>
            """
        let template = try WMSNegotiation.template(
            for: WMSOptions(layers: ["one"]), of: WMSCapabilitiesReader.read(Array(text.utf8)),
            baseURL: "https://h/wms",
            mapCRS: .epsg4326, around: nil)
        #expect(template.format == format)
    }

    @Test func `version 1_0_0 requests a format by its name`() throws {
        let template = try template(WMSOptions(layers: ["countries"]), "mapserver/caps-1.0.0.xml", crs: .epsg4326)
        #expect(template.format == "PNG")
        let extent = try #require(Extent(minX: 0, minY: 0, maxX: 1, maxY: 1))
        #expect(template.request(extent: extent, width: 1, height: 1).url.contains("&FORMAT=PNG&"))
    }

    @Test(arguments: [
        (
            ServiceURLPolicy.advertised, "https://maps.example/x?key=k", "http://maps.example/wms?",
            "https://maps.example/wms?key=k"
        ),
        (
            .advertised, "https://maps.example/x?key=k", "http://inner.example:8080/wms?map=a&",
            "http://inner.example:8080/wms?map=a"
        ),
        (.advertised, "https://maps.example/x?key=k", "http://localhost:8080/wms", "https://maps.example/x?key=k"),
        (.advertised, "https://maps.example/x", "http://10.0.3.7/wms", "https://maps.example/x"),
        (.advertised, "http://192.168.1.2/x", "http://10.0.3.7/wms", "http://10.0.3.7/wms"),
        (
            .advertisedIfSameHost, "https://maps.example/x?key=k", "http://inner:8080/wms",
            "https://maps.example/x?key=k"
        ),
        (.advertisedIfSameHost, "http://maps.example/x", "http://MAPS.example:81/wms", "http://MAPS.example:81/wms"),
        (.base, "http://maps.example/x?key=k", "http://maps.example/wms", "http://maps.example/x?key=k"),
        (.advertised, "http://maps.example/x", "/wms", "http://maps.example/wms"),
        (.advertised, "http://maps.example/x", "mailto:a@maps.example", "http://maps.example/x"),
        (
            .advertised, "http://maps.example/x?service=WMS&map=b", "http://maps.example/x?map=a",
            "http://maps.example/x?map=a"
        ),
        // User and password go to the same scheme, host and port, and nowhere else (RFC 6454).
        (.advertised, "https://u:p@maps.example/x", "http://maps.example/wms", "https://u:p@maps.example/wms"),
        (.advertised, "http://u:p@maps.example/x", "http://Maps.example:80/wms?", "http://u:p@Maps.example:80/wms"),
        (.advertised, "http://u:p@maps.example/x", "http://v:q@maps.example/wms", "http://v:q@maps.example/wms"),
        (.advertised, "http://u:p@maps.example/x", "http://maps.example:81/wms", "http://maps.example:81/wms"),
        (.advertised, "http://u:p@maps.example/x", "https://maps.example/wms", "https://maps.example/wms"),
        (.advertised, "http://u:p@maps.example/x", "http://other.example/wms", "http://other.example/wms"),
        (.advertised, "http://u:p@maps.example/x", "http://localhost/wms", "http://u:p@maps.example/x"),
    ])
    func `the request address follows the URL policy`(
        policy: ServiceURLPolicy, base: String, advertised: String, url: String
    ) throws {
        let template = try template(WMSOptions(layers: ["countries"], urlPolicy: policy), base: BaseURL(base)) {
            capabilities in
            for index in capabilities.operations.indices { capabilities.operations[index].getURL = advertised }
        }
        #expect(template.baseURL.text == url)
    }

    @Test func `version, CRS and axis order set by the user are kept`() throws {
        let template = try template(
            WMSOptions(layers: ["countries"], version: .v1_1_1, crsName: "EPSG:900913", axisOrder: .yx))
        #expect(template.version == .v1_1_1)
        #expect(template.crsName == "EPSG:900913")
        #expect(!template.needsReprojection)
        #expect(template.axisOrder == .yx)
    }

    /// The layers cover the world, most of which a UTM zone cannot show.
    @Test(arguments: ["EPSG:32633", "EPSG:32718", "EPSG:3067"])
    func `a map in a UTM zone that the service lacks gets a CRS that can be reprojected`(name: String) throws {
        let template = try template(WMSOptions(layers: ["relief"]), crs: CRS(name))
        #expect(template.needsReprojection)
        #expect(template.crs.projection != nil)
    }
}
