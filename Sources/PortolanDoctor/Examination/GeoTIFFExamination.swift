package import Portolan
package import PortolanArchives
import PortolanFetch

/// The examination of a GeoTIFF: whether it is a Cloud Optimized GeoTIFF (OGC 21-026), by the rules of rio-cogeo, and
/// samples of its blocks.
package enum GeoTIFFExamination {
    /// The command that writes a Cloud Optimized GeoTIFF.
    private static let remedy = "rewrite it, as with gdal_translate -of COG IN.tif OUT.tif or rio cogeo create"

    /// Examines a file.
    ///
    /// - Throws: ``/PortolanArchives/ArchiveError`` if the file cannot be opened, or is not a georeferenced image.
    package static func run(path: String) throws(ArchiveError) -> ServiceDiagnosis {
        let raster = try GeoTIFFRaster(path: path)
        var blocks = FindingList(), passed = 0
        let tiles = samples(raster.image)
        for tile in tiles {
            do throws(ArchiveError) {
                _ = try raster.tile(level: tile.level, column: tile.column, row: tile.row)
                passed += 1
            } catch {
                blocks.add(
                    .fault, .tileUnreadable, "\(tile.level)/\(tile.column)/\(tile.row)", error.detail,
                    remedy: "write the image again from its source")
            }
        }
        let layout = try raster.layout()
        for index in try raster.levelsWithoutLeaders(layout) {
            blocks.add(
                .deviation, .structureUntrue, name(index),
                "the length of its first block is not before the block, as the file declares", remedy: remedy)
        }
        return diagnosis(
            path, raster.image, layout, blocks,
            passed > 0 ? ["\(passed) of \(tiles.count) sampled tiles can be decoded"] : [], requestCount: 0)
    }

    /// Examines a file on a server by range requests.
    ///
    /// - Throws: ``/Portolan/ServiceError`` if the file cannot be opened.
    package static func run(url: String, _ client: ServiceClient) async throws(ServiceError) -> ServiceDiagnosis {
        let image = try await client.geoTIFF(at: url), layout = try await client.geoTIFFLayout(at: url)
        return diagnosis(
            FetchError.redacted(url), image, layout, FindingList(), ["the server answers range requests"],
            requestCount: 2)
    }

    /// The tile in the middle of each level that is in the file.
    private static func samples(_ image: GeoTIFFImage) -> [(level: Int, column: Int, row: Int)] {
        let sizes = image.levelSizes, side = image.tileSize
        return sizes.indices.map { index in
            (sizes.count - 1 - index, sizes[index].width / side / 2, sizes[index].height / side / 2)
        }
    }

    private static func diagnosis(
        _ place: String, _ image: GeoTIFFImage, _ layout: GeoTIFFLayout, _ blocks: FindingList, _ passed: [String],
        requestCount: Int
    ) -> ServiceDiagnosis {
        var list = FindingList(), opening = ServiceDiagnosis.Section("Layout")
        check(layout, into: &list)
        if image.crs == nil {
            list.add(
                .deviation, .crsUnknown, "keys", image.notes.first ?? "no known CRS is stated",
                remedy: "state an EPSG code, as with gdal_translate -a_srs EPSG:CODE, or draw it with crs=")
        }
        let main = layout.levels[0]
        opening.passed.append(
            "\(main.width) x \(main.height) pixels, \(image.bandCount) x \(image.sampleType), \(image.compression)")
        if !list.findings.contains(where: { $0.severity > .note }) {
            opening.passed.append("it is a Cloud Optimized GeoTIFF with \(layout.levels.count - 1) overviews")
        }
        opening.findings = list.gravestFirst
        var section = ServiceDiagnosis.Section("Blocks")
        section.passed = passed
        section.findings = blocks.gravestFirst
        return ServiceDiagnosis(
            kind: .geoTIFF, url: place, title: "", versions: [], sections: [opening, section],
            requestCount: requestCount, isCutShort: false)
    }

    private static func check(_ layout: GeoTIFFLayout, into list: inout FindingList) {
        let levels = layout.levels, main = levels[0]
        let isLarge = max(main.width, main.height) > GeoTIFFLayout.largeSide
        for (index, level) in levels.enumerated()
        where !level.isTiled && max(level.width, level.height) > GeoTIFFLayout.largeSide {
            list.add(
                .deviation, .notTiled, name(index), "its blocks are strips, so that a small view reads whole rows",
                remedy: remedy)
        }
        if isLarge, levels.count == 1 {
            list.add(
                .deviation, .overviewsMissing, "image",
                "there are no overviews, so that a small picture of the whole reads all of it",
                remedy: "add them, as with gdaladdo -r average FILE, or \(remedy)")
        }
        if let last = levels.last, levels.count > 1, max(last.width, last.height) > 2 * GeoTIFFLayout.largeSide {
            list.add(
                .note, .overviewsMissing, name(levels.count - 1),
                "the coarsest overview has \(last.width) x \(last.height) pixels; small pictures read all of it",
                remedy: "add overviews until one has at most 512 pixels")
        }
        if layout.isEdited {
            list.add(
                .deviation, .structureUntrue, "image", "the file declares that editing broke its order", remedy: remedy)
        }
        if main.directory > layout.beginning {
            list.add(
                .deviation, .directoriesOrder, "image",
                "its directory is at byte \(main.directory), not at the beginning of the file", remedy: remedy)
        }
        for (index, pair) in zip(levels, levels.dropFirst()).enumerated() {
            let (finer, coarser) = pair
            if coarser.directory < finer.directory {
                list.add(
                    .deviation, .directoriesOrder, name(index + 1),
                    "its directory is before that of the finer image", remedy: remedy)
            }
            if let first = coarser.firstBlock, let next = finer.firstBlock, first.lowerBound > next.lowerBound {
                list.add(
                    .deviation, .blocksOrder, name(index + 1),
                    "its blocks are behind those of the finer image, which are needed later", remedy: remedy)
            }
        }
        let lastDirectory = levels.map(\.directory).max() ?? 0
        for (index, level) in levels.enumerated() {
            if let first = level.firstBlock, first.lowerBound < lastDirectory {
                list.add(
                    .deviation, .blocksOrder, name(index),
                    "blocks are between the directories, which one request then does not read", remedy: remedy)
            }
            if !level.isOrdered {
                list.add(
                    .note, .notClustered, name(index), "blocks are not in the order of rows; views take more requests",
                    remedy: remedy)
            }
        }
    }

    private static func name(_ index: Int) -> String { index == 0 ? "image" : "overview \(index)" }
}
