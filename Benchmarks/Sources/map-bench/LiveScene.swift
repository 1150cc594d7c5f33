import Foundation
import Portolan
import PortolanFeatures
import PortolanPlan
import PortolanRaster

/// Moving vehicles: 20,000, of which 2,000 are in view and updated with each frame, with labels, at 1024 × 768.
///
/// A frame applies a batch of 2,000 updates, plans the layer, and paints.
struct LiveScene {
    private static let total = 20_000, inView = 2_000
    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private let viewport: Viewport
    private var vehicles: [Vehicle] = []

    private struct Vehicle {
        let id: Feature.ID
        let kind: String
        let label: String
        var place: Coordinate
        var course: Double
    }

    init() throws {
        guard let size = ImageSize(width: 1024, height: 768), let resolution = Resolution(zoom: 13, in: .webMercator),
            let center = try CoordinateTransform(from: .crs84, to: .webMercator)(
                Coordinate(longitude: 24.94, latitude: 60.2))
        else { throw SceneError() }
        viewport = try Viewport(center: center, resolution: resolution, size: size)
        let toDegrees = try CoordinateTransform(from: .webMercator, to: .crs84), extent = viewport.extent
        var random = SplitMix(state: 7)
        for number in 0..<Self.total {
            // The vehicles in view come first; the others are in a surrounding region a hundred times as large.
            let grown = number < Self.inView ? 0.98 : 10
            var x = random.next() - 0.5, y = random.next() - 0.5
            if number >= Self.inView, abs(x) < 0.06, abs(y) < 0.06 { (x, y) = (0.3, y) }
            let center = Coordinate(
                x: extent.center.x + x * extent.width * grown, y: extent.center.y + y * extent.height * grown)
            guard let place = toDegrees(center) else { throw SceneError() }
            vehicles.append(
                Vehicle(
                    id: .string("vehicle-\(number)"), kind: ["bus", "tram", "ferry"][number % 7 < 4 ? 0 : number % 3],
                    label: String(Int(random.next() * 120) + 1), place: place,
                    course: (random.next() * 8).rounded(.down) * 45))
        }
    }

    static var style: LiveLayer.Appearance {
        var style = LiveLayer.Appearance()
        style.badges = [
            "bus": .init(color: MapColor(red: 0x1D, green: 0x5F, blue: 0xC4), symbol: PinSymbol("bus")),
            "tram": .init(
                color: MapColor(red: 0x0B, green: 0x7A, blue: 0x4B), symbol: PinSymbol("rail"), shape: .roundedSquare),
            "ferry": .init(color: MapColor(red: 0x8A, green: 0x3F, blue: 0xA8), symbol: PinSymbol("harbor")),
        ]
        return style
    }

    private func updates(_ numbers: Range<Int>, at time: Date) -> [LiveLayer.Update] {
        vehicles[numbers].map { vehicle in
            .upsert(
                LiveLayer.Object(
                    id: vehicle.id, fix: PositionFix(place: vehicle.place, time: time, course: vehicle.course),
                    kind: vehicle.kind, label: vehicle.label, properties: ["plate": .string("ABC-123")]))
        }
    }

    mutating func time(_ clock: SceneClock) async throws {
        var layer = LiveLayer(style: Self.style)
        var now = Self.start
        layer.apply(updates(0..<Self.total, at: now), at: now)
        var times: [Double] = [], parts: [[Double]] = [[], [], []]
        for frame in 0..<240 {
            now += 1
            for number in 0..<Self.inView {
                // About ten metres per second.
                let angle = vehicles[number].course * .pi / 180, step = 1e-4
                vehicles[number].place.x += sin(angle) * step * 2 * (frame % 40 < 20 ? 1 : -1)
                vehicles[number].place.y += cos(angle) * step * (frame % 40 < 20 ? 1 : -1)
            }
            let batch = updates(0..<Self.inView, at: now)
            let applying = await clock.milliseconds { layer.apply(batch, at: now) }
            layer.time = now.addingTimeInterval(0.5)
            let planning = try await clock.milliseconds {
                _ = try layer.plan(for: LayerView(viewport, layer: "live"), given: Arrivals())
            }
            let drawing = try await clock.milliseconds { [layer] in
                try await clock.draw([MapLayer(name: "live", source: layer)], in: viewport)
            }
            if frame >= 20 {
                times.append(applying + drawing)
                for (place, part) in [applying, planning, drawing].enumerated() { parts[place].append(part) }
            }
        }
        if let png = clock.png {
            let picture = try await clock.render([MapLayer(name: "live", source: layer)], in: viewport)
            try Data(PNGEncoder.encode(picture.image)).write(to: URL(fileURLWithPath: png))
        }
        times.sort()
        SceneClock.report(
            "live-2000-of-20000",
            [
                ("portolan_ms", times[times.count / 2]), ("p99_ms", times[times.count * 99 / 100]),
                ("apply_ms", SceneClock.median(parts[0])), ("plan_ms", SceneClock.median(parts[1])),
                ("draw_ms", SceneClock.median(parts[2])),
            ])
    }
}

/// A reproducible random number generator.
private struct SplitMix {
    var state: UInt64

    /// Returns a number from 0 to 1.
    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) / 9_007_199_254_740_992
    }
}
