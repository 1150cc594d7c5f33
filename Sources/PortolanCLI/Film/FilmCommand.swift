import ArgumentParser
import Portolan
import PortolanPaint
import PortolanPlan
import PortolanWeb

/// `portolan film`: a map in motion.
struct FilmCommand: AsyncParsableCommand, LimitedCommand {
    static let configuration = CommandConfiguration(
        commandName: "film",
        abstract: "Renders a film along a track, over time or from one view to another.",
        usage:
            "portolan film [<map.json>] [-l <layer>]... --track <file> | --times <times> | --from <view> --to <view> -o <file>",
        discussion: """
            Writes GIF, animated PNG and animated WebP, and MP4 and WebM by the program ffmpeg. The same map gives the same pictures. \
            Takes the layers, view and furniture of render; --profile draws the elevations of the track.

            EXAMPLES
              Along a hike, with its elevation profile:
                portolan film -l 'xyz:https://example.org/{z}/{x}/{y}.png' --track hike.gpx \\
                  --profile --seconds 12 --size 640x480 -o hike.mp4

              The radar pictures of a day:
                portolan film -l 'wms:https://example.org/wms;layers=radar' \\
                  --times 2026-11-27T00:00Z/2026-11-27T23:00Z/PT1H --bbox … -o radar.gif

              Earthquakes by the property 'time', each shown for a day:
                portolan film -l countries.shp -l quakes.geojson --time-property time \\
                  --window P1D -o quakes.webp

              From Europe to a city:
                portolan film map.json --from 10,50,4 --to 24.94,60.17,14 -o flight.mp4

            EXIT CODES
              0 complete; 3 written, but pictures are incomplete; 64 usage; 65 bad input data;
              66 no input file; 69 service or ffmpeg unavailable; 73 cannot write; 130 interrupted
            """)

    @OptionGroup var map: MapOptions
    @OptionGroup(title: "Film") var film: FilmOptions
    @OptionGroup(title: "Furniture") var furniture: FurnitureOptions

    @Flag(help: "Write no film if anything is missing or a feature file is invalid.")
    var strict = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Paint with at most N threads, 1 to 256 (default: one per processor).", valueName: "n"))
    var threads: Int?

    @Flag(help: "Print no progress and no warnings.")
    var quiet = false

    @OptionGroup(title: "Network") var network: NetworkOptions

    var limits: LimitOptions { network.limits }
    var timeLimit: TimeLimit { .ends(usual: .seconds(3600)) }

    func run() async throws {
        guard let output = film.output else {
            throw CommandFailure(.usage, "missing output file; add -o film.gif (see portolan film --help)")
        }
        let file = OutputFile(path: output)
        let format = try FilmFormat(of: file, quality: film.quality)
        try film.check()
        if let threads, !(1...256).contains(threads) {
            throw CommandFailure(.usage, "--threads \(threads): must be between 1 and 256")
        }
        try file.check()
        let status = try await Interruption.cancelling { try await draw(to: file, as: format) }
        if status != .drawn { throw ExitCode(status.rawValue) }
    }

    private func draw(to file: OutputFile, as format: FilmFormat) async throws -> ExitStatus {
        var options = try furniture.options().steady
        options.maximumMissing = strict ? 0 : 1
        if !film.noCaption, film.mode != .flight { options.infoBar = Furniture.InfoBar(title: "") }
        let route = try await film.route(network), track = route?.line
        var request = map
        if let from = try film.view(film.from, "--from") {
            (request.view.center, request.view.zoom) = (from.center, from.zoom)
        }
        let made = try await request.map(
            network, center: track?.place(at: 0), isStrict: strict, under: track.map { [$0.layer(at: 0)] } ?? [],
            hasBar: options.infoBar != nil, furniture: furniture)
        let foot = furniture.footHeight(hasBar: options.infoBar != nil, over: made.furniture)
        guard made.page == nil else {
            throw CommandFailure(.usage, "a film has no page; leave out --paper, --frame and --source")
        }
        furniture.add(made.furniture, on: nil, boxCRS: made.request.boxCRS, to: &options)
        let layers = track == nil ? made.layers : Array(made.layers.dropLast())
        let script = try script(track, made, layers, rate: film.fps ?? format.usualRate, foot: foot)
        try FilmBudget.check(count: script.count, size: made.viewport.imageSize)
        options.profile = try await furniture.profilePanel(
            of: made.layers, over: made.furniture.profile, network, track: route?.collection, film.track)
        options.deadline = try network.pictureTime()
        var configuration = made.configuration
        if let threads { configuration.paintingThreadCount = threads }
        if !quiet { StandardError.warn(made.warnings) }
        return try await render(script, by: MapRenderer(configuration: configuration), options, made, format, file)
    }

