import PortolanArchives
import PortolanFetch
import PortolanPlan
import PortolanRaster

extension RemoteGeoTIFF {
    /// The bytes of blocks at most that are in memory at a time, beside those of one tile.
    private static let blockByteLimit: UInt64 = 32 << 20
    /// The bytes of blocks at most that a tile is made of.
    private static let tileByteLimit: UInt64 = 64 << 20

    /// A tile and the blocks that it is made of.
    private struct PlannedTile {
        let index: Int
        let entry: TileArchive.Entry
        let blocks: [Range<UInt64>]

        var byteCount: UInt64 { blocks.reduce(0) { $0 + UInt64($1.count) } }
    }

    private typealias Outcome = Result<RemoteTile, RemoteArchiveError>

    /// Returns tiles, whose blocks are requested in as few ranges as possible.
    ///
    /// - Parameters:
    ///   - band: the number of the band whose values are read, or `nil` for pictures.
    ///   - accesses: the access of each entry.
    func tiles(
        _ entries: [TileArchive.Entry], band: Int? = nil, _ accesses: [RemoteAccess]
    ) async -> [Result<RemoteTile, RemoteArchiveError>] {
        guard let access = accesses.first else { return [] }
        do throws(RemoteArchiveError) {
            return try await restarting(access) { opened throws(RemoteArchiveError) in
                try await self.tiles(entries, band: band, accesses, opened)
            }
        } catch { return entries.map { _ in .failure(error) } }
    }

    /// - Throws: ``RemoteArchiveError`` if the file has changed, or nothing can be read.
    private func tiles(
        _ entries: [TileArchive.Entry], band: Int?, _ accesses: [RemoteAccess], _ opened: Opened
    ) async throws(RemoteArchiveError) -> [Outcome] {
        var opened = opened
        if band == nil, entries.contains(where: { $0.archive.style == nil }) {
            opened = try await stretched(opened, accesses[0])
        }
        var outcomes = [Outcome](repeating: .failure(.changed), count: entries.count), planned: [PlannedTile] = []
        for (index, entry) in entries.enumerated() {
            do throws(RemoteArchiveError) {
                let (read, blocks) = try await known(opened, accesses[index]) { image, parts throws(ArchiveError) in
                    try image.blocks(
                        ofTile: entry.level, column: entry.column, row: entry.row,
                        bands: band.map { [$0] } ?? entry.archive.style?.bands, parts)
                }
                opened = read
                let tile = PlannedTile(index: index, entry: entry, blocks: blocks)
                if tile.byteCount > Self.tileByteLimit { throw .image(opened.image.withoutOverview) }
                planned.append(tile)
            } catch {
                if case .range(.changed) = error { throw error }
                outcomes[index] = .failure(error)
            }
        }
        while !planned.isEmpty {
            var count = 0, byteCount: UInt64 = 0
            while count < planned.count, count == 0 || byteCount < Self.blockByteLimit {
                byteCount += planned[count].byteCount
                count += 1
            }
            let chunk = Array(planned.prefix(count))
            planned.removeFirst(count)
            for (index, outcome) in try await outcomesOf(chunk, band: band, accesses, opened) {
                outcomes[index] = outcome
            }
        }
        return outcomes
    }

    /// Requests the blocks of tiles side by side, and makes the tiles.
    private func outcomesOf(
        _ tiles: [PlannedTile], band: Int?, _ accesses: [RemoteAccess], _ opened: Opened
    ) async throws(RemoteArchiveError) -> [(Int, Outcome)] {
        typealias Received = (
            range: Range<UInt64>,
            answer: Result<(bytes: [UInt8], answer: CachedAnswer<ByteRange.Part>), RemoteArchiveError>
        )
        let blocks = Set(tiles.flatMap(\.blocks)).sorted { $0.lowerBound < $1.lowerBound }
        let ranges = opened.isWhole ? [] : BlockRanges.merged(blocks)
        let received = await withTaskGroup(of: Received.self) { group in
            for range in ranges {
                let waiting = tiles.filter { tile in tile.blocks.contains { range.contains($0.lowerBound) } }
                let turns = waiting.map { accesses[$0.index].turn }
                var access = accesses[waiting.first?.index ?? 0]
                access.turn.onAdmission = { for turn in turns { turn.onAdmission() } }
                group.addTask { [access] in
                    do throws(RemoteArchiveError) {
                        return (range, .success(try await self.answer(range, opened, access)))
                    } catch { return (range, .failure(error)) }
                }
            }
            var received: [Received] = []
            for await one in group { received.append(one) }
            return received
        }
        var source = emptySource(opened), answers: [Range<UInt64>: CachedAnswer<ByteRange.Part>] = [:],
            faults: [Range<UInt64>: RemoteArchiveError] = [:]
        for (range, result) in received {
            switch result {
            case .success(let (bytes, answer)):
                source.add(bytes, at: range.lowerBound)
                answers[range] = answer
            case .failure(.range(.changed)): throw .range(.changed)
            case .failure(let error): faults[range] = error
            }
        }
        return await withTaskGroup(of: (Int, Outcome).self) { [source, answers, faults] group in
            for tile in tiles {
                let used = ranges.filter { range in tile.blocks.contains { range.contains($0.lowerBound) } }
                group.addTask {
                    [answers = used.compactMap { answers[$0] }, fault = used.lazy.compactMap { faults[$0] }.first] in
                    if let fault { return (tile.index, .failure(fault)) }
                    return (tile.index, await Self.made(tile.entry, band: band, source, opened, answers))
                }
            }
            var outcomes: [(Int, Outcome)] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
    }

    /// Decodes the blocks of a tile.
    @concurrent
    private static func made(
        _ entry: TileArchive.Entry, band: Int?, _ source: TIFFRanges, _ opened: Opened,
        _ answers: [CachedAnswer<ByteRange.Part>]
    ) async -> Outcome {
        do throws(ArchiveError) {
            let content: RemoteTile.Content?
            if let band {
                content = try opened.image.values(
                    level: entry.level, column: entry.column, row: entry.row, band: band, source
                ).map { .values($0) }
            } else {
                content = try opened.image.tile(
                    level: entry.level, column: entry.column, row: entry.row, style: entry.archive.style, source
                ).map { .picture(.pixels($0)) }
            }
            let isOld = answers.first { if case .stale = $0.origin { true } else { false } }
            let isNew = answers.first { $0.origin == .network }
            return .success(
                RemoteTile(
                    content: content,
                    origin: (isOld ?? isNew ?? answers.first)?.origin ?? opened.origin,
                    freshUntil: answers.map(\.freshUntil).min() ?? opened.freshUntil,
                    mayReuse: answers.allSatisfy(\.mayReuse), mayStandIn: answers.allSatisfy(\.mayStandIn)))
        } catch { return .failure(.image(error)) }
    }
}

extension GeoTIFFImage {
    /// The failure of a view for which too much of the file would be read.
    fileprivate var withoutOverview: ArchiveError {
        ArchiveError(
            .limitExceeded, place: place,
            detail: "it has no overview for this scale, and too much of it would be transferred; zoom in, or add "
                + "overviews, as with gdal_translate -of COG")
    }
}
