import ArgumentParser
import Portolan

/// The part of a set of vector tiles whose features are read.
struct TileOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The box of features from vector tiles, in units of --bbox-crs, east first (default: all tiles).",
            valueName: "minx,miny,maxx,maxy"))
    var bbox: String?

    @Option(help: ArgumentHelp("The CRS of --bbox (default: EPSG:3857).", valueName: "code"))
    var bboxCrs: String?

    @Option(help: "The zoom level of vector tiles, 0 to 30 (default: the finest).")
    var zoom: Int?

    /// The box, or `nil` for all tiles.
    func bounds() throws(CommandFailure) -> LayerBounds? {
        try bbox.map { text throws(CommandFailure) in try BoxText.bounds(text, crs: bboxCrs) }
    }

    /// Refuses options that have no meaning for features of other sources.
    func refuseOptions(for source: String) throws(CommandFailure) {
        for (option, isGiven) in [("--bbox", bbox != nil), ("--bbox-crs", bboxCrs != nil), ("--zoom", zoom != nil)]
        where isGiven {
            throw CommandFailure(.usage, "\(option) is for vector tiles, and '\(source)' has none")
        }
    }
}
