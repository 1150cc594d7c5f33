package import PortolanGeo
package import PortolanRaster
package import PortolanServices

/// A request to a Web Map Service (OGC 06-042, OGC 01-068r3), parsed from the query.
///
/// Parameter names ignore case. Unknown parameters are ignored.
package struct WMSRequest: Hashable, Sendable {
    /// The operations.
    package enum Operation: String, Hashable, Sendable, CaseIterable {
        case capabilities = "getcapabilities"
        case map = "getmap"
        case featureInfo = "getfeatureinfo"
        case legend = "getlegendgraphic"
    }

    /// The format of errors.
    enum ExceptionForm: Hashable {
        case document, inImage, blank
    }

    /// The negotiated version: 1.1.1 or 1.3.0.
    package let version: WMSCapabilities.Version
    /// The operation, or `nil` if it is missing or unknown.
    package let operation: Operation?
    private let values: [String: String]

    /// Parses the items of a query.
    ///
    /// Of several items with the same name, the first is used.
    package init(_ query: Query) {
        values = Dictionary(query.items.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        // The first versions of WMS used other names, and some clients still do.
        let name = values["request"]?.lowercased()
        operation =
            switch name {
            case "capabilities": .capabilities
            case "map": .map
            case "feature_info": .featureInfo
            default: name.flatMap(Operation.init)
            }
        let wanted = values["version"] ?? values["wmtver"]
        version = Self.version(wanted, isOld: values["crs"] == nil && values["srs"] != nil)
    }

    /// Returns the version for a requested one: the next lower supported version, or the lowest (OGC 06-042, clause
    /// 6.2.4).
    private static func version(_ text: String?, isOld: Bool) -> WMSCapabilities.Version {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
            return isOld ? .v1_1_1 : .v1_3_0
        }
        return WMSCapabilities.Version(text).map { $0 >= .v1_3_0 } == true ? .v1_3_0 : .v1_1_1
    }

    /// Returns the value of a lower-case key, or `nil` if it is missing or empty.
    package subscript(key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the comma-separated names of a value, including empty ones.
    func names(_ key: String) -> [String] {
        self[key]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    func required(_ key: String) throws(ServiceFault) -> String {
        guard let value = self[key] else { throw ServiceFault(nil, "missing '\(key)'", key: key) }
        return value
    }

    /// The requested error format (OGC 06-042, clause 7.3.3.11; OGC 01-068r3, table 8).
    var exceptionForm: ExceptionForm {
        switch self["exceptions"]?.lowercased() {
        case "inimage", "application/vnd.ogc.se_inimage": .inImage
        case "blank", "application/vnd.ogc.se_blank": .blank
        default: .document
        }
    }

    /// Returns the CRS of the bounding box: `CRS`, or `SRS` in version 1.1.1.
    package func crs() throws(ServiceFault) -> CRS {
        let key = version >= .v1_3_0 ? "crs" : "srs", other = version >= .v1_3_0 ? "srs" : "crs"
        guard let text = self[key] ?? self[other] else { throw ServiceFault(nil, "missing '\(key)'", key: key) }
        guard let crs = try? CRS(text), crs.projection != nil else {
            throw ServiceFault(
                version >= .v1_3_0 ? .invalidCRS : .invalidSRS, "unsupported CRS '\(text)'", key: key)
        }
        return crs
    }

    /// Returns the bounding box.
    ///
    /// Its axis order is that of the CRS if the version requires it.
    package func extent(in crs: CRS) throws(ServiceFault) -> Extent {
        let text = try required("bbox"), numbers: [Double]
        do throws(Problem) { numbers = try RequestText.numbers(text, count: 4, "bbox") } catch {
            throw ServiceFault(error)
        }
        let box = BoundingBoxWriter.box(
            numbers[0], numbers[1], numbers[2], numbers[3], crs: crs, version: version, axisOrder: .auto)
        guard let box, let extent = Extent(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY) else {
            throw ServiceFault(nil, "the minimum must be below the maximum", key: "bbox")
        }
        return extent
    }

    /// Returns the picture size in pixels.
    package func size(_ limits: ServingLimits) throws(ServiceFault) -> (width: Int, height: Int) {
        let width = try required("width"), height = try required("height")
        do throws(Problem) {
            let size = (try RequestText.whole(width, "width"), try RequestText.whole(height, "height"))
            try limits.check(width: size.0, height: size.1, ratio: 1, key: "width, height")
            return size
        } catch { throw ServiceFault(error) }
    }

    /// Returns the picture format.
    ///
    /// If it is optional, the default is PNG.
    package func format(isRequired: Bool) throws(ServiceFault) -> ServedFormat {
        guard let text = self["format"] else {
            guard isRequired else { return .png }
            throw ServiceFault(.invalidFormat, "missing 'format'", key: "format")
        }
        guard let format = ServedFormat(mediaType: text) else {
            throw ServiceFault(.invalidFormat, "unsupported format '\(text)'", key: "format")
        }
        return format
    }

    /// Returns the background: white unless `BGCOLOR` or `TRANSPARENT` is given.
    package func background(for format: ServedFormat) throws(ServiceFault) -> MapColor {
        var background = MapColor.white
        if let text = self["bgcolor"] {
            let digits = text.lowercased().hasPrefix("0x") ? text.dropFirst(2) : text.drop { $0 == "#" }
            guard digits.utf8.count == 6, let color = MapColor(css: "#\(digits)") else {
                throw ServiceFault(nil, "'\(text)' is not a colour like 0xFF8000", key: "bgcolor")
            }
            background = color
        }
        switch self["transparent"]?.lowercased() {
        case nil, "false": return background
        // Formats without transparency keep the background.
        case "true": return format == .jpg ? background : .clear
        default: throw ServiceFault(nil, "must be TRUE or FALSE", key: "transparent")
        }
    }
}
