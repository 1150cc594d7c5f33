import PortolanFeatures
import PortolanGeo
public import PortolanPlan
import PortolanRaster
public import PortolanTransit

extension MapLayer {
    /// Creates a layer for a journey by public transport.
    ///
    /// Rides have the colours and names of their lines, walks are dotted, and rings mark the stops where passengers
    /// board and alight.
    ///
    /// - Parameters:
    ///   - timetable: the timetable of the journey.
    ///   - name: the name of the layer.
    /// - Complexity: linear in the shapes of the trips.
    public static func journey(
        _ journey: Journey, in timetable: Timetable, named name: String = "journey"
    ) -> MapLayer {
        var source = FeatureSource(features: [])
        let ink = MapColor(red: 0x37, green: 0x41, blue: 0x51)
        let dots = LineSymbol(
            color: ink, width: 5, cap: .round, join: .round, dashes: [0.1, 9], casing: .init(color: .white, width: 8))
        for case .walk(let walk) in journey.legs {
            guard let start = walk.from.coordinate(in: timetable), let end = walk.to.coordinate(in: timetable),
                start != end
            else { continue }
            source.append(
                Feature(geometry: .lineString([start, end]), properties: ["kind": "walk"]), style: Style(stroke: dots))
        }
        for ride in journey.rides {
            let line = timetable.lines[ride.line], color = line.drawnColor
            let stroke = LineSymbol(
                color: color, width: 7, cap: .round, join: .round, casing: .init(color: .white, width: 11))
            var label = LabelSymbol(template: "${name}", color: color.isLight ? .black : .white, size: 13, weight: 700)
            label.background = .init(
                color: color, padding: 4, cornerRadius: 4, border: .init(color: .white, width: 1.5))
            label.followsLine = false
            source.append(
                Feature(
                    geometry: .lineString(timetable.path(of: ride)),
                    properties: ["kind": "ride", "name": .string(line.badge)]),
                style: Style(stroke: stroke, label: label))
        }
        let ring = MarkerSymbol.shape(
            ShapeMarker(radius: 6, fill: FillSymbol(color: .white), stroke: LineSymbol(color: ink, width: 3)))
        let words = LabelSymbol(
            template: "${name}", color: ink, size: 12, weight: 700, outline: .init(color: .white, width: 3))
        for stop in journey.rides.flatMap({ [$0.board, $0.alight] }) {
            guard let place = timetable.stops[stop].place else { continue }
            source.append(
                Feature(
                    geometry: .point(place), properties: ["kind": "stop", "name": .string(timetable.stops[stop].name)]),
                style: Style(marker: ring, label: words))
        }
        return MapLayer(name: name, source: source)
    }
}
