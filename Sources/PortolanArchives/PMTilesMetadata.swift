import PortolanFeatures
import PortolanServices
import PortolanWeb

/// The metadata of a PMTiles archive: JSON, and what the header states (version 3, sections 3 and 5).
package enum PMTilesMetadata {
    /// The member of the JSON that names the job of a finished archive.
    static let jobMember = "portolan:finished"

    /// The largest number of bytes of the JSON, unpacked.
    private static let byteLimit = 1 << 24

    /// Reads metadata as they are in the archive; JSON that is not valid counts as empty.
    package static func read(
        _ packed: [UInt8], _ header: PMTilesHeader
    ) throws(PMTilesError) -> (metadata: MBTilesMetadata, job: String?) {
        var members = Properties()
        if !packed.isEmpty {
            let json = try header.directoryCompression.unpack(
                packed[...], byteLimit: byteLimit, at: header.metadata.lowerBound)
            members = (try? JSONReader.value(bytes: json))?.objectValue ?? members
        }
        func text(_ name: String) -> String? {
            members[name]?.stringValue.map { ReadableText.line($0, limit: 2000) }.flatMap { $0.isEmpty ? nil : $0 }
        }
        let bounds = header.bounds
        let isValid =
            bounds.west < bounds.east && bounds.south < bounds.north && abs(bounds.south) <= 90
            && abs(bounds.north) <= 90 && abs(bounds.west) <= 360 && abs(bounds.east) <= 360
        let metadata = MBTilesMetadata(
            name: text("name") ?? "", format: header.tileKind.format,
            bounds: isValid ? [bounds.west, bounds.south, bounds.east, bounds.north] : nil, levels: header.levels,
            attribution: text("attribution"), vectorLayers: VectorLayerDescription.read(members["vector_layers"]))
        return (metadata, text(jobMember))
    }

    /// The JSON of metadata, for the member of an archive.
    static func json(_ metadata: MBTilesMetadata, job: String?) -> [UInt8] {
        var members: Properties = ["name": .string(metadata.name), "type": .string("baselayer")]
        if let attribution = metadata.attribution { members["attribution"] = .string(attribution) }
        if metadata.isVector { members["vector_layers"] = .array(metadata.vectorLayers.map(\.value)) }
        for member in metadata.others { members[member.name] = member.value }
        if let job { members[jobMember] = .string(job) }
        return GeoJSONWriter.json(.object(members))
    }
}

extension PMTilesHeader.TileKind {
    /// The format as the metadata of MBTiles name it.
    package var format: String {
        switch self {
        case .unknown: ""
        case .mvt: "pbf"
        case .png: "png"
        case .jpeg: "jpg"
        case .webp: "webp"
        case .avif: "avif"
        case .mlt: "mlt"
        }
    }

    /// The kind of a format as the metadata of MBTiles name it.
    init(format: String) {
        let known: [Self] = [.png, .jpeg, .webp, .avif, .mlt]
        self =
            known.first { $0.format == format } ?? (format == "jpeg" ? .jpeg : format.contains("pbf") ? .mvt : .unknown)
    }

    /// Whether the tiles are vector tiles.
    package var isVector: Bool { self == .mvt || self == .mlt }
}
