import ArgumentParser
package import Portolan
import PortolanPlan
import PortolanServices
import PortolanWeb

/// `portolan identify`: the features at a point.
struct IdentifyCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Prints the features at a point as JSON, from files and GetFeatureInfo responses.",
        usage: "portolan identify [<map.json>] [-l <layer>]... [<options>] --at <x,y>",
        discussion: """
            Takes the layers and view options of render; -o and furniture are accepted and ignored. Results are listed top layer \
            first. A layer has "features" (id, geometry in degrees, properties), or the text or HTML of the service, or an error, or \
            "queryable": false.

            EXAMPLES
              Query a pixel of a 1024x768 picture:
                portolan identify -l route.geojson --crs EPSG:25830 \\
                  --bbox 660000,4600000,690000,4625000 --at 512,384

              Query two layers of a service at a coordinate:
                portolan identify -l 'wms:https://example.org/wms;layers=land,rivers' \\
                  --zoom 12 --lonlat -0.88,41.65

              Query a map document; print the service's text:
                portolan identify map.json --lonlat 24.94,60.17 --info-format text

            EXIT CODES
              0   all layers responded, even if nothing was found
              3   some layers responded, others failed
              69  no layer responded
              64, 65, 66, 73 and 130 as in render
            """)

    @OptionGroup var map: MapOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Query this point, in pixels of --size from the top left (512.5,384).", valueName: "x,y"))
    var at: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Query this point, in degrees, longitude first. With --zoom alone, the map is centred on it; without a view, all features are shown.",
            valueName: "lon,lat"))
    var lonlat: String?

    @Flag(help: "Print JSON (always on).") var json = false

    @Option(parsing: .unconditional, help: "Print at most N features per layer, 1 to 1000 (default: 10).")
    var featureCount: Int?

    @Option(
        help: ArgumentHelp(
            "Request this format: geojson, json, gml, xml, text, html or a media type (default: the best one offered).",
            valueName: "format"))
    var infoFormat: String?

    @Option(
        parsing: .unconditional,
        help: "Include features within N pixels of the point, 0 to 1000 (default: 4).")
    var tolerance: Double?

    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions
    @OptionGroup(title: "Output") var picture: PictureOptions
    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }

    func run() async throws {
        let point = try IdentifyPoint(at: at, lonlat: lonlat)
        let options = try identifyOptions()
        _ = try furniture.options()
        _ = try picture.maximumMissing()
        if let output = picture.output { _ = try PictureFormat(of: OutputFile(path: output)) }
        let map = map, network = network
        let (document, status) = try await Interruption.cancelling {
            try await Self.document(of: map, network, point, options)
        }
        try OutputFile(path: "-").write(JSONText.bytes(document))
        if !picture.quiet { document.warnings.forEach { StandardError.warn($0) } }
        if status != .drawn { throw ExitCode(status.rawValue) }
    }

    private func identifyOptions() throws(CommandFailure) -> IdentifyOptions {
        var options = IdentifyOptions()
        if let featureCount {
            guard (1...1000).contains(featureCount) else {
                throw CommandFailure(.usage, "--feature-count \(featureCount): must be between 1 and 1000")
            }
            options.featureCount = featureCount
        }
        if let tolerance {
            guard (0...1000).contains(tolerance) else {
                throw CommandFailure(.usage, "--tolerance \(tolerance): must be between 0 and 1000 pixels")
            }
            options.tolerance = tolerance
        }
        options.infoFormat = infoFormat
        return options
    }

    private static func document(
        of options: MapOptions, _ network: NetworkOptions, _ point: IdentifyPoint, _ identify: IdentifyOptions
    ) async throws -> (IdentifyDocument, ExitStatus) {
        let map = try await options.map(network, center: point.place)
        let pixel = try point.pixel(in: map.viewport)
        let found = await MapRenderer(configuration: map.configuration)
            .identify(map.layers, in: map.viewport, pixel: pixel, options: identify)
        // A format that a service does not offer is a usage error, like an unknown layer.
        for layer in found {
            if case .failure(let error) = layer.outcome, error.code == .notOffered, identify.infoFormat != nil {
                throw CommandFailure(
                    .usage, "layer '\(layer.layer)': \((error.inner as? ServiceError)?.detail ?? error.message)")
            }
        }
        let document = IdentifyDocument(
            found, missing: map.missing, at: pixel, in: map.viewport, warnings: map.warnings.map(\.description))
        let failed = document.answers.count { $0.error != nil }
        guard failed > 0 else { return (document, .drawn) }
        let first = document.answers.lazy.compactMap { answer in answer.error.map { (answer.layer, $0) } }.first
        guard let first, !document.answers.contains(where: \.isAnswered) else { return (document, .incomplete) }
        let message = "no layer responded; layer '\(first.0)': \(first.1)"
        if map.layers.isEmpty, let failure = map.failure { throw failure.saying(message) }
        let statuses = found.compactMap { if case .failure(let error) = $0.outcome { error.httpStatus } else { nil } }
        throw CommandFailure(.unavailable, message, httpStatus: statuses.first)
    }
}

