import ArgumentParser
import Portolan
import PortolanFeatures
import PortolanFormats
import PortolanGeo

/// `portolan measure`: lengths, areas and bearings on the ground.
struct MeasureCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measures geodesic lengths, areas and bearings of features or coordinates.",
        usage: "portolan measure <file> | <lon,lat>... [<options>]",
        discussion: """
            Lengths and areas are geodesic, on the WGS 84 ellipsoid, regardless of the CRS of the file. For a file: the length of each \
            line, and the perimeter and area of each polygon. For coordinates: the distance from each to the next, and the enclosed \
            area if there are three or more. With --elevation, lines also get the ascent, the descent and the length over the ground, \
            with the elevations of a GeoTIFF or of tiles (as in 'help layers hillshade').

            EXAMPLES
              Measure a GPX track:
                portolan measure walk.gpx

              Distance and bearing from Helsinki to Tallinn:
                portolan measure 24.9414,60.1713 24.7453,59.4370

              The coordinate 2.5 km north-east of another:
                portolan measure 24.9414,60.1713 --bearing 45 --distance 2500

              Climbs of a track that has no elevations:
                portolan measure walk.geojson --elevation alps.tif

              Areas of a Shapefile, as JSON:
                portolan measure lakes.shp --json

            EXIT CODES
              0   measured
              64  usage: invalid command line
              65  unknown format or invalid data
              66  no such file
            """)

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp(
            "A file or URL with features, '-' for standard input, or coordinates LON,LAT in degrees.", valueName: "what"
        ))
    var what: [String]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Start in this direction, in degrees clockwise from north; needs --distance.", valueName: "degrees"))
    var bearing: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Go this far in metres; needs --bearing.", valueName: "meters"))
    var distance: Double?

    @Option(help: "Measure this layer of a GeoPackage with several.")
    var layer: String?

    @Option(help: ArgumentHelp("Name features by this property (default: name, in any case).", valueName: "property"))
    var name: String?

    @Option(help: ArgumentHelp("Measure climbs with the elevations of this GeoTIFF or these tiles.", valueName: "dem"))
    var elevation: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Tables") var tables: TableOptions

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }

    func run() async throws {
        let places = what.compactMap(Self.place)
        if places.count == what.count {
            var way = try way(places)
            if let elevation { way.climb = try await climb(of: way, elevation) }
            return try OutputFile(path: "-").write(json ? JSONText.bytes(way) : Array(way.table().utf8))
        }
        guard what.count == 1, let source = what.first else {
            let odd = what.first { Self.place($0) == nil } ?? ""
            throw CommandFailure(.usage, "'\(odd)': not a valid coordinate; write LON,LAT in degrees, as 24.94,60.17")
        }
        guard bearing == nil, distance == nil else {
            throw CommandFailure(.usage, "--bearing and --distance need exactly one coordinate, LON,LAT in degrees")
        }
        let collection = try await FeatureInput(source: source, layer: layer, tables: tables).collection(network)
        let measured: MeasuredFeatures
        do { measured = try MeasuredFeatures(collection, namedBy: name) } catch {
            throw CommandFailure(.badData, "cannot measure \(source): \(error)")
        }
        var result = measured
        if let elevation { try await addClimbs(to: &result, of: collection, elevation) }
        StandardError.warn(collection.warnings)
        StandardError.warn(measured.warnings)
        try OutputFile(path: "-").write(json ? JSONText.bytes(result) : Array(result.table().utf8))
    }

    /// The climb along a way.
    private func climb(of way: MeasuredWay, _ elevation: String) async throws -> Climb? {
        let places = way.places.map { Coordinate(longitude: $0[0], latitude: $0[1]) }
        guard places.count > 1 else { return nil }
        let line = FeatureCollection(features: [Feature(geometry: .lineString(places))])
        let found = try await GroundElevations.added(to: line, elevation, network, replaces: true)
        return found.features.first?.geometry.flatMap(Climb.init)
    }

    /// Adds the climbs of lines.
    private func addClimbs(
        to measured: inout MeasuredFeatures, of collection: FeatureCollection, _ elevation: String
    ) async throws {
        let inDegrees: FeatureCollection
        do { inDegrees = try collection.inDegrees() } catch { throw CommandFailure(.badData, "\(error)") }
        let found = try await GroundElevations.added(to: inDegrees, elevation, network)
        // Features without a geometry are not measured.
        for (index, geometry) in found.features.compactMap(\.geometry).enumerated()
        where measured.features.indices.contains(index) {
            measured.features[index].climb = Climb(geometry)
        }
    }

    private func way(_ places: [Coordinate]) throws(CommandFailure) -> MeasuredWay {
        guard bearing != nil || distance != nil else {
            guard places.count > 1 else {
                throw CommandFailure(.usage, "one coordinate has no length; add another, or --bearing and --distance")
            }
            return MeasuredWay(places)
        }
        guard let bearing, let distance, places.count == 1, bearing.isFinite, abs(distance) <= 1e8 else {
            throw CommandFailure(
                .usage,
                "--bearing and --distance must be used together, with one coordinate and a distance up to 100,000 km")
        }
        return MeasuredWay([places[0], Geodesic.place(from: places[0], bearing: bearing, meters: distance)])
    }

    private static func place(_ text: String) -> Coordinate? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1], abs(x) <= 360, abs(y) <= 90 else {
            return nil
        }
        return Coordinate(longitude: x, latitude: y)
    }
}

/// The distances between coordinates, as printed.
struct MeasuredWay: Encodable {
    struct Leg: Encodable {
        var from: [Double], to: [Double]
        var meters, bearing, finalBearing: Double
    }

