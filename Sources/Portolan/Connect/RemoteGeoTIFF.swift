import PortolanArchives
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanWeb

/// A GeoTIFF on a server that answers range requests, such as a Cloud Optimized GeoTIFF.
///
/// The directories and the places of blocks that were needed so far are kept in memory, and every range in the response
/// cache. All ranges are of one version of the file: if the server has replaced it, reading begins again once.
final class RemoteGeoTIFF: Sendable {
    typealias Opened = OpenedImage

    /// The bytes of the first range; in a Cloud Optimized GeoTIFF they usually have all directories.
    static let beginningByteCount: UInt64 = 1 << 16
    /// The bytes of a directory, or of places of blocks, that are requested at least and at most beyond what is needed.
    private static let partByteCount: UInt64 = 1 << 16, partByteLimit: UInt64 = 4 << 20
    /// The requests at most in which the directories are read.
    private static let openingLimit = 32
    /// Seconds for which a file is assumed to be unchanged, regardless of what the server states.
    private static let shortestReuse = 60

    private let cache: ResponseCache
    private let ranges: RemoteRanges
    private let address: NamedURL
    private let images: OpenedImages
    /// The address without secrets, for errors.
    private let place: String

    init(_ address: NamedURL, cache: ResponseCache, configuration: RendererConfiguration) {
        self.cache = cache
        self.address = address
        images = configuration.openedImages
        ranges = RemoteRanges(address, cache: cache, configuration: configuration)
        place = FetchError.redacted(address.text)
    }

    /// The structure of the file, whose values have a range if they need one.
    func image(_ access: RemoteAccess) async throws(RemoteArchiveError) -> GeoTIFFImage {
        try await restarting(access) { opened throws(RemoteArchiveError) in
            try await self.stretched(opened, access).image
        }
    }

    /// The structure of the file, whose values may lack the range that colours need.
    func structure(_ access: RemoteAccess) async throws(RemoteArchiveError) -> GeoTIFFImage {
        try await open(access, after: nil).image
    }

    /// Returns values of bands that are spread over the coarsest level.
    ///
    /// - Parameter bands: the numbers of bands, the first one is 1.
    func samples(ofBands bands: [Int], _ access: RemoteAccess) async throws(RemoteArchiveError) -> [[Float]] {
        try await restarting(access) { opened throws(RemoteArchiveError) in
            let (opened, blocks) = try await self.known(opened, access) { image, parts throws(ArchiveError) in
                try image.sampledBlocks(bands: bands, parts)
            }
            let source = try await self.source(of: blocks, opened, access)
            do throws(ArchiveError) { return try opened.image.samples(ofBands: bands, source) } catch {
                throw .image(error)
            }
        }
    }

    /// Returns the values of all bands at a coordinate in the CRS of the image, or `nil` outside.
    func values(
        at coordinate: Coordinate, _ access: RemoteAccess
    ) async throws(RemoteArchiveError) -> [Float]? {
        try await restarting(access) { opened throws(RemoteArchiveError) in
            guard let (x, y) = opened.image.pixel(at: coordinate) else { return nil }
            let (opened, blocks) = try await self.known(opened, access) { image, parts throws(ArchiveError) in
                try image.blocks(atX: x, y: y, parts)
            }
            let source = try await self.source(of: blocks, opened, access)
            do throws(ArchiveError) { return try opened.image.values(atX: x, y: y, source) } catch {
                throw .image(error)
            }
        }
    }

    /// Returns the order of the parts of the file.
    func layout(_ access: RemoteAccess) async throws(RemoteArchiveError) -> GeoTIFFLayout {
        try await restarting(access) { opened throws(RemoteArchiveError) in
            try await self.known(opened, access) { image, parts throws(ArchiveError) in try image.layout(parts) }.1
        }
    }

    // MARK: - Versions

    /// Reads from the file, and once more from its beginning if it has changed.
    func restarting<Value>(
        _ access: RemoteAccess, _ read: (Opened) async throws(RemoteArchiveError) -> Value
    ) async throws(RemoteArchiveError) -> Value {
        try await RemoteRanges.restarting(
            access, { stale throws(RemoteArchiveError) in try await self.open(access, after: stale) },
            opening: \.opening, read)
    }

    /// Makes sure that the directories are known and fresh.
    ///
    /// - Parameter stale: the opening whose version is no longer on the server, or `nil`.
    private func open(_ access: RemoteAccess, after stale: Int?) async throws(RemoteArchiveError) -> Opened {
        let known = images[address]
        let isStale = known != nil && stale == known?.opening
        if let known, !isStale,
            stale != nil || access.isKeptOnly || cache.isOffline || !access.reloads && cache.now() < known.freshUntil
        {
            return known
        }
        var access = access
        access.reloads = access.reloads || isStale
        let answer = try await ranges.answer(0..<Self.beginningByteCount, version: nil, access)
        let part = answer.value, freshUntil = max(answer.freshUntil, cache.now() + Self.shortestReuse)
        if var known, !isStale, known.beginning == part.bytes, known.version.matches(part.version) {
            (known.origin, known.freshUntil) = (answer.origin, freshUntil)
            let (origin, freshUntil) = (known.origin, known.freshUntil)
            images.update(known, at: address) { ($0.origin, $0.freshUntil) = (origin, freshUntil) }
            return known
        }
        access.reloads = isStale
        let opened = try await parsed(part, answer.origin, freshUntil, access)
        images[address] = opened
        return opened
    }