    private func script(
        _ track: RouteLine?, _ made: MapOptions.Map, _ layers: [MapLayer], rate: Double, foot: Double
    ) throws -> FilmScript {
        let seconds = film.seconds ?? 8, step = Duration.seconds(1 / rate)
        let count = max(Int((seconds * rate).rounded()), 1)
        switch film.mode {
        case .track:
            guard let track else { throw CommandFailure(.usage, "missing --track") }
            let camera = film.camera.flatMap(FilmScript.Camera.init(rawValue:)) ?? (map.statesPlace ? .fixed : .follow)
            let view = try map.view(of: track, made.viewport, camera: camera, foot: foot)
            return try .track(track, over: layers, in: view, camera: camera, foot: foot, count: count, step: step)
        case .flight:
            guard let to = try film.view(film.to, "--to") else {
                throw CommandFailure(.usage, "--from needs --to; add --to LON,LAT,ZOOM")
            }
            let start = made.viewport
            var request = ViewRequest(start)
            (request.center, request.resolution, request.zoom) = (to.coordinate, nil, to.zoom)
            let wanted = request
            let end = try ViewRequest.asking { () throws(ViewRequestError) in try wanted.view(of: []) }
            return .flight(over: layers, from: start, to: end, count: count, step: step)
        case .times:
            let features = try film.features()
            var times: [FilmTimes.Time], step = step
            if let text = film.times {
                times = try FilmOptions.times(text, of: layers)
                let isUsed = features != nil || layers.contains { $0.dimensions.contains { $0.name == "time" } }
                guard isUsed else {
                    throw CommandFailure(
                        .usage,
                        "--times: no layer has the dimension 'time'; draw a layer of a WMS or WMTS that has it, or "
                            + "add --time-property")
                }
                step =
                    film.seconds.map { .seconds($0 / Double(times.count)) } ?? film.fps.map { .seconds(1 / $0) }
                    ?? .milliseconds(500)
            } else if let features {
                let found = try features.times(of: layers, count: count)
                times = found.times
                if found.invalid > 0, !quiet {
                    StandardError.warn("\(found.invalid) features with an invalid time are left out")
                }
            } else {
                throw CommandFailure(.usage, "missing --times")
            }
            return .times(times, features: features, over: layers, in: made.viewport, step: step)
        }
    }

    private func render(
        _ script: FilmScript, by renderer: MapRenderer, _ options: RenderOptions, _ made: MapOptions.Map,
        _ format: FilmFormat, _ file: OutputFile
    ) async throws -> ExitStatus {
        let first = try script(0)
        var writer = try FilmWriter(
            format, size: first.viewport.imageSize, rate: 1 / (script.step / .seconds(1)), loops: film.loops,
            quality: film.quality)
        let bar = ProgressBar(isQuiet: quiet)
        defer { bar.finish() }
        var incomplete = 0, loss: String?
        do {
            for number in 0..<script.count {
                try Task.checkCancellation()
                let frame = try script(number)
                var options = options
                if options.infoBar != nil { options.infoBar = frame.caption }
                options.profile?.position = frame.position
                let result = try await renderer.render(frame.layers, in: frame.viewport, options: options)
                if !result.report.complete || !made.missing.isEmpty {
                    incomplete += 1
                    loss = loss ?? result.report.firstLoss ?? made.failure?.message
                }
                let isLast = number + 1 == script.count
                try writer.add(result.image, for: script.step + (isLast ? .seconds(film.hold) : .zero))
                bar.show(MapRenderer.Progress(done: number + 1, total: script.count))
            }
            await renderer.flush()
            try file.write(try writer.finish())
        } catch {
            writer.cancel()
            guard let error = error as? MapError else { throw error }
            throw CommandFailure(error.code == .noFont ? .badData : .unavailable, error.description)
        }
        guard incomplete > 0 else { return .drawn }
        if !quiet {
            bar.finish()
            StandardError.warn(
                "\(incomplete) of \(script.count) pictures are incomplete; \(loss ?? "a layer is missing")")
        }
        return .incomplete
    }
}

/// The limits of a film.
enum FilmBudget {
    /// The most pictures, and the most pixels of all pictures.
    static let largestCount = 20_000, largestPixelCount = 8_000_000_000

    /// Refuses a film that would take hours.
    static func check(count: Int, size: ImageSize) throws(CommandFailure) {
        guard count <= largestCount, count * size.pixelCount <= largestPixelCount else {
            throw CommandFailure(
                .usage,
                "\(count) pictures of \(size) pixels are too many; at most \(largestCount) pictures and "
                    + "\(largestPixelCount / 1_000_000) million pixels in total: lower --seconds, --fps or --size")
        }
    }
}