    var legs: [Leg]
    var meters: Double
    /// The climb, if elevations are known.
    var climb: Climb?
    /// The perimeter and area of the closed path, for three coordinates or more.
    var perimeter, squareMeters: Double?

    /// The coordinates of the path.
    var places: [[Double]] { (legs.first.map { [$0.from] } ?? []) + legs.map(\.to) }

    init(_ places: [Coordinate]) {
        legs = zip(places, places.dropFirst()).map { one, other in
            let line = Geodesic.line(from: one, to: other)
            return Leg(
                from: [one.x, one.y], to: [other.x, other.y], meters: line.meters, bearing: line.bearing,
                finalBearing: line.finalBearing)
        }
        meters = legs.reduce(0) { $0 + $1.meters }
        guard places.count > 2 else { return }
        let ring = Geodesic.ring(places)
        perimeter = ring.meters
        squareMeters = abs(ring.area)
    }

    func table() -> String {
        var lines = legs.map { leg in
            let words = RangeAndBearing(
                from: Coordinate(x: leg.from[0], y: leg.from[1]), to: Coordinate(x: leg.to[0], y: leg.to[1]))
            return "\(Self.text(leg.from)) -> \(Self.text(leg.to))  \(words?.description ?? "")"
        }
        if legs.count > 1 { lines.append("total \(RangeAndBearing.length(meters))") }
        if let perimeter, let squareMeters {
            lines.append(
                "closed   \(RangeAndBearing.length(perimeter)) around \(RangeAndBearing.area(squareMeters))")
        }
        if let climb { lines.append(climb.text) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Degrees with at most seven decimals: a centimetre.
    private static func text(_ place: [Double]) -> String {
        place.map { "\(($0 * 1e7).rounded() / 1e7)" }.joined(separator: ",")
    }
}

/// The measures of features, as printed.
struct MeasuredFeatures: Encodable {
    struct Item: Encodable {
        var id: String?
        var name: String?
        var type: String
        var meters, perimeter, squareMeters: Double?
        /// The climb of a line, if its elevations are known.
        var climb: Climb?
        /// Longitude and latitude.
        var labelPoint: [Double]?
        /// The first column of the table.
        var title: String { name ?? id ?? type }
    }

    var features: [Item] = []
    var meters, perimeter, squareMeters: Double
    /// The features whose measured edges differ from the drawn ones.
    private(set) var warnings: [MapWarning] = []

    private enum CodingKeys: CodingKey {
        case features, meters, perimeter, squareMeters
    }

    /// - Parameter property: the property with the name of a feature, or `nil` for `name`.
    init(_ collection: FeatureCollection, namedBy property: String? = nil) throws(CRSError) {
        func name(of feature: Feature) -> String? {
            if let property { return feature.properties[property]?.displayText }
            if let name = feature.properties["name"]?.stringValue { return name }
            let other = feature.properties.names.first { $0.lowercased() == "name" }
            return other.flatMap { feature.properties[$0]?.stringValue }
        }
        let crs = collection.crs ?? .crs84, toDegrees = try CoordinateTransform(from: crs, to: .crs84)
        var sum = GroundMeasure()
        for feature in collection.features {
            guard let geometry = feature.geometry else { continue }
            let measure = try GroundMeasure(geometry, in: crs)
            if crs.isLongitudeLatitude, geometry.hasAmbiguousEdges, warnings.count < 10 {
                let name = feature.id?.description ?? name(of: feature) ?? "\(features.count + 1)"
                warnings.append(
                    MapWarning(
                        feature: "'\(name.prefix(60))'",
                        message:
                            "edges of 180 degrees and more are ambiguous: measured the short way, drawn the long way"
                    ))
            }
            var item = Item(
                id: feature.id?.description, name: name(of: feature),
                type: geometry.kind.geoJSONName)
            // A feature with a coordinate outside the earth has no measures.
            if measure.length.isFinite, measure.area.isFinite {
                sum = sum + measure
                if measure.length > 0 { item.meters = measure.length }
                if measure.perimeter > 0 { (item.perimeter, item.squareMeters) = (measure.perimeter, measure.area) }
            }
            item.labelPoint = geometry.labelPoint.flatMap { toDegrees($0) }.map { [$0.x, $0.y] }
            features.append(item)
        }
        (meters, perimeter, squareMeters) = (sum.length, sum.perimeter, sum.area)
    }

    func table() -> String {
        let shown = features.prefix(100)
        var rows = [["", ""]]
        rows += shown.map { item in
            let length = Self.words(item.meters, item.perimeter, item.squareMeters)
            return [item.title, item.climb.map { "\(length), \($0.text)" } ?? length]
        }
        if features.count != 1 {
            rows.append(["\(features.count) in total", Self.words(meters, perimeter, squareMeters)])
        }
        let more = features.count - shown.count
        return String(TextTable.text(rows).drop { $0.isWhitespace })
            + (more > 0 ? "\(more) more not shown; use --json for all\n" : "")
    }

    private static func words(_ meters: Double?, _ perimeter: Double?, _ squareMeters: Double?) -> String {
        var words: [String] = []
        if let meters, meters > 0 { words.append(RangeAndBearing.length(meters)) }
        if let perimeter, let squareMeters, perimeter > 0 {
            words.append("\(RangeAndBearing.length(perimeter)) around \(RangeAndBearing.area(squareMeters))")
        }
        return words.isEmpty ? "nothing to measure" : words.joined(separator: ", ")
    }
}
