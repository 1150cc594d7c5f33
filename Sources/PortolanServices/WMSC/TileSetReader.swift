import PortolanGeo
import PortolanXML

/// Reads the tile sets of a capabilities document of version 1.1.1.
struct TileSetReader {
    private static let resolutionLimit = 1000
    private(set) var notes: ReaderNotes

    init(notes: ReaderNotes) {
        self.notes = notes
    }

    /// The tile sets in the vendor's part of `capability`.
    mutating func tileSets(in capability: XMLElement?) -> [WMSCTileSet] {
        let vendor = capability?.children("VendorSpecificCapabilities") ?? []
        var sets: [WMSCTileSet] = []
        for element in vendor.flatMap({ $0.children("TileSet") }) {
            guard let set = tileSet(element) else {
                notes.add("line \(element.line): the tile set is not usable")
                continue
            }
            sets.append(set)
        }
        return sets
    }

    private func tileSet(_ element: XMLElement) -> WMSCTileSet? {
        guard let crsName = element.text(of: "SRS") ?? element.text(of: "CRS"),
            let width = element.text(of: "Width").flatMap({ Int($0) }),
            let height = element.text(of: "Height").flatMap({ Int($0) }), (1...16384).contains(width),
            (1...16384).contains(height)
        else { return nil }
        // Resolutions come in one element or several, between any white space, now and then between commas.
        let numbers = element.children("Resolutions").flatMap { list in
            list.text.split(whereSeparator: { $0.isWhitespace || $0 == "," }).map { Double($0) }
        }
        let resolutions = numbers.compactMap { $0.flatMap { Resolution(unitsPerPixel: $0) } }
        guard resolutions.count == numbers.count, (1...Self.resolutionLimit).contains(resolutions.count) else {
            return nil
        }
        var extent: Extent?
        if let box = element.child("BoundingBox") {
            let sides = ["minx", "miny", "maxx", "maxy"].compactMap {
                box.attribute($0, ignoringCase: true).flatMap { Double($0.trimmingSpace()) }
            }
            guard sides.count == 4 else { return nil }
            extent = Extent(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3])
        }
        return WMSCTileSet(
            crsName: crsName, extent: extent, resolutions: resolutions, tileWidth: width, tileHeight: height,
            format: element.text(of: "Format") ?? "image/png", layers: Self.list(element.children("Layers")),
            styles: Self.list(element.children("Styles")))
    }

    /// The names in some elements, each of which may hold several between commas.
    private static func list(_ elements: [XMLElement]) -> [String] {
        let names = elements.flatMap { element in
            element.text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmingSpace() }
        }
        return names.allSatisfy(\.isEmpty) ? [] : names
    }
}
