import PortolanFeatures
import PortolanRaster
import PortolanWeb
import PortolanZip

/// The KML documents of an archive: the first one, and those that it links to.
final class KMZDocuments {
    /// The maximum size of an image, and of all images together.
    private static let pictureLimit = 32 << 20, pictureSum = 64 << 20
    /// The maximum number of documents, and the maximum size of all except the first.
    private static let documentLimit = 1000, documentSum = 256 << 20

    private let archive: ZipArchive
    private let limits: FeatureLimits
    private var pictures: [String: String] = [:]
    private var pictureByteCount = 0
    private var documentByteCount = 0
    private var styles: [String: KMLStyles?] = [:]
    /// The documents that have not been read, and the known ones.
    private var open: [ZipArchive.Entry] = []
    private var known: Set<String> = []

    init(_ archive: ZipArchive, limits: FeatureLimits) {
        self.archive = archive
        self.limits = limits
    }

    /// Reads a document and those that it links to, each once.
    func read(from entry: ZipArchive.Entry) throws(FeatureFileError) -> FeatureCollection {
        known = [entry.name]
        var whole = try collection(of: entry), left = limits
        var links = whole.foreignMembers["networkLinks"]?.arrayValue ?? []
        while !open.isEmpty {
            let next = open.removeFirst()
            left.maximumFeatureCount = limits.maximumFeatureCount - whole.features.count
            let part: FeatureCollection
            do { part = try collection(of: next, left) } catch {
                guard ![.limitExceeded, .memory, .cancelled].contains(error.code) else { throw error }
                whole.warnings.append(
                    MapWarning(
                        feature: nil, message: "cannot read the document '\(next.name.prefix(100))': \(error)",
                        effect: .omitted))
                continue
            }
            whole.features += part.features
            whole.overlays += part.overlays
            whole.overlays.sortForDrawing()
            let room = max(limits.maximumWarningCount - whole.warnings.count, 0)
            whole.warnings += part.warnings.prefix(room)
            links += part.foreignMembers["networkLinks"]?.arrayValue ?? []
            try charge(part.charge?.byteCount ?? 0, to: whole.charge)
        }
        // Base64 increases the size by a third.
        try charge(pictureByteCount / 3 * 4, to: whole.charge)
        if !links.isEmpty { whole.foreignMembers["networkLinks"] = .array(links) }
        return whole
    }

    private func charge(_ byteCount: Int, to charge: MemoryCharge?) throws(FeatureFileError) {
        do throws(MemoryBudget.ExceededError) { try charge?.grow(by: byteCount) } catch {
            throw FeatureFileError(.memory, in: "KMZ", "too large for memory: \(error)")
        }
    }

    private func collection(
        of entry: ZipArchive.Entry, _ own: FeatureLimits? = nil
    ) throws(FeatureFileError) -> FeatureCollection {
        let folder = entry.name.split(separator: "/").dropLast().map(String.init)
        return try KMLReader.read(
            try content(of: entry), limits: own ?? limits,
            surroundings: KMLSurroundings(
                picture: { self.picture($0, from: folder) }, follows: { self.follows($0, from: folder) },
                styles: { self.styles(of: $0, from: folder) }))
    }

    private func content(of entry: ZipArchive.Entry) throws(FeatureFileError) -> [UInt8] {
        try limits.lookForRoom(entry.byteCount, in: "KMZ")
        do { return try archive.content(of: entry) } catch { throw FeatureFileError(error, in: "KMZ") }
    }

    private func entry(_ address: String, from folder: [String]) -> ZipArchive.Entry? {
        guard let path = KMLFormat.KMZ.path(address, from: folder) else { return nil }
        if let entry = archive.entry(named: path) { return entry }
        // Paths are percent-encoded.
        return PercentEncoding.decode(path.utf8).flatMap { archive.entry(named: String(decoding: $0, as: UTF8.self)) }
    }

    /// Returns the URL of an image: its content if it is in the archive.
    private func picture(_ address: String, from folder: [String]) -> String {
        guard let entry = entry(address, from: folder) else { return address }
        if let known = pictures[entry.name] { return known }
        var picture = address
        if entry.byteCount <= Self.pictureLimit, pictureByteCount + entry.byteCount <= Self.pictureSum,
            let bytes = try? archive.content(of: entry)
        {
            pictureByteCount += bytes.count
            // The type is determined from the first bytes, so the declared one is irrelevant.
            picture = "data:application/octet-stream;base64," + Base64.text(of: bytes)
        }
        pictures[entry.name] = picture
        return picture
    }

    /// Returns whether a network link refers to a document in the archive, which is then read.
    private func follows(_ address: String, from folder: [String]) -> Bool {
        guard let entry = entry(address, from: folder), entry.name.lowercased().hasSuffix(".kml") else { return false }
        guard !known.contains(entry.name) else { return true }
        guard known.count < Self.documentLimit, documentByteCount + entry.byteCount <= Self.documentSum else {
            return false
        }
        known.insert(entry.name)
        documentByteCount += entry.byteCount
        open.append(entry)
        return true
    }

    /// Returns the styles of another document in the archive.
    private func styles(of address: String, from folder: [String]) -> KMLStyles? {
        guard let entry = entry(address, from: folder) else { return nil }
        if let known = styles[entry.name] { return known }
        // Marked as known to stop at circular references.
        styles[entry.name] = .some(nil)
        guard documentByteCount + entry.byteCount <= Self.documentSum, let bytes = try? content(of: entry) else {
            return nil
        }
        documentByteCount += entry.byteCount
        let read = try? KMLReader.styles(of: bytes, limits: limits)
        styles[entry.name] = .some(read)
        return read
    }
}

/// The context of a KML document.
struct KMLSurroundings {
    /// Returns the URL of an image for the one in the document.
    var picture: (String) -> String = { $0 }
    /// Returns whether the target of a network link is read.
    var follows: (String) -> Bool = { _ in false }
    /// Returns the styles of another document by its URL.
    var styles: (String) -> KMLStyles? = { _ in nil }
}
