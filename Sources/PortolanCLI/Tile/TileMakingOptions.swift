import ArgumentParser
import PortolanPlan

/// The options of the content of vector tiles.
struct TileMakingOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Keep only these attributes, separated by commas. Repeatable.", valueName: "names"))
    var attributes: [String] = []

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Leave out these attributes, separated by commas. Repeatable.", valueName: "names"))
    var exclude: [String] = []

    @Option(
        help: ArgumentHelp(
            "Leave features out of a tile that exceeds a limit: the densest first, a fraction of all, or none and fail (default: densest).",
            valueName: "densest|fraction|none"))
    var drop: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Divide the number of points by N from each level to the next coarser one, 1 to 10.",
            valueName: "n"))
    var dropRate = 2.5

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep geometries within N units around a tile, 0 to 4096.", valueName: "n"))
    var buffer = 64

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Simplify lines and polygons by at most N units, 0 to 64.", valueName: "n"))
    var simplify = 1.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Limit a compressed tile to N bytes, 1000 to 100000000.", valueName: "n"))
    var maxTileBytes = 500_000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Limit a tile to N features, 1 to 10000000.", valueName: "n"))
    var maxTileFeatures = 200_000

    /// The settings.
    func settings() throws(CommandFailure) -> FeatureTileSettings {
        func check<Number: Comparable>(
            _ option: String, _ value: Number, _ range: ClosedRange<Number>
        ) throws(CommandFailure) {
            guard range.contains(value) else {
                throw CommandFailure(
                    .usage, "\(option) \(value): must be between \(range.lowerBound) and \(range.upperBound)")
            }
        }
        try check("--buffer", buffer, 0...4096)
        try check("--simplify", simplify, 0...64)
        try check("--drop-rate", dropRate, 1...10)
        try check("--max-tile-bytes", maxTileBytes, 1000...100_000_000)
        try check("--max-tile-features", maxTileFeatures, 1...10_000_000)
        var settings = FeatureTileSettings()
        if let drop {
            guard let known = FeatureTileSettings.Drop(rawValue: drop) else {
                let names = FeatureTileSettings.Drop.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure(.usage, "--drop \(drop): unknown; available: \(names)")
            }
            settings.drop = known
        }
        settings.buffer = buffer
        settings.simplification = simplify
        settings.dropRate = dropRate
        settings.byteLimit = maxTileBytes
        settings.featureLimit = maxTileFeatures
        guard attributes.isEmpty || exclude.isEmpty else {
            throw CommandFailure(.usage, "--attributes cannot be combined with --exclude; remove one")
        }
        if !attributes.isEmpty { settings.attributes = .only(Self.names(attributes)) }
        if !exclude.isEmpty { settings.attributes = .except(Self.names(exclude)) }
        return settings
    }

    private static func names(_ values: [String]) -> Set<String> {
        Set(values.flatMap { $0.split(separator: ",").map(String.init) })
    }
}
