import ArgumentParser
import Portolan
import PortolanFeatures
import PortolanPaint
import PortolanPlan
import PortolanWeb

/// The options of a film.
struct FilmOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Travel along the lines of this file or URL.", valueName: "file"))
    var track: String?

    @Option(
        help: ArgumentHelp(
            "With --track: follow, heading (its direction up) or fixed (default: follow, fixed with a given view).",
            valueName: "motion"))
    var camera: String?

    @Option(
        help: ArgumentHelp(
            "Show these times of WMS and WMTS layers: T,T,…, START/END/PERIOD or all.", valueName: "times"))
    var times: String?

    @Option(help: ArgumentHelp("Show features from the time in this property on.", valueName: "property"))
    var timeProperty: String?

    @Option(
        help: ArgumentHelp("Show a feature for this period only, as PT1H (default: for ever).", valueName: "period"))
    var window: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Fly from this centre and zoom level.", valueName: "lon,lat,z"))
    var from: String?

    @Option(parsing: .unconditional, help: ArgumentHelp("Fly to this centre and zoom level.", valueName: "lon,lat,z"))
    var to: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the duration, 0.1 to 3600 seconds (default: 8, or 0.5 per time).", valueName: "n"))
    var seconds: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the pictures per second, 0.1 to 60 (default: 15; 30 in movies).", valueName: "n"))
    var fps: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Keep the last picture N seconds more.", valueName: "n"))
    var hold = 0.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Play an animation N times; 0 for ever.", valueName: "n"))
    var loops = 0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Set the quality of WebP (default: lossless) or a movie, 1 to 100.", valueName: "n"))
    var quality: Int?

    @Flag(help: "Draw no bar with the distance or the time.")
    var noCaption = false

    @Option(
        name: [.customShort("o"), .customLong("output"), .customLong("out")],
        help: ArgumentHelp("Write a .gif, .png, .webp, .mp4 or .webm file.", valueName: "file"),
        completion: .file(extensions: ["gif", "png", "webp", "mp4", "webm"]))
    var output: String?

    /// The kind of film.
    enum Mode { case track, times, flight }

    /// The kind of film; ``check()`` makes sure that there is one.
    var mode: Mode { track != nil ? .track : times != nil || timeProperty != nil ? .times : .flight }

    /// Validates the options, before any request.
    func check() throws(CommandFailure) {
        let modes = [track != nil, times != nil || timeProperty != nil, from != nil || to != nil].filter { $0 }.count
        guard modes == 1 else {
            throw CommandFailure(
                .usage,
                (modes == 0 ? "nothing moves; add" : "several kinds of films; keep one of")
                    + " --track, --times or --time-property, or --from and --to")
        }
        for (option, value, range) in [
            ("--seconds", seconds, 0.1...3600), ("--fps", fps, 0.1...60), ("--hold", hold, 0...600),
        ] {
            guard let value, !range.contains(value) else { continue }
            throw CommandFailure(
                .usage, "\(option) \(value): must be between \(range.lowerBound) and \(Int(range.upperBound))")
        }
        guard (0...10_000).contains(loops) else {
            throw CommandFailure(.usage, "--loops \(loops): must be between 0 and 10000")
        }
        if let camera, FilmScript.Camera(rawValue: camera) == nil {
            throw CommandFailure(.usage, "--camera \(camera): must be follow, heading or fixed")
        }
        if camera != nil, track == nil { throw CommandFailure(.usage, "--camera needs --track; add it") }
        if window != nil, timeProperty == nil {
            throw CommandFailure(.usage, "--window needs --time-property; add it")
        }
        if seconds != nil, fps != nil, times != nil {
            throw CommandFailure(
                .usage,
                "--seconds and --fps cannot be combined with --times, which state the number of pictures; remove one")
        }
        guard track != nil || times != nil || timeProperty != nil || from != nil && to != nil else {
            throw CommandFailure(.usage, from == nil ? "--to needs --from; add it" : "--from needs --to; add it")
        }
        _ = try features()
        if let times, times != "all" { _ = try Self.times(times, of: []) }
        _ = try (view(from, "--from"), view(to, "--to"))
    }

    /// A centre and zoom level.
    struct View {
        var coordinate: Coordinate
        var zoom: Double
        /// The centre as an option.
        var center: String
    }

    /// Reads a view such as `24.94,60.17,12`.
    func view(_ text: String?, _ option: String) throws(CommandFailure) -> View? {
        guard let text else { return nil }
        let numbers = try ViewRequest.numbers(
            text, count: 3, option: option, form: "LON,LAT,ZOOM such as 24.94,60.17,12")
        return View(
            coordinate: Coordinate(longitude: numbers[0], latitude: numbers[1]), zoom: numbers[2],
            center: text.split(separator: ",").prefix(2).joined(separator: ","))
    }

    /// The track with its line, or `nil` without one.
    func route(_ network: NetworkOptions) async throws -> (collection: FeatureCollection, line: RouteLine)? {
        guard let track else { return nil }
        let collection = try await RouteInput.collection(of: track, network)
        guard let line = RouteLine(collection) else {
            throw CommandFailure(.badData, "--track \(track): no line to travel along")
        }
        return (collection, line)
    }

    /// The times of features, or `nil` without a property.
    func features() throws(CommandFailure) -> FilmFeatures? {
        guard let timeProperty else { return nil }
        guard let window else { return FilmFeatures(property: timeProperty, window: nil) }
        guard let duration = ISOTime.duration(window), duration > .zero else {
            throw CommandFailure(.usage, "--window \(window): must be a period such as PT1H or P7D")
        }
        return FilmFeatures(property: timeProperty, window: duration / .seconds(1))
    }

    /// Reads `--times`; `all` are those that the first layer with times offers.
    static func times(_ text: String, of layers: [MapLayer]) throws(CommandFailure) -> [FilmTimes.Time] {
        var list = text, subject = "--times \(text)"
        if text == "all" {
            guard let offered = layers.lazy.flatMap(\.dimensions).first(where: { $0.name == "time" })?.facts.values
            else {
                throw CommandFailure(.usage, "--times all: no layer has the dimension 'time'; write the times")
            }
            list = offered
            subject = "--times all: the service offers"
        }
        do throws(FilmTimes.InvalidError) { return try FilmTimes(list).times } catch {
            throw CommandFailure(.usage, "\(subject): \(error)")
        }
    }
}

