package import PortolanGeo
package import PortolanRaster
package import PortolanServices

/// What a client asks a Web Map Service (OGC 06-042, OGC 01-068r3), read from the query; names in any case, what is unknown is
/// passed over.
package struct WMSRequest: Hashable, Sendable {
    /// The operations.
    package enum Operation: String, Hashable, Sendable, CaseIterable {
        case capabilities = "getcapabilities"
        case map = "getmap"
        case featureInfo = "getfeatureinfo"
        case legend = "getlegendgraphic"
    }

    /// The form in which errors come.
    enum ExceptionForm: Hashable {
        case document, inImage, blank
    }

    /// The version that is spoken: 1.1.1 or 1.3.0.
    package let version: WMSVersion
    /// The operation, or `nil` where it is missing or there is none such.
    package let operation: Operation?
    private let values: [String: String]

    /// Reads the items of a query; of several with one name the first counts.
    package init(_ query: Query) {
        values = Dictionary(query.items.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
        // The first versions called them otherwise, and so do clients of today.
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

    /// The version spoken with who asks for another: the nearest below, or the lowest (OGC 06-042, clause 6.2.4).
    private static func version(_ text: String?, isOld: Bool) -> WMSVersion {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }) else {
            return isOld ? .v1_1_1 : .v1_3_0
        }
        return WMSVersion(text).map { $0 >= .v1_3_0 } == true ? .v1_3_0 : .v1_1_1
    }

    /// The value of a key, given in small letters; `nil` where it is missing or empty.
    package subscript(key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    /// The names between the commas of a value; empty ones stand for themselves.
    func names(_ key: String) -> [String] {
        self[key]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
    }

    func required(_ key: String) throws(ServiceFault) -> String {
        guard let value = self[key] else { throw ServiceFault(nil, "there is no '\(key)'", key: key) }
        return value
    }

    /// The form that errors are asked for in (OGC 06-042, clause 7.3.3.11; OGC 01-068r3, table 8).
    var exceptionForm: ExceptionForm {
        switch self["exceptions"]?.lowercased() {
        case "inimage", "application/vnd.ogc.se_inimage": .inImage
        case "blank", "application/vnd.ogc.se_blank": .blank
        default: .document
        }
    }

    /// The system of the box: `CRS`, in version 1.1.1 `SRS`.
    package func crs() throws(ServiceFault) -> CRS {
        let key = version >= .v1_3_0 ? "crs" : "srs", other = version >= .v1_3_0 ? "srs" : "crs"
        guard let text = self[key] ?? self[other] else { throw ServiceFault(nil, "there is no '\(key)'", key: key) }
        guard let crs = try? CRS(text), crs.projection != nil else {
            throw ServiceFault(
                version >= .v1_3_0 ? .invalidCRS : .invalidSRS, "maps are not drawn in '\(text)'", key: key)
        }
        return crs
    }

    /// The box, in the order of the system's axes where the version has it so.
    package func extent(in crs: CRS) throws(ServiceFault) -> Extent {
        let text = try required("bbox"), numbers: [Double]
        do throws(Problem) { numbers = try RequestText.numbers(text, count: 4, "bbox") } catch {
            throw ServiceFault(error)
        }
        let box = BoundingBoxWriter.box(
            numbers[0], numbers[1], numbers[2], numbers[3], crs: crs, version: version, axisOrder: .auto)
        guard let box, let extent = Extent(minX: box.minX, minY: box.minY, maxX: box.maxX, maxY: box.maxY) else {
            throw ServiceFault(nil, "the lower corner is not below the upper one", key: "bbox")
        }
        return extent
    }

    /// The pixels of the picture.
    package func size(_ limits: ServingLimits) throws(ServiceFault) -> (width: Int, height: Int) {
        let width = try required("width"), height = try required("height")
        do throws(Problem) {
            let size = (try RequestText.whole(width, "width"), try RequestText.whole(height, "height"))
            try limits.check(width: size.0, height: size.1, ratio: 1, key: "width, height")
            return size
        } catch { throw ServiceFault(error) }
    }

    /// The format of a picture, png where none has to be said.
    package func format(isRequired: Bool) throws(ServiceFault) -> ServedFormat {
        guard let text = self["format"] else {
            guard isRequired else { return .png }
            throw ServiceFault(.invalidFormat, "there is no 'format'", key: "format")
        }
        guard let format = ServedFormat(mediaType: text) else {
            throw ServiceFault(.invalidFormat, "pictures are not drawn as '\(text)'", key: "format")
        }
        return format
    }

    /// What shows where nothing is drawn: white unless `BGCOLOR` or `TRANSPARENT` say otherwise.
    package func background(for format: ServedFormat) throws(ServiceFault) -> Color {
        var background = Color.white
        if let text = self["bgcolor"] {
            let digits = text.lowercased().hasPrefix("0x") ? text.dropFirst(2) : text.drop { $0 == "#" }
            guard digits.utf8.count == 6, let color = Color(css: "#\(digits)") else {
                throw ServiceFault(nil, "'\(text)' is not a colour like 0xFF8000", key: "bgcolor")
            }
            background = color
        }
        switch self["transparent"]?.lowercased() {
        case nil, "false": return background
        // What has no transparency keeps its background.
        case "true": return format == .jpg ? background : .clear
        default: throw ServiceFault(nil, "it is neither TRUE nor FALSE", key: "transparent")
        }
    }
}
