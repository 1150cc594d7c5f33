import Portolan

/// What a document of a Tile Map Service tells, for people and scripts.
struct TMSInfo: InfoDocument, Encodable {
    struct Reference: Encodable {
        var title: String
        var crs: String?
        var profile: String?
        var url: String
    }

    struct Level: Encodable {
        var order: Int
        var resolution: Double
        var url: String
    }

    var type = "TMS"
    var version: String?
    var title: String?
    var abstract: String?
    /// The services of a list of services.
    var services: [Reference]?
    /// The maps of a service.
    var maps: [Reference]?
    /// Of a map: its system, the format and size of its tiles, where it is and what levels it has.
    var crs: String?
    var format: String?
    var tileSize: [Int]?
    var profile: String?
    var extent: [Double]?
    var origin: [Double]?
    var attribution: String?
    var levels: [Level]?
    var warnings: [String] = []

    init(_ document: TMSDocument) {
        switch document {
        case .services(let services): self.services = services.map(Reference.init)
        case .service(let service):
            version = service.version
            title = service.title
            abstract = service.abstract
            maps = service.maps.map(Reference.init)
            warnings = service.warnings
        case .map(let map):
            version = map.version
            title = map.title
            abstract = map.abstract
            crs = map.crsName
            format = map.format
            tileSize = [map.tileWidth, map.tileHeight]
            profile = map.profile
            extent = map.extent.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
            origin = [map.origin.x, map.origin.y]
            attribution = map.attribution
            levels = map.tileSets.map {
                Level(order: $0.order, resolution: $0.resolution.unitsPerPixel, url: $0.href)
            }
            warnings = map.warnings
        }
    }

    func json() throws(CommandFailure) -> [UInt8] { try JSONText.bytes(self) }

    func table() -> String {
        var text = title.map { "\(PlainText.oneLine($0))\n" } ?? ""
        text += version.map { "TMS \($0)\n" } ?? "TMS\n"
        if let abstract { text += "\(PlainText.oneLine(abstract))\n" }
        text += "\n"
        if let format, let tileSize {
            text +=
                "Tiles     \(PlainText.oneLine(format)), \(tileSize.map(String.init).joined(separator: "x")) pixels\n"
        }
        if let crs { text += "CRS       \(PlainText.oneLine(crs))\n" }
        if let extent { text += "Extent    \(extent.map(ServiceInfo.short).joined(separator: " "))\n" }
        if let origin { text += "Origin    \(origin.map(ServiceInfo.short).joined(separator: " "))\n" }
        if let attribution { text += "Credit    \(PlainText.oneLine(attribution))\n" }
        if crs != nil { text += "\n" }
        if let services {
            text += TextTable.text(
                [["SERVICE", "ADDRESS"]] + services.map { [$0.title, $0.url] }, hasWholeEnd: true)
        }
        if let maps {
            text += TextTable.text(
                [["MAP", "CRS", "PROFILE", "ADDRESS"]]
                    + maps.map { [$0.title, $0.crs ?? "", $0.profile ?? "", $0.url] }, hasWholeEnd: true)
        }
        if let levels {
            text += TextTable.text(
                [["LEVEL", "RESOLUTION", "ADDRESS"]]
                    + levels.map { [String($0.order), ServiceInfo.significant($0.resolution), $0.url] },
                hasWholeEnd: true)
        }
        for warning in warnings { text += "note: \(PlainText.oneLine(warning))\n" }
        return text
    }
}

extension TMSInfo.Reference {
    init(_ reference: TMSReference) {
        self.init(
            title: reference.title, crs: reference.crsName.isEmpty ? nil : reference.crsName,
            profile: reference.profile.isEmpty ? nil : reference.profile, url: reference.href)
    }
}
