import Portolan
import PortolanFeatures

/// The lines that an atlas follows.
struct AtlasRoute: Sendable {
    private let lines: [[Coordinate]]
    private let crs: CRS

    /// Reads the lines of a file or URL.
    init(_ source: String, _ network: NetworkOptions) async throws {
        let collection = try await FeatureInput(source: source, layer: nil).collection(network)
        var lines: [[Coordinate]] = []
        func add(_ geometry: Geometry) {
            switch geometry.kind {
            case .lineString, .multiLineString: for part in geometry.parts { lines.append(Array(part)) }
            case .collection: geometry.children.forEach(add)
            case .point, .multiPoint, .polygon, .multiPolygon: break
            }
        }
        collection.features.compactMap(\.geometry).forEach(add)
        lines.removeAll { $0.count < 2 }
        guard !lines.isEmpty else {
            throw CommandFailure(.badData, "--along \(source): no lines; use a file with a track, a route or a line")
        }
        self.lines = lines
        crs = collection.crs ?? .crs84
    }

    /// The middle of the extent in degrees.
    var center: Coordinate? {
        guard let box = BoundingBox(lines.joined()),
            let transform = try? CoordinateTransform(from: crs, to: .crs84)
        else { return nil }
        return transform(box.center)
    }

    /// Returns the lines in another CRS; positions outside its domain are omitted.
    func lines(in target: CRS) throws(CommandFailure) -> [[Coordinate]] {
        let transform: CoordinateTransform
        do { transform = try CoordinateTransform(from: crs, to: target) } catch {
            throw CommandFailure(.usage, "--along: \(error)")
        }
        return lines.map { $0.compactMap { transform($0) } }
    }
}
