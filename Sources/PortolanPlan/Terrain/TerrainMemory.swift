import PortolanFeatures
import PortolanGeo
import PortolanRaster
import Synchronization

/// A cache of the joined elevations of recent views, their pictures and their lines.
///
/// Within a budget of bytes, the oldest are removed first.
final class TerrainMemory: TrimmableCache {
    /// The lines of a view.
    struct Contours: Sendable {
        /// The lines between index lines.
        let lines: FeatureSource
        /// The index lines.
        let indexLines: FeatureSource
        /// The interval that was used in place of a finer one, or `nil`.
        let coarserInterval: Double?
        fileprivate let byteCount: Int
    }

    fileprivate indirect enum Key: Hashable {
        case grid(TerrainWindow)
        case picture(TerrainWindow, TerrainLook)
        case contours(TerrainWindow, ContourLook, interval: Double)
    }

    fileprivate enum Entry {
        case grid(TerrainPiece)
        case picture(MadePicture)
        indirect case contours(Contours)
    }

    fileprivate struct State {
        var known: [(key: Key, entry: Entry, byteCount: Int)] = []
        var byteCount = 0
    }

    private static let byteBudget = 96 << 20

    private let state = Mutex(State())

    /// Returns the joined elevations of a window.
    func piece(of window: TerrainWindow, given arrivals: Arrivals) -> TerrainPiece {
        if case .grid(let known)? = entry(for: .grid(window)) { return known }
        let piece = TerrainPiece(window, window.joined(given: arrivals))
        keep(.grid(piece), for: .grid(window), piece.grid.byteCount)
        return piece
    }

    /// Returns the picture of joined elevations.
    func picture(of piece: TerrainPiece, as look: TerrainLook) -> MadePicture? {
        let key = Key.picture(piece.window, look)
        if case .picture(let known)? = entry(for: key) { return known }
        guard let pixels = TerrainPainter(piece: piece).pixels(look) else { return nil }
        let picture = MadePicture(pixels)
        keep(.picture(picture), for: key, pixels.byteCount)
        return picture
    }

    /// Returns the lines of equal elevation.
    ///
    /// - Parameter wanted: the interval in units of the look.
    func contours(of piece: TerrainPiece, _ look: ContourLook, interval wanted: Double) -> Contours {
        let key = Key.contours(piece.window, look, interval: wanted)
        if case .contours(let known)? = entry(for: key) { return known }
        let tracer = ContourTracer(piece.grid), unit = look.metersPerUnit
        var interval = wanted
        while tracer.crossingCount(interval: interval * unit, base: look.base * unit) > ContourLook.crossingLimit {
            interval = ContourLook.coarser(than: interval)
        }
        var lines: [Feature] = [], indexLines: [Feature] = [], pointCount = 0
        let window = piece.window
        for line in tracer.lines(interval: interval * unit, base: look.base * unit) {
            let number = ((line.elevation / unit - look.base) / interval).rounded()
            let elevation = look.base + number * interval
            let points = line.points.map {
                Coordinate(
                    x: window.topLeft.x + ($0.x + 0.5) * window.resolution.x,
                    y: window.topLeft.y - ($0.y + 0.5) * window.resolution.y)
            }
            pointCount += points.count
            let isIndex = look.indexStep > 0 && Int(number) % look.indexStep == 0
            let feature = Feature(
                geometry: .lineString(points),
                properties: [
                    ContourLook.property: .rounded(elevation),
                    ContourLook.kindProperty: .string(
                        look.text(ofInterval: isIndex ? interval * Double(look.indexStep) : interval)),
                ])
            if isIndex { indexLines.append(feature) } else { lines.append(feature) }
        }
        let contours = Contours(
            lines: FeatureSource(features: lines, crs: window.crs, style: look.line),
            indexLines: FeatureSource(features: indexLines, crs: window.crs, style: look.index),
            coarserInterval: interval == wanted ? nil : interval, byteCount: pointCount * 48)
        keep(.contours(contours), for: key, contours.byteCount)
        return contours
    }

    private func entry(for key: Key) -> Entry? {
        state.withLock { state in
            guard let place = state.known.firstIndex(where: { $0.key == key }) else { return nil }
            state.known.append(state.known.remove(at: place))
            return state.known.last?.entry
        }
    }

    private func keep(_ entry: Entry, for key: Key, _ byteCount: Int) {
        state.withLock { state in
            state.known.append((key, entry, byteCount))
            state.byteCount += byteCount
            state.trim(to: Self.byteBudget)
        }
    }

    /// The approximate number of cached bytes.
    var byteCount: Int { state.withLock(\.byteCount) }

    /// Removes entries, the oldest first, until at most `byteCount` bytes are kept.
    func trim(to byteCount: Int) { state.withLock { $0.trim(to: byteCount) } }
}

extension TerrainMemory.State {
    fileprivate mutating func trim(to limit: Int) {
        while byteCount > limit, let oldest = known.first {
            byteCount -= oldest.byteCount
            known.removeFirst()
        }
    }
}

extension PropertyValue {
    /// A number, as an integer if it is one.
    fileprivate static func rounded(_ number: Double) -> PropertyValue {
        let near = (number * 1e6).rounded() / 1e6
        return near == near.rounded() && abs(near) < 1e9 ? .integer(Int(near)) : .number(near)
    }
}
