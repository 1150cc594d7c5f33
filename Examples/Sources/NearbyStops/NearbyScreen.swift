import Foundation
import Portolan
import PortolanCity
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanRaster
import PortolanTransit

/// The stops around a person: pins with their distances, the nearest one larger, and its departures.
struct NearbyScreen {
    private(set) var model: NearbyStops.Model
    private let finder: any StopFinder
    private let now: Date
    let timeZone: TimeZone

    /// Searches around a coordinate.
    init(finder: any StopFinder, within meters: Double, now: Date, timeZone: TimeZone) {
        model = NearbyStops.Model(NearbyStops.Model.Settings(meters: meters, arrivalCount: 7))
        self.finder = finder
        self.now = now
        self.timeZone = timeZone
    }

    /// Passes an event to the model, and the model's requests to the finder.
    mutating func take(_ event: NearbyStops.Model.Event) async {
        var questions = model.take(event, at: now)
        while let question = questions.popLast() {
            questions += model.take(await question.answered(by: finder), at: now)
        }
    }

    /// Selects the nearest stop.
    mutating func chooseNearest() async {
        if let nearest = model.stops.first { await take(.chosen(nearest.id)) }
    }

    /// Draws the screen on a map.
    ///
    /// - Parameter card: the display text of the travel card.
    func draw(on map: MapFacade, card: String?) throws {
        guard let center = model.center else { return }
        let meters = model.found?.meters ?? model.settings.meters
        let ring = stride(from: 0.0, through: 360, by: 3).map { bearing in
            Geodesic.place(from: center, bearing: bearing, meters: meters)
        }
        map.addPolygon(
            id: "radius", rings: [ring],
            style: Style(
                stroke: LineSymbol(color: Self.ink, width: 2, dashes: [8, 6]),
                fill: FillSymbol(color: MapColor(red: 200, green: 30, blue: 45, alpha: 9))))
        // The nearest stop is added last, above the others.
        for (index, stop) in model.stops.enumerated().reversed() {
            map.addPOI(
                id: .string(stop.id), coordinate: stop.place, name: stop.name,
                description: "\(Int(stop.meters.rounded())) m",
                style: Self.pin(isNearest: index == 0, rank: index))
        }
        map.addPOI(
            id: "center", coordinate: center, name: "center",
            style: Style(
                marker: .shape(
                    ShapeMarker(
                        shape: .cross, radius: 9, fill: FillSymbol(color: Self.ink),
                        stroke: LineSymbol(color: .white, width: 1.5)))))
        if let detail = model.detail {
            map.options.panel = Furniture.FactsPanel(detail: detail, now: now, timeZone: timeZone)
        }
        let count = model.stops.count == 1 ? "1 stop" : "\(model.stops.count) stops"
        map.options.infoBar = Furniture.InfoBar(
            title: card ?? "No travel card",
            facts: [
                "\(count) within \(Int(meters)) m", model.found?.distance == .walking ? "on foot" : "as the crow flies",
            ])
        map.options.notice = model.message().map { Furniture.Notice($0, level: .warning) }
    }

    private static let ink = MapColor(red: 0x1F, green: 0x29, blue: 0x37)
    private static let red = MapColor(red: 0xC8, green: 0x1E, blue: 0x2D)

    /// Returns a red pin with the name and distance of its stop; the nearest one is larger, with bold text.
    private static func pin(isNearest: Bool, rank: Int) -> Style {
        let radius = isNearest ? 12.0 : 7.0
        var label = LabelSymbol(
            template: "${name}\n${description}", color: ink, size: isNearest ? 14 : 11, weight: isNearest ? 700 : 400,
            outline: .init(color: .white, width: 2), priority: Double(1000 - rank))
        label.placement = .free
        let head = 2 * radius, beside = radius + 5
        label.anchors = [
            .init(horizontal: .left, vertical: .middle, offsetX: beside, offsetY: -head),
            .init(horizontal: .right, vertical: .middle, offsetX: -beside, offsetY: -head),
            .init(horizontal: .center, vertical: .top, offsetX: 0, offsetY: 5),
            .init(horizontal: .center, vertical: .bottom, offsetX: 0, offsetY: -head - beside),
        ]
        return Style(
            marker: .shape(
                ShapeMarker(
                    shape: .pin, radius: radius, fill: FillSymbol(color: red),
                    stroke: LineSymbol(color: .white, width: 1.5),
                    symbol: PinSymbol("circle"))), label: label)
    }
}