extension MapOptions {
    /// Whether the place of the view is given, on the command line or in a document.
    var statesPlace: Bool { view.bbox != nil || view.center != nil || view.fit || document != nil }

    /// The view of a film along a track: the given one, or the track as a whole or in part.
    func view(
        of track: RouteLine, _ given: Viewport, camera: FilmScript.Camera, foot: Double
    ) throws(CommandFailure) -> Viewport {
        guard !statesPlace, view.zoom == nil, view.resolution == nil, view.scale == nil else { return given }
        var request = try view.request()
        request.foot = foot
        let wanted = request
        let whole = try ViewRequest.asking { () throws(ViewRequestError) in
            try wanted.view(of: [track.layer(at: 0)])
        }
        guard camera != .fixed else { return whole }
        // Following shows a third of the track, but not more than a street.
        let finest = Resolution(zoom: view.maxZoom ?? 17, in: whole.crs)?.unitsPerPixel ?? 0
        guard
            let resolution = Resolution(
                unitsPerPixel: max(whole.resolution.unitsPerPixel / 3, min(finest, whole.resolution.unitsPerPixel))),
            let near = try? whole.with(resolution: resolution)
        else { return whole }
        return near
    }
}

extension FurnitureOptions {
    /// The profile of a film: that of its track, unless another one is named.
    func profilePanel(
        of layers: [MapLayer], over stated: MapDocument.Furniture.Profile?, _ network: NetworkOptions,
        track: FeatureCollection?, _ name: String?
    ) async throws -> Furniture.ProfilePanel? {
        guard hasProfile || stated != nil else { return nil }
        guard let track, profileOf == nil, stated?.layer == nil else {
            return try await profilePanel(of: layers, over: stated, network)
        }
        do throws(RouteLine.ProfileError) {
            var panel = try Furniture.ProfilePanel(of: track)
            if profileSlopes || stated?.showsSlopes == true { panel.slopes = .standard }
            return panel
        } catch { throw CommandFailure(error, of: "--profile: \(name ?? "the track")") }
    }
}
