import Foundation
import Portolan
import PortolanCity
import PortolanFeatures
import PortolanPaint
import PortolanRaster
import PortolanRealtime
import PortolanTransit

/// The public transport of a city: its lines and stops, moving vehicles, departures of a stop, and service alerts.
struct CityScreen {
    let map: MapFacade
    let timetable: Timetable
    /// The name of the city, and a remark about the data, or empty.
    var name = "", remark = ""
    private let board: StopBoard
    private let marks: VehicleMarks
    private var coming: ArraySlice<ReplayFeed.Record>
    /// The time of the last record.
    let end: Date
    private(set) var fleet = Fleet()
    /// The stops whose departures are shown: nearby stops with the same name, such as both sides of a street.
    private(set) var stops: [Int] = []
    private(set) var calls: [StopBoard.Call] = []

    /// Puts lines and stops on a map, without vehicles.
    ///
    /// - Parameter records: the records to play; the clock of the map starts with the first one.
    init(on map: MapFacade, timetable: Timetable, records: [ReplayFeed.Record], stop name: String?) throws {
        self.map = map
        self.timetable = timetable
        board = StopBoard(timetable)
        marks = VehicleMarks(timetable)
        coming = records[...]
        end = records.last?.time ?? Date()
        map.clockStart = records.first?.time ?? Date()
        try map.add(.timetable(timetable))
        try map.addVehicles()
        let paths = TransitMap(timetable).paths
        try map.changeLive(named: "vehicles") { live in
            for (name, path) in paths.sorted(by: { $0.key < $1.key }) { live.setShape(name, along: path) }
        }
        if let name { show(stop: name) }
    }

    private mutating func show(stop name: String) {
        let found = TransitSearch(timetable).matches(name).lazy.compactMap { match in
            if case .stop(let stop) = match { stop } else { nil }
        }
        guard let first = found.first, let place = timetable.stops[first].place else { return }
        stops = board.stops(near: place, within: 150).map(\.stop).filter {
            timetable.stops[$0].name == timetable.stops[first].name
        }
        let ring = ShapeMarker(
            radius: 11, fill: nil, stroke: LineSymbol(color: MapColor(red: 0x1F, green: 0x29, blue: 0x37), width: 3))
        for stop in stops {
            guard let place = timetable.stops[stop].place else { continue }
            map.addPOI(
                id: .string(timetable.stops[stop].id), coordinate: place, name: timetable.stops[stop].name,
                style: Style(marker: .shape(ring)))
        }
    }

    /// Plays the records until a time.
    mutating func play(until time: Date) throws {
        while let record = coming.first, record.time <= time {
            let change = fleet.apply(record.event, now: record.time)
            try map.updateVehicles(change, marks: marks, at: elapsed(record.time))
            coming.removeFirst()
        }
        // Stationary vehicles do not change, but have been reported.
        var heard = Fleet.Change()
        heard.changed = fleet.snapshot
        try map.updateVehicles(heard, marks: marks, at: elapsed(time))
        map.advance(to: elapsed(time))
        map.options.title = title(at: time)
        map.options.notice = Furniture.Notice(fleet.disruptions, at: time)
        guard let first = stops.first else { return }
        let live = board.applying(fleet.trips, now: time)
        calls = stops.flatMap { live.departures(from: $0, after: time) }
            .sorted { ($0.expected ?? $0.scheduled, $0.tripID) < ($1.expected ?? $1.scheduled, $1.tripID) }
        map.options.panel = Furniture.FactsPanel(
            board: Array(calls.prefix(8)), of: timetable, title: timetable.stops[first].name, now: time)
    }

    /// Follows a vehicle from now on.
    func follow(_ vehicle: String, at time: Date) throws {
        map.controls.reducesMotion = true
        try map.follow(object: .string(vehicle), at: elapsed(time))
    }

    func elapsed(_ time: Date) -> Duration { .seconds(time.timeIntervalSince(map.clockStart)) }

    private func title(at time: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        if let stop = stops.first ?? timetable.stops.indices.first {
            calendar.timeZone = timetable.timeZone(ofStop: stop)
        }
        let parts = calendar.dateComponents([.hour, .minute, .second], from: time)
        var clock = [parts.hour, parts.minute].map { String(format: "%02d", $0 ?? 0) }.joined(separator: ":")
        if map.followedObject != nil { clock += String(format: ":%02d", parts.second ?? 0) }
        return [name, clock, remark].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
