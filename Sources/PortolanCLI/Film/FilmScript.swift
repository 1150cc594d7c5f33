import Portolan
import PortolanFeatures
import PortolanPaint
import PortolanPlan
import PortolanWeb

/// The pictures of a film, each as a function of its number.
struct FilmScript: Sendable {
    /// A picture of the film.
    struct Frame {
        var layers: [MapLayer]
        var viewport: Viewport
        var caption: Furniture.InfoBar?
        /// The distance reached in metres.
        var position: Double?
    }

    /// The number of pictures.
    var count: Int
    /// The duration of a picture.
    var step: Duration
    private let frame: @Sendable (Int) throws(CommandFailure) -> Frame

    /// Returns a picture, from 0.
    func callAsFunction(_ number: Int) throws(CommandFailure) -> Frame { try frame(number) }

    /// The motion of the camera along a track.
    enum Camera: String, CaseIterable {
        /// Keeps the position in the middle.
        case follow
        /// Keeps the position in the middle, and the direction of the track up.
        case heading
        /// Stays where it is.
        case fixed
    }

    /// The share of a track over which the camera's motion is smoothed.
    private static let smoothing = 0.03

    /// A film along a track.
    ///
    /// - Parameter foot: the height of the bar and the profile along the bottom, in view pixels.
    static func track(
        _ track: RouteLine, over layers: [MapLayer], in view: Viewport, camera: Camera, foot: Double, count: Int,
        step: Duration
    ) throws(CommandFailure) -> FilmScript {
        let toMap: CoordinateTransform
        do { toMap = try CoordinateTransform(from: .crs84, to: view.crs) } catch {
            throw CommandFailure(.usage, "--crs: \(error)")
        }
        return FilmScript(count: count, step: step) { (number) throws(CommandFailure) in
            let distance = count > 1 ? track.length * Double(number) / Double(count - 1) : track.length
            let window = track.length * smoothing
            var viewport = view
            if camera != .fixed {
                guard let center = toMap(track.camera(at: distance, over: window)) else {
                    throw CommandFailure(.badData, "--track: the track leaves the area of \(view.crs)")
                }
                let rotation = camera == .heading ? track.bearing(at: distance, over: 2 * window) : view.rotation
                do {
                    viewport = try view.with(center: center, rotation: rotation)
                    // The position is in the middle of what the bar and the profile leave free.
                    let middle = Point(x: Double(view.size.width) / 2, y: (Double(view.size.height) + foot) / 2)
                    viewport = try viewport.with(center: viewport.coordinate(at: middle))
                } catch {
                    throw CommandFailure(.badData, "--track: \(error)")
                }
            }
            let caption = Furniture.InfoBar(
                title: track.name ?? "", facts: ["\(kilometres(distance)) of \(kilometres(track.length)) km"])
            return Frame(
                layers: layers + [track.layer(at: distance)], viewport: viewport, caption: caption, position: distance)
        }
    }

    private static func kilometres(_ meters: Double) -> String {
        let tenths = Int((meters / 100).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// A film of a flight from one view to another.
    static func flight(
        over layers: [MapLayer], from start: Viewport, to end: Viewport, count: Int, step: Duration
    ) -> FilmScript {
        let views = ViewAnimation.views(from: start, to: end, count: count)
        return FilmScript(count: count, step: step) { (number) throws(CommandFailure) in
            Frame(layers: layers, viewport: views[number], caption: nil, position: nil)
        }
    }

    /// A film over times: layers of services show each time, and features those that have happened.
    static func times(
        _ times: [FilmTimes.Time], features: FilmFeatures?, over layers: [MapLayer], in view: Viewport, step: Duration
    ) -> FilmScript {
        let areDays = times.allSatisfy { $0.seconds.truncatingRemainder(dividingBy: 86_400) == 0 }
        return FilmScript(count: times.count, step: step) { (number) throws(CommandFailure) in
            let time = times[number], seconds = time.seconds
            let shown = layers.map { layer in
                let layer = layer.choosing(["time": time.text])
                return features?.layer(layer, at: seconds) ?? layer
            }
            let (date, clock) = CivilTime.dateAndTime(seconds)
            let caption = Furniture.InfoBar(title: areDays ? date : "\(date) \(clock.prefix(5)) UTC")
            return Frame(layers: shown, viewport: view, caption: caption, position: nil)
        }
    }
}

/// The features of a film over time, by the times in a property.
struct FilmFeatures: Sendable {
    /// The property with times.
    let property: String
    /// The seconds that a feature is shown, or `nil` for ever.
    let window: Double?

    /// The first number that is seconds since 1970 and not a year, and that is milliseconds.
    private static let firstSecond = 10_000.0, firstMillisecond = 1e11

    /// Returns the seconds of a feature since 1970, or `nil` if it has no time, or an invalid one.
    func seconds(_ feature: Feature) -> Double? {
        guard let value = feature.properties[property] else { return nil }
        if let number = value.doubleValue {
            guard number.isFinite else { return nil }
            if abs(number) < Self.firstSecond {
                let year = String(Int(number.rounded()))
                return FilmTimes.seconds(String(repeating: "0", count: max(0, 4 - year.utf8.count)) + year)
            }
            return abs(number) < Self.firstMillisecond ? number : number / 1000
        }
        return value.displayText.flatMap { FilmTimes.seconds($0) }
    }

    /// Returns the layer with the features that are shown at a time.
    ///
    /// Features without the property are always shown.
    func layer(_ layer: MapLayer, at time: Double) -> MapLayer {
        guard var source = layer.features, source.features.contains(where: { $0.properties[property] != nil }) else {
            return layer
        }
        source.removeAll { feature in
            guard feature.properties[property] != nil else { return false }
            guard let seconds = seconds(feature), seconds <= time else { return true }
            return window.map { seconds <= time - $0 } ?? false
        }
        var layer = layer
        layer.source = source
        return layer
    }

    /// Returns times at equal steps from the first to the last one of the features of layers, and the number of features
    /// with an invalid time.
    func times(of layers: [MapLayer], count: Int) throws(CommandFailure) -> (times: [FilmTimes.Time], invalid: Int) {
        var low = Double.infinity, high = -Double.infinity, invalid = 0, names: Set<String> = []
        for feature in layers.compactMap(\.features).flatMap(\.features) {
            names.formUnion(feature.properties.names)
            guard feature.properties[property] != nil else { continue }
            guard let seconds = seconds(feature) else {
                invalid += 1
                continue
            }
            low = min(low, seconds)
            high = max(high, seconds)
        }
        guard low <= high else {
            let near = NearName.nearest(to: property, in: names).map { "; did you mean '\($0)'?" } ?? ""
            let reason = invalid > 0 ? "no value is a time such as 2026-11-27T12:00Z" : "no feature has it" + near
            throw CommandFailure(.badData, "--time-property \(property): \(reason)")
        }
        let times = (0..<count).map { number in
            let seconds = count > 1 ? low + (high - low) * Double(number) / Double(count - 1) : high
            return FilmTimes.Time(text: ISOTime.text(seconds) ?? "", seconds: seconds)
        }
        return (times, invalid)
    }
}
