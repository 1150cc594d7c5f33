import Foundation
import Portolan
import PortolanBeacons
import PortolanCity
import PortolanFeatures
import PortolanPaint
import PortolanRaster
import PortolanTransit

/// A page of a bus guide: a route with its stops, the current stop, and the buses to a destination.
struct GuideScreen {
    let guide: PortolanTransit.BusGuide
    /// The current stop, detected by its code or beacon.
    let detection: PortolanTransit.BusGuide.Detection
    let destination: Coordinate
    let suggestions: [RideGuide.Suggestion]

    /// Finds suggestions from the stop with a code.
    init(guide: PortolanTransit.BusGuide, code: StopCode, to destination: Coordinate) throws {
        self.init(guide: guide, detection: try guide.detection(of: code), to: destination)
    }

    /// Finds suggestions from the nearest stop in a beacon log, or returns `nil` if no beacon of the guide was near.
    init?(guide: PortolanTransit.BusGuide, log: BeaconLog, to destination: Coordinate) throws {
        let nearest = log.replayed().lazy.compactMap { told in
            if case .nearest(let beacon?) = told.event { beacon } else { nil }
        }
        guard let beacon = Array(nearest).last else { return nil }
        self.init(guide: guide, detection: try guide.detection(of: beacon), to: destination)
    }

    private init(
        guide: PortolanTransit.BusGuide, detection: PortolanTransit.BusGuide.Detection, to destination: Coordinate
    ) {
        self.guide = guide
        self.detection = detection
        self.destination = destination
        suggestions = guide.suggestions(
            from: detection.stop.place, to: destination, maximumTransfers: 1, limit: 4)
    }

    /// The route of the best suggestion, or one that stops here.
    var route: PortolanTransit.BusGuide.Route? {
        suggestions.first?.rides.first.map { guide.routes[$0.line] } ?? detection.routes.first
    }

    /// Returns the colour of a line of the guide, whatever its direction.
    func color(of route: PortolanTransit.BusGuide.Route) -> MapColor {
        let names = guide.routes.reduce(into: [String]()) { if !$0.contains($1.name) { $0.append($1.name) } }
        return Self.colors[(names.firstIndex(of: route.name) ?? 0) % Self.colors.count]
    }

    /// Draws the page on a map.
    func draw(on map: MapFacade) throws {
        map.options.background = MapColor(red: 0xF6, green: 0xF1, blue: 0xE6)
        map.options.showsScaleBar = true
        map.options.attribution = .automatic
        guard let route else { return }
        map.addLine(
            id: .string(route.id), through: route.path,
            style: Style(
                stroke: LineSymbol(
                    color: color(of: route), width: 6, casing: .init(color: .white, width: 10))))
        for index in route.stops where guide.stops[index].id != detection.stop.id {
            map.addPOI(
                id: .string(guide.stops[index].id), coordinate: guide.stops[index].place, name: guide.stops[index].name,
                style: Self.stop(color(of: route)))
        }
        map.addPOI(id: "destination", coordinate: destination, name: "Destination", style: Self.flag)
        map.addPOI(
            id: .string(detection.stop.id), coordinate: detection.stop.place, name: detection.stop.name,
            style: Self.here(detection.source))
        map.options.panel = panel
        map.options.infoBar = facts(of: route)
        if !guide.notice.isEmpty { map.options.notice = Furniture.Notice(guide.notice, level: .information) }
        try map.fitFeatures(padding: 60)
        // The other routes, faint and below; they do not affect the view.
        var others = FeatureSource(features: [])
        for other in guide.routes where other.name != route.name {
            others.append(
                Feature(geometry: .lineString(other.path)),
                style: Style(stroke: LineSymbol(color: color(of: other).withOpacity(0.3), width: 3)))
        }
        try map.add(MapLayer(name: "other routes", source: others), position: .bottom)
    }