    /// Reads the directories of a file.
    private func parsed(
        _ part: ByteRange.Part, _ origin: CachedAnswer<ByteRange.Part>.Origin, _ freshUntil: Int, _ access: RemoteAccess
    ) async throws(RemoteArchiveError) -> Opened {
        let isWhole = part.isWhole || UInt64(part.bytes.count) < Self.beginningByteCount
        // A server that does not state the length is trusted; ranges behind the end fail.
        let byteCount = isWhole ? UInt64(part.bytes.count) : part.version.byteCount ?? UInt64(Int64.max)
        var parts = TIFFParts(byteCount: byteCount)
        parts.add(part.bytes, at: 0)
        let opening = (images[address]?.opening ?? 0) + 1
        for _ in 0..<Self.openingLimit {
            let need: GeoTIFFImage.Need<GeoTIFFImage>
            do throws(ArchiveError) { need = try GeoTIFFImage.read(parts, at: place) } catch { throw .image(error) }
            switch need {
            case .known(let image):
                return Opened(
                    image: image, parts: parts, beginning: part.bytes, isWhole: isWhole, version: part.version,
                    opening: opening, origin: origin, freshUntil: freshUntil)
            case .part(let range):
                // Before the next directory lie the places of the blocks of a finer image. Those of all coarser ones have
                // a third of its length.
                let bytes = try await bytes(
                    Self.wide(range, beyond: range.lowerBound / 2, byteCount), part.version, access)
                parts.add(bytes, at: range.lowerBound)
            }
        }
        throw .image(
            ArchiveError(
                .limitExceeded, place: place,
                detail: "its directories are spread over the file; make a Cloud Optimized GeoTIFF of it, as with "
                    + "gdal_translate -of COG"))
    }

    /// Returns a longer range from the same place on.
    private static func wide(_ range: Range<UInt64>, beyond wish: UInt64, _ byteCount: UInt64) -> Range<UInt64> {
        let length = min(max(wish, partByteCount), partByteLimit)
        return range.lowerBound..<min(max(range.upperBound, range.lowerBound + length), byteCount)
    }

    /// Returns the file with the range of its values, if the colours need one.
    func stretched(_ opened: Opened, _ access: RemoteAccess) async throws(RemoteArchiveError) -> Opened {
        guard opened.image.needsRange else { return opened }
        var (opened, blocks) = try await known(opened, access) { image, parts throws(ArchiveError) in
            try image.sampledBlocks(bands: nil, parts)
        }
        let source = try await source(of: blocks, opened, access)
        do throws(ArchiveError) { try opened.image.stretch(source) } catch { throw .image(error) }
        let image = opened.image
        images.update(opened, at: address) { $0.image = image }
        return opened
    }

    // MARK: - Ranges

    /// Returns the answer to a question, after reading the places of blocks that it needs.
    func known<Value>(
        _ opened: Opened, _ access: RemoteAccess,
        _ ask: (GeoTIFFImage, TIFFParts) throws(ArchiveError) -> GeoTIFFImage.Need<Value>
    ) async throws(RemoteArchiveError) -> (Opened, Value) {
        var opened = opened
        while true {
            let need: GeoTIFFImage.Need<Value>
            do throws(ArchiveError) { need = try ask(opened.image, opened.parts) } catch { throw .image(error) }
            switch need {
            case .known(let value): return (opened, value)
            case .part(let range):
                let wide = Self.wide(range, beyond: 0, opened.parts.byteCount)
                let bytes = try await bytes(wide, opened.version, access)
                opened.parts.add(bytes, at: range.lowerBound)
                images.update(opened, at: address) { $0.parts.add(bytes, at: range.lowerBound) }
            }
        }
    }

    /// Returns the bytes of a range that is not of blocks.
    private func bytes(
        _ range: Range<UInt64>, _ version: FileVersion, _ access: RemoteAccess
    ) async throws(RemoteArchiveError) -> [UInt8] {
        let part = try await ranges.answer(range, version: version, access).value
        let bytes = part.isWhole ? try RemoteRanges.slice(range, of: part.bytes) : part.bytes
        guard bytes.count == range.count else {
            throw .image(ArchiveError(.damaged, place: place, detail: "the file ends in bytes that it needs"))
        }
        return bytes
    }

    /// Requests a range with blocks.
    func answer(
        _ range: Range<UInt64>, _ opened: Opened, _ access: RemoteAccess
    ) async throws(RemoteArchiveError) -> (bytes: [UInt8], answer: CachedAnswer<ByteRange.Part>) {
        let answer = try await ranges.answer(range, version: opened.version, access)
        let bytes = answer.value.isWhole ? try RemoteRanges.slice(range, of: answer.value.bytes) : answer.value.bytes
        return (bytes, answer)
    }

    /// Returns the source of blocks that are requested in as few ranges as possible.
    func source(
        of blocks: [Range<UInt64>], _ opened: Opened, _ access: RemoteAccess
    ) async throws(RemoteArchiveError) -> TIFFRanges {
        var source = TIFFRanges(opened.parts, place: place)
        if opened.isWhole {
            source.add(opened.beginning, at: 0)
            return source
        }
        for range in BlockRanges.merged(blocks) {
            source.add(try await answer(range, opened, access).bytes, at: range.lowerBound)
        }
        return source
    }

    /// Returns a source without blocks, or with all of them if the server sent the whole file.
    func emptySource(_ opened: Opened) -> TIFFRanges {
        var source = TIFFRanges(opened.parts, place: place)
        if opened.isWhole { source.add(opened.beginning, at: 0) }
        return source
    }
}
