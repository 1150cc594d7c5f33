import Foundation
import PortolanTransit

/// The invented guide of the folder Fixtures.
enum GuideSample {
    static func bytes(_ name: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return [UInt8](try Data(contentsOf: root.appending(path: "Fixtures/guide/\(name)")))
    }

    static func guide() throws -> BusGuide {
        try BusGuide(kml: bytes("routes.kml"), cooperatives: bytes("cooperatives.json"))
    }

    /// A KML document of these placemarks.
    static func kml(_ placemarks: String) -> [UInt8] {
        Array("<kml><Document>\(placemarks)</Document></kml>".utf8)
    }

    static func stop(_ id: String, _ x: Double, _ y: Double, _ data: String = "") -> String {
        "<Placemark id=\"\(id)\"><name>Stop \(id)</name><ExtendedData>\(data)</ExtendedData>"
            + "<Point><coordinates>\(x),\(y)</coordinates></Point></Placemark>"
    }

    static func route(_ id: String, _ coordinates: String, _ data: [String: String] = [:]) -> String {
        let values = data.map { "<Data name=\"\($0.key)\"><value>\($0.value)</value></Data>" }.sorted().joined()
        return "<Placemark id=\"\(id)\"><name>\(id)</name><ExtendedData>\(values)</ExtendedData>"
            + "<LineString><coordinates>\(coordinates)</coordinates></LineString></Placemark>"
    }
}
