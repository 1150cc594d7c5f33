package import Portolan
package import PortolanArchives
import PortolanCodecs
import PortolanFetch
import PortolanServices
import PortolanVectorTiles
import PortolanWeb

/// The examination of a tile archive, MBTiles or PMTiles: its metadata, its directories and samples of its tiles.
package enum TileArchiveExamination {
    /// The number of tiles that are decoded.
    private static let sampleCount = 40
    /// The number of bytes beyond which clients load a vector tile slowly.
    private static let largeTile = 500_000

    /// The facts of an archive that do not depend on its format.
    private struct Facts {
        var metadata: MBTilesMetadata
        /// The number of tiles of each level.
        var counts: [(level: Int, count: Int)]
        var samples: [Sample]
    }

    private struct Sample {
        var level: Int, column: Int, row: Int
        var bytes: [UInt8]
        var name: String { "\(level)/\(column)/\(row)" }
    }

    /// Examines an archive.
    ///
    /// - Throws: ``/PortolanArchives/ArchiveError`` if the file cannot be opened, or is neither MBTiles nor PMTiles.
    package static func run(path: String) throws(ArchiveError) -> ServiceDiagnosis {
        switch try TileArchiveKind(path: path) {
        case .pmtiles: try pmtiles(path)
        case .mbtiles: try mbtiles(path)
        case .geoPackage, nil:
            throw ArchiveError(.wrongFormat, place: path, detail: "only MBTiles and PMTiles are examined")
        }
    }

    // MARK: Formats

    private static func pmtiles(_ path: String) throws(ArchiveError) -> ServiceDiagnosis {
        let file = try PMTilesFile(path: path), header = file.header
        var list = FindingList(), opening = ServiceDiagnosis.Section("Archive")
        var counts: [(level: Int, count: Int)] = [], places: [(level: Int, column: Int, row: Int)] = []
        var total = 0
        do throws(ArchiveError) {
            counts = try file.tileCounts()
            total = counts.reduce(0) { $0 + $1.count }
            let step = max(1, total / sampleCount)
            var passed = 0
            try file.forEachEntry { entry in
                if passed % step == 0, places.count < sampleCount, let index = entry.tile.index { places.append(index) }
                passed += 1
                return true
            }
            opening.passed.append("the directories list \(total) tiles")
        } catch {
            list.add(
                .fault, .archiveDamaged, "directories", error.detail,
                remedy: "write the archive again, as with pmtiles convert or portolan seed")
        }
        if let stated = header.tileCount, total > 0, stated != UInt64(total) {
            list.add(
                .deviation, .tileCount, "header", "it states \(stated) tiles, and the directories have \(total)",
                remedy: "write the archive again; the header counts addressed tiles")
        }
        check(header, into: &list)
        var samples: [Sample] = []
        for (level, column, row) in places {
            do throws(ArchiveError) {
                guard let bytes = try file.tile(level: level, column: column, row: row) else { continue }
                let sample = Sample(level: level, column: column, row: row, bytes: bytes)
                samples.append(sample)
                check(sample, header, into: &list)
            } catch {
                list.add(
                    .fault, .tileUnreadable, "\(level)/\(column)/\(row)", error.detail,
                    remedy: "write the archive again from its source")
            }
        }
        return diagnosis(
            .pmtiles, path, versions: ["3"], opening, list,
            Facts(metadata: file.metadata, counts: counts, samples: samples))
    }

    /// Examines a PMTiles archive on a server by range requests: its header, its metadata, and a tile of each level.
    ///
    /// - Throws: ``/Portolan/ServiceError`` if the archive cannot be opened.
    package static func run(url: String, _ client: ServiceClient) async throws(ServiceError) -> ServiceDiagnosis {
        let sample = try await client.pmtilesSample(of: url), header = sample.header
        var list = FindingList(), opening = ServiceDiagnosis.Section("Archive")
        opening.passed.append("the server answers range requests")
        if let count = header.tileCount { opening.passed.append("the header states \(count) tiles") }
        check(header, into: &list)
        var samples: [Sample] = []
        for (index, result) in sample.tiles {
            switch result {
            case .success(let bytes):
                let own = Sample(level: index.level, column: index.column, row: index.row, bytes: bytes)
                samples.append(own)
                check(own, header, into: &list)
            case .failure(let error):
                list.add(
                    .fault, .tileUnreadable, "\(index.level)/\(index.column)/\(index.row)", error.description,
                    remedy: "write the archive again from its source")
            }
        }
        return diagnosis(
            .pmtiles, FetchError.redacted(url), versions: ["3"], opening, list,
            Facts(metadata: sample.metadata, counts: [], samples: samples), requestCount: sample.requestCount)
    }

    private static func check(_ header: PMTilesHeader, into list: inout FindingList) {
        if !header.isClustered {
            list.add(
                .note, .notClustered, "header",
                "tiles are not in the order of their numbers; regions take more requests",
                remedy: "cluster it, as with pmtiles cluster or portolan seed")
        }
        if header.tileKind == .unknown {
            list.add(
                .deviation, .formatMissing, "header", "the kind of tiles is not stated",
                remedy: "state the tile type in the header")
        }
    }

    /// Checks the compression of a tile against the header.
    private static func check(_ sample: Sample, _ header: PMTilesHeader, into list: inout FindingList) {
        let isPacked = sample.bytes.starts(with: [0x1F, 0x8B])
        guard header.tileCompression == .gzip && !isPacked || header.tileCompression == .none && isPacked else {
            return
        }
        list.add(
            .deviation, .contentType, sample.name,
            "the header states the compression \(header.tileCompression), and the tile is "
                + (isPacked ? "compressed by gzip" : "not compressed by gzip"),
            remedy: "state the compression that the tiles have")
    }

    private static func mbtiles(_ path: String) throws(ArchiveError) -> ServiceDiagnosis {
        let file = try MBTilesFile(path: path), levels = try file.levels()
        var list = FindingList(), opening = ServiceDiagnosis.Section("Archive")
        opening.passed.append("the table has \(levels.reduce(0) { $0 + $1.tileCount }) tiles")
        if file.metadata.format.isEmpty {
            list.add(
                .deviation, .formatMissing, "metadata", "the format of the tiles is not stated",
                remedy: "add the row 'format' (MBTiles 1.3), as png, jpg, webp or pbf")
        }
        if file.metadata.name.isEmpty {
            list.add(
                .deviation, .titleMissing, "metadata", "there is no name", remedy: "add the row 'name' (MBTiles 1.3)")
        }
        var samples: [Sample] = []
        for level in levels {
            let count = max(1, sampleCount / levels.count)
            for place in try file.places(ofLevel: level.level, count: count) {
                guard let bytes = try file.tile(level: level.level, column: place.column, row: place.row) else {
                    continue
                }
                let sample = Sample(level: level.level, column: place.column, row: place.row, bytes: bytes)
                samples.append(sample)
                if file.metadata.isVector, !bytes.isEmpty, !bytes.starts(with: [0x1F, 0x8B]) {
                    list.add(
                        .note, .contentType, sample.name, "the vector tile is not compressed by gzip",
                        remedy: "compress tiles by gzip (MBTiles 1.3), since servers send them as such")
                }
            }
        }
        return diagnosis(
            .mbtiles, path, versions: [], opening, list,
            Facts(metadata: file.metadata, counts: levels.map { ($0.level, $0.tileCount) }, samples: samples))
    }

    // MARK: Findings of both

    private static func diagnosis(
        _ kind: ServiceDiagnosis.Kind, _ path: String, versions: [String], _ opening: ServiceDiagnosis.Section,
        _ found: FindingList, _ facts: Facts, requestCount: Int = 0
    ) -> ServiceDiagnosis {
        var list = found, tiles = FindingList(), opening = opening, section = ServiceDiagnosis.Section("Tiles")
        let metadata = facts.metadata
        for level in metadata.levels ?? 0...0
        where !facts.counts.isEmpty && !facts.counts.contains(where: { $0.level == level }) {
            list.add(
                .deviation, .levelEmpty, "level \(level)", "it is stated, and has no tiles; clients show nothing there",
                remedy: "state the levels that there are")
        }
        if metadata.bounds == nil {
            list.add(
                .note, .geographicBoxMissing, "metadata", "the bounds are not stated; clients ask for tiles everywhere",
                remedy: "state west, south, east and north in degrees")
        }
        var summary = VectorLayerSummary(), good = 0
        for sample in facts.samples {
            guard let fault = fault(of: sample, metadata, &summary, &tiles) else {
                good += 1
                continue
            }
            tiles.add(
                .fault, .tileUnreadable, sample.name, fault, remedy: "write the tile again from its source")
        }
        if good > 0 { section.passed.append("\(good) of \(facts.samples.count) sampled tiles can be decoded") }
        let names = summary.descriptions.map(\.id)
        if !names.isEmpty {
            opening.passed.append("layers: \(names.joined(separator: ", "))")
            let described = Set(metadata.vectorLayers.map(\.id))
            if described.isEmpty {
                list.add(
                    .deviation, .layersUndescribed, "metadata", "the layers of its vector tiles are not described",
                    remedy: "add vector_layers to the metadata (TileJSON 3.0, 3.3)")
            } else {
                for name in names where !described.contains(name) {
                    list.add(
                        .deviation, .layersUndescribed, name, "tiles have this layer, and vector_layers does not",
                        remedy: "describe all layers in vector_layers")
                }
            }
        }
        opening.findings = list.gravestFirst
        section.findings = tiles.gravestFirst
        return ServiceDiagnosis(
            kind: kind, url: path, title: metadata.name, versions: versions, sections: [opening, section],
            requestCount: requestCount, isCutShort: false)
    }

    /// The reason why a tile cannot be drawn, or `nil`.
    private static func fault(
        of sample: Sample, _ metadata: MBTilesMetadata, _ summary: inout VectorLayerSummary, _ list: inout FindingList
    ) -> String? {
        if sample.bytes.isEmpty { return nil }
        guard metadata.isVector else {
            do { _ = try ImageDecoders.standard.decode(sample.bytes) } catch {
                return "it is not a readable image: \(error)"
            }
            return nil
        }
        if sample.bytes.count > largeTile {
            list.add(
                .note, .tileLarge, sample.name, "it has \(sample.bytes.count / 1000) kB; browsers draw it slowly",
                remedy: "drop features or attributes of this level, as tippecanoe does")
        }
        do throws(VectorTileError) {
            let tile = try VectorTile(sample.bytes, encoding: metadata.isMLT ? .mlt : .mvt)
            summary.add(tile, level: sample.level)
            for fault in tile.faults {
                list.add(
                    .deviation, .documentOdd, sample.name, "\(fault)",
                    remedy: "write the tile by Mapbox Vector Tile 2.1")
            }
        } catch { return "it is not a valid vector tile: \(error)" }
        return nil
    }
}