    /// The panel with the route and the cards.
    private var panel: Furniture.FactsPanel {
        let lines = detection.routes.reduce(into: [String]()) { if !$0.contains($1.name) { $0.append($1.name) } }
            .joined(separator: ", ")
        let rows = suggestions.flatMap { suggestion -> [Furniture.FactsPanel.Row] in
            suggestion.rides.map { ride -> Furniture.FactsPanel.Row in
                .init(
                    mark: ride.name.split(separator: " ").last.map(String.init),
                    text: "\(ride.board.name) → \(ride.alight.name)",
                    fact: ride == suggestion.rides.first
                        ? "\(Int((Double(suggestion.seconds) / 60).rounded())) min" : "",
                    color: color(of: guide.routes[ride.line]))
            } + [.init(text: RideGuide.Words.english.text(suggestion))]
        }
        return Furniture.FactsPanel(
            title: "From \(detection.stop.name)",
            rows: rows.isEmpty ? [.init(text: "No bus goes there.")] : rows,
            notes: ["Stops here: \(lines)"])
    }

    /// Returns the facts about a route: its operator, its hours of service, and its duration.
    private func facts(of route: PortolanTransit.BusGuide.Route) -> Furniture.InfoBar {
        let hours = route.firstHour.isEmpty ? "" : "\(route.firstHour)–\(route.lastHour)"
        let minutes = route.minutes.map { "\(Int($0.rounded())) min" } ?? ""
        let cooperative = route.cooperative.map { guide.cooperatives[$0].name } ?? ""
        return Furniture.InfoBar(
            title: "\(route.name) · \(route.direction)", facts: [cooperative, hours, minutes].filter { !$0.isEmpty })
    }

    private static let ink = MapColor(red: 0x1F, green: 0x29, blue: 0x37)
    private static let colors = [
        MapColor(red: 0x1B, green: 0x6C, blue: 0xB8), MapColor(red: 0xC2, green: 0x4A, blue: 0x1A),
        MapColor(red: 0x2A, green: 0x7F, blue: 0x4F), MapColor(red: 0x7A, green: 0x3E, blue: 0x9D),
    ]

    private static func stop(_ color: MapColor) -> Style {
        Style(
            marker: .shape(
                ShapeMarker(radius: 5.5, fill: FillSymbol(color: .white), stroke: LineSymbol(color: color, width: 3))),
            label: label(size: 12.5, weight: 400, beside: 12))
    }

    private static var flag: Style {
        Style(
            marker: .shape(
                ShapeMarker(
                    shape: .flag, radius: 9, fill: FillSymbol(color: ink), stroke: LineSymbol(color: .white, width: 1))),
            label: label(size: 13, weight: 700, beside: 16))
    }

    /// Returns the style of the current stop: a large target, its name, and a badge for the kind of detection.
    private static func here(_ source: PortolanTransit.BusGuide.Detection.Source) -> Style {
        var label = label(size: 14, weight: 700, beside: 20)
        label.template = "${name} · \(source.rawValue)"
        label.color = .white
        label.outline = nil
        label.background = .init(color: ink, padding: 5, cornerRadius: 5, border: .init(color: .white, width: 1.5))
        label.priority = 1000
        return Style(
            marker: .shape(
                ShapeMarker(
                    radius: 12, fill: FillSymbol(color: MapColor(red: 0xFF, green: 0xC8, blue: 0x2E)),
                    stroke: LineSymbol(color: ink, width: 3.5), symbol: PinSymbol("bus"))),
            label: label)
    }

    private static func label(size: Double, weight: Int, beside: Double) -> LabelSymbol {
        var label = LabelSymbol(
            template: "${name}", color: ink, size: size, weight: weight,
            outline: .init(color: MapColor(red: 0xFF, green: 0xFC, blue: 0xF4), width: 2.5))
        label.placement = .free
        label.anchors = [
            .init(horizontal: .left, vertical: .middle, offsetX: beside, offsetY: 0),
            .init(horizontal: .right, vertical: .middle, offsetX: -beside, offsetY: 0),
            .init(horizontal: .center, vertical: .top, offsetX: 0, offsetY: beside),
            .init(horizontal: .center, vertical: .bottom, offsetX: 0, offsetY: -beside),
        ]
        return label
    }
}
