import PortolanGeo

/// What a GeoTIFF says of its CRS and its place (GeoTIFF 1.1).
struct GeoKeys {
    /// The place of the image: the outer corner of the first pixel, and the size of pixels.
    struct Placement: Hashable, Sendable {
        let left: Double, top: Double
        let pixelWidth: Double, pixelHeight: Double
    }

    /// The CRS, or `nil` if there is none that is known.
    let crs: CRS?
    /// The place, or `nil` if the image has none, or is rotated.
    let placement: Placement?
    /// A sentence about a CRS that is not known, or a rotated image.
    let note: String?

    private enum Key: Int {
        case modelType = 1024, rasterType, citation
        case geographicCRS = 2048, geographicCitation
        case projectedCRS = 3072, projectedCitation
    }

    /// The code of a CRS that the file defines itself.
    private static let userDefined = 32767

    init(_ directory: TIFFDirectory, _ parts: TIFFParts) throws(TIFFParts.Stop) {
        let numbers = try directory.wholes(.geoKeys, parts) ?? []
        let texts = Array((try directory.text(.geoTexts, parts) ?? "").utf8)
        var values: [Key: Int] = [:], citations: [Key: String] = [:]
        for start in stride(from: 4, to: numbers.count - 3, by: 4) {
            guard let key = Key(rawValue: numbers[start]) else { continue }
            let count = numbers[start + 2], value = numbers[start + 3]
            if numbers[start + 1] == 0 {
                values[key] = value
            } else if numbers[start + 1] == Int(TIFFTag.geoTexts.rawValue) {
                let text = String(decoding: texts.dropFirst(value).prefix(count), as: UTF8.self)
                citations[key] = String(text.prefix { $0 != "|" })
            }
        }
        let isPoint = values[.rasterType] == 2
        let (placement, fault) = try Self.placement(directory, parts, isPoint: isPoint)
        self.placement = placement
        let code = values[.projectedCRS] ?? (values[.modelType] == 1 ? nil : values[.geographicCRS])
        let citation = citations[.projectedCitation] ?? citations[.citation] ?? citations[.geographicCitation]
        crs = code.flatMap { $0 == Self.userDefined || $0 == 0 ? nil : CRS.epsg($0) } ?? Self.crs(in: citation)
        if let fault {
            note = fault
        } else if crs == nil, code != nil || citation != nil {
            let name = code.map { $0 == Self.userDefined ? "defined in the file" : "EPSG:\($0)" } ?? "not numbered"
            note = "the CRS is \(name)\(citation.map { " ('\($0)')" } ?? "") and not known"
        } else {
            note = nil
        }
    }

    /// Returns the CRS of a citation with well-known text, as ArcGIS writes it.
    private static func crs(in citation: String?) -> CRS? {
        guard let citation, let start = citation.firstIndex(where: { $0 == "=" }) else { return nil }
        let text = citation[citation.index(after: start)...].drop { $0 == " " }
        return try? CRS(wellKnownText: String(text))
    }

    /// The remedy for images whose rows do not run from west to east, from the north on.
    private static let remedy = "; make an upright image of it, as with gdalwarp IN.tif OUT.tif"

    private static func placement(
        _ directory: TIFFDirectory, _ parts: TIFFParts, isPoint: Bool
    ) throws(TIFFParts.Stop) -> (Placement?, fault: String?) {
        var place: Placement?
        if let matrix = try directory.numbers(.transformation, parts), matrix.count >= 8 {
            guard matrix[1] == 0, matrix[4] == 0 else { return (nil, "the image is rotated" + remedy) }
            place = Placement(left: matrix[3], top: matrix[7], pixelWidth: matrix[0], pixelHeight: -matrix[5])
        } else if let scale = try directory.numbers(.pixelScale, parts), scale.count >= 2,
            let tie = try directory.numbers(.tiePoints, parts), tie.count >= 6
        {
            place = Placement(
                left: tie[3] - tie[0] * scale[0], top: tie[4] + tie[1] * scale[1], pixelWidth: scale[0],
                pixelHeight: scale[1])
        }
        guard let place, [place.left, place.top, place.pixelWidth, place.pixelHeight].allSatisfy({ $0.isFinite }),
            place.pixelWidth != 0, place.pixelHeight != 0
        else { return (nil, nil) }
        guard place.pixelWidth > 0, place.pixelHeight > 0 else {
            return (nil, (place.pixelWidth > 0 ? "its rows begin in the south" : "its rows begin in the east") + remedy)
        }
        guard isPoint else { return (place, nil) }
        // The coordinates are those of the centre of a pixel.
        return (
            Placement(
                left: place.left - place.pixelWidth / 2, top: place.top + place.pixelHeight / 2,
                pixelWidth: place.pixelWidth, pixelHeight: place.pixelHeight), nil
        )
    }
}
