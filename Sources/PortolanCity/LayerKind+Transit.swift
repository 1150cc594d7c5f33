public import Portolan
import PortolanPlan
import PortolanRealtime
import PortolanTransit

extension LayerKinds {
    /// The layer kinds of this module: `transit:` and `vehicles:`.
    public static let city = LayerKinds([.transit, .vehicles])
}

extension LayerKind {
    /// The kind of layer that shows the lines and stops of a timetable.
    public static let transit = LayerKind(
        "transit", source: .dataset, keys: ["lines", "show", "line-width"],
        help: """
            transit:FEED  Lines and stops of a GTFS timetable: a ZIP archive, a folder or a URL.
            """,
        check: { (specification) throws(MapError) in _ = try parts(specification) },
        make: { (specification, name, builder) async throws(MapError) in
            let parts = try parts(specification),
                feed = try await feed(at: specification.source, specification, builder)
            var notes: [MapWarning] = []
            let lost = feed.problems.lossCount
            if lost > 0 {
                notes.append(
                    MapWarning(
                        .data, effect: .omitted,
                        message:
                            "\(lost) rows of the timetable left out or cut at a limit; run portolan transit validate for details"
                    ))
            }
            let lines = try specification.list("lines").map { names throws(MapError) in
                try identifiers(of: names, in: feed.timetable, specification)
            }
            var layer = MapLayer.timetable(feed.timetable, lines: lines, parts: parts, named: name)
            // The name of a file, such as gtfs.zip, says nothing about the lines.
            if specification["name"] == nil { layer.legendTitle = feed.timetable.title(ofLines: lines) }
            return (layer, notes)
        })

    /// Reads the timetable at a path or URL.
    static func feed(
        at source: String, _ specification: LayerSpecification, _ builder: LayerBuilder
    ) async throws(MapError) -> TransitFeed {
        if case .document = specification.origin, FileAddress.isLocal(source) { throw specification.error(.foreign) }
        do { return try await TransitFeed(source: source, client: builder.client(for: specification)) } catch {
            let cause: LayerError.Cause =
                switch error.inner {
                case let error as ServiceError: .service(error)
                case TransitFeed.ReadError.memory(let file, _, let what)?: .memory("\(file): \(what)")
                case let error as TransitFeed.ReadError: .features(error.description)
                default: .noFile
                }
            // The timetable may be a different source than the vehicles.
            throw MapError.layer(cause, source: source, kind: specification.kind)
        }
    }

    /// Returns the identifiers of lines given by name or identifier.
    static func identifiers(
        of names: [String], in timetable: Timetable, _ specification: LayerSpecification
    ) throws(MapError) -> Set<String> {
        var found: Set<String> = []
        for name in names {
            let own = timetable.lines.filter { $0.id == name || $0.shortName == name || $0.longName == name }
            guard !own.isEmpty else {
                let some = timetable.lines.prefix(20).map(\.badge).joined(separator: ", ")
                throw specification.invalid("lines", "names '\(name)', which is not a line; available: \(some)")
            }
            found.formUnion(own.map(\.id))
        }
        return found
    }

    private static func parts(_ specification: LayerSpecification) throws(MapError) -> TransitStyle.Parts {
        var parts = TransitStyle.Parts()
        if let shown = specification.list("show") {
            let known = ["lines", "stops", "names"]
            if let odd = shown.first(where: { !known.contains($0) }) {
                throw specification.invalid("show", "has '\(odd)'; available: lines, stops and names")
            }
            parts.lines = shown.contains("lines")
            parts.names = shown.contains("names")
            parts.stops = shown.contains("stops") || parts.names
        }
        parts.lineWidth = try specification.number("line-width", in: 0.5...40) ?? parts.lineWidth
        return parts
    }
}

extension LayerKind {
    /// The kind of layer that shows the vehicles of a live source at the time of rendering.
    public static let vehicles = LayerKind(
        "vehicles", source: .data, keys: ["format", "timetable", "lines", "seconds", "directions"],
        help: """
            vehicles:SOURCE  Live vehicles of GTFS Realtime, SIRI, a broker (stomp://, mqtt:// with HFP) or a recording.
            """,
        check: { (specification) throws(MapError) in
            _ = try form(specification)
            _ = try headings(specification)
        },
        make: { (specification, name, builder) async throws(MapError) in
            let source = VehicleSource(specification.source, form: try form(specification))
            if case .document = specification.origin, FileAddress.isLocal(source.text) {
                throw specification.error(.foreign)
            }
            var marks = VehicleMarks()
            var lines = specification.list("lines").map { Set($0) }
            if let feed = specification["timetable"] {
                let timetable = try await Self.feed(at: feed, specification, builder).timetable
                marks = VehicleMarks(timetable)
                lines = try specification.list("lines").map { names throws(MapError) in
                    try identifiers(of: names, in: timetable, specification)
                }
            }
            let seconds = try specification.number("seconds", in: 0.1...600) ?? 5
            let opened: VehicleSource.Opened
            do throws(MapError) {
                opened = try await source.open(client: builder.client(for: specification))
            } catch {
                switch error.inner {
                case let error as FetchError:
                    throw specification.error(.service(ServiceError(.fetch(error), url: source.text)))
                case let error as ServiceError: throw specification.error(.service(error))
                default: throw specification.error(.features(error.description))
                }
            }
            let heard = await opened.listen(for: .seconds(seconds), interest: VehicleInterest(lines: lines))
            if let fault = heard.fault, heard.fleet.vehicles.isEmpty, !heard.isHeard {
                throw specification.error(
                    .service(ServiceError(.unavailable, url: source.text, detail: fault.reason)))
            }
            var layer = LiveLayer.vehicles()
            layer.style.headings = try headings(specification)
            let shown = heard.fleet.snapshot.filter { VehicleInterest(lines: lines).contains($0) }
            layer.apply(marks.updates(of: shown, in: heard.fleet), at: heard.time)
            var shownLayer = MapLayer(name: name, source: layer)
            shownLayer.legendTexts = TransitMode.titles
            if specification["name"] == nil { shownLayer.legendTitle = "Vehicles" }
            return (shownLayer, heard.notes + (shown.isEmpty ? [heard.nothing] : []))
        })

    private static func form(_ specification: LayerSpecification) throws(MapError) -> VehicleSource.Form? {
        guard let text = specification["format"] else { return nil }
        guard let form = VehicleSource.Form(rawValue: text) else {
            let known = VehicleSource.Form.allCases.map(\.rawValue).joined(separator: ", ")
            throw specification.invalid("format", "is '\(text)'; available: \(known)")
        }
        return form
    }

    private static func headings(_ specification: LayerSpecification) throws(MapError) -> LiveLayer.Appearance.Headings
    {
        switch specification["directions"] {
        case nil, "eight": return .eight
        case "free": return .free
        case "none": return .none
        case let text?: throw specification.invalid("directions", "is '\(text)'; available: eight, free and none")
        }
    }
}