/// The point of `portolan identify`.
package enum IdentifyPoint: Equatable, Sendable {
    /// In view pixels.
    case pixel(Point)
    /// Longitude and latitude in degrees, and the text of the option.
    case degrees(Coordinate, text: String)

    /// Reads the two options; exactly one must be given.
    package init(at: String?, lonlat: String?) throws(CommandFailure) {
        switch (at, lonlat) {
        case (let text?, nil):
            let numbers = try ViewRequest.numbers(text, count: 2, option: "--at", form: "X,Y")
            self = .pixel(Point(x: numbers[0], y: numbers[1]))
        case (nil, let text?):
            let numbers = try ViewRequest.numbers(text, count: 2, option: "--lonlat", form: "LON,LAT")
            guard abs(numbers[0]) <= 360, abs(numbers[1]) <= 90 else {
                throw CommandFailure(.usage, "--lonlat \(text): expected degrees, longitude first: LON,LAT")
            }
            self = .degrees(Coordinate(longitude: numbers[0], latitude: numbers[1]), text: text)
        case (nil, nil):
            throw CommandFailure(.usage, "missing point; add --at X,Y or --lonlat LON,LAT")
        case (_?, _?): throw CommandFailure(.usage, "--at and --lonlat cannot be combined; remove one")
        }
    }

    /// The point as a centre of a view, in degrees.
    package var place: Coordinate? { if case .degrees(let place, _) = self { place } else { nil } }

    /// The point as a pixel of a view, which must contain it.
    package func pixel(in viewport: Viewport) throws(CommandFailure) -> Point {
        let width = Double(viewport.size.width), height = Double(viewport.size.height)
        func isShown(_ point: Point) -> Bool {
            point.x >= 0 && point.y >= 0 && point.x <= width && point.y <= height
        }
        switch self {
        case .pixel(let point):
            guard isShown(point) else {
                throw CommandFailure(
                    .usage,
                    "--at \(NumberText.decimal(point.x)),\(NumberText.decimal(point.y)): outside the picture of "
                        + "\(viewport.size.width)x\(viewport.size.height) pixels")
            }
            return point
        case .degrees(let place, let text):
            let transform: CoordinateTransform
            do { transform = try CoordinateTransform(from: .crs84, to: viewport.crs) } catch {
                throw CommandFailure(.usage, "--lonlat \(text): \(error)")
            }
            guard var coordinate = transform(place) else {
                throw CommandFailure(.usage, "--lonlat \(text): outside the area of \(viewport.crs)")
            }
            // The view may show the coordinate in another copy of the world.
            if let width = viewport.crs.worldWidth { coordinate.x -= (coordinate.x / width).rounded() * width }
            for shift in worldShifts(of: viewport.crs, in: viewport.extent).sorted(by: { abs($0) < abs($1) }) {
                let point = viewport.pixel(of: Coordinate(x: coordinate.x + shift, y: coordinate.y))
                if isShown(point) { return point }
            }
            throw CommandFailure(
                .usage,
                "--lonlat \(text): outside the view; move the view with --center, or remove --center and set --zoom"
            )
        }
    }
}
