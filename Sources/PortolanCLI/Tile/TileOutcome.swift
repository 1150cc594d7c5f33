import Portolan
import PortolanPlan

/// The result of `portolan tile`.
struct TileOutcome: Sendable {
    let path: String
    let pyramid: FeatureTilePyramid
    /// The figures of each level.
    let counts: [FeatureTileCounts]
    /// The time of reading.
    var read = Duration.zero
    /// The time of projecting and simplifying.
    let prepared: Duration
    /// The time of making and writing tiles.
    let made: Duration
    var warnings: [String] = []

    private var total: FeatureTileCounts {
        counts.reduce(into: FeatureTileCounts()) { $0.add($1) }
    }

    /// The result in one line.
    var summary: String {
        let levels = pyramid.levels
        return "\(total.tiles) tiles, zooms \(levels.lowerBound) to \(levels.upperBound), "
            + "the largest \(ByteText.text(total.largest)), all \(ByteText.text(total.bytes))"
    }

    /// The report of `--report`.
    struct Report: Encodable {
        struct Layer: Encodable {
            let name: String
            let fields: [String: String]
        }

        struct Zoom: Encodable {
            let zoom: Int
            let tiles: Int
            let features: Int
            let bytes: Int
            let largestTile: Int
            let droppedByRate: Int
            let droppedAsNeeded: Int
            let reducedTiles: Int
            let tinyPolygons: Int
        }

        struct Milliseconds: Encodable {
            let read: Int
            let prepare: Int
            let tiles: Int
        }

        let output: String
        let tiles: Int
        let bytes: Int
        let layers: [Layer]
        let zooms: [Zoom]
        let milliseconds: Milliseconds
        let warnings: [String]
    }

    var report: Report {
        func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
        return Report(
            output: path, tiles: total.tiles, bytes: total.bytes,
            layers: pyramid.layers.map { layer in
                Report.Layer(
                    name: layer.name,
                    fields: Dictionary(layer.attributes.fields.map { ($0.name, $0.type) }) { first, _ in first })
            },
            zooms: zip(pyramid.levels, counts).map { level, counts in
                Report.Zoom(
                    zoom: level, tiles: counts.tiles, features: counts.features, bytes: counts.bytes,
                    largestTile: counts.largest, droppedByRate: counts.thinned, droppedAsNeeded: counts.dropped,
                    reducedTiles: counts.reduced, tinyPolygons: counts.specks)
            },
            milliseconds: Report.Milliseconds(
                read: milliseconds(read), prepare: milliseconds(prepared), tiles: milliseconds(made)),
            warnings: warnings)
    }
}
