import Foundation
import PortolanGeo
import PortolanTransit
import PortolanWeb

extension CityDocument {
    private struct Form: Codable {
        struct Updates: Codable { var city: String, lines: String, stops: String }

        var version = 1
        var name: String
        var area: [Double]
        var zooms: [Double]
        var attribution: String
        var lines: [Line]
        var stops: [Stop]
        var updated: Updates
    }

    private static let byteLimit = 64 << 20

    /// The city as JSON.
    ///
    /// Equal cities have equal bytes.
    public var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        func text(_ date: Date) -> String { ISOTime.text(date) ?? "1970-01-01T00:00:00Z" }
        let form = Form(
            name: name, area: [area.minX, area.minY, area.maxX, area.maxY],
            zooms: [zooms.lowerBound, zooms.upperBound],
            attribution: attribution, lines: lines, stops: stops,
            updated: .init(city: text(updates.city), lines: text(updates.lines), stops: text(updates.stops)))
        return ((try? encoder.encode(form)).map { [UInt8]($0) }) ?? []
    }

    /// Reads a city from the JSON of ``json``.
    ///
    /// Lines and stops with invalid coordinates are omitted.
    ///
    /// - Throws: ``FeedError`` if the JSON is invalid or too large.
    public init(json: [UInt8], source: String = "city") throws(FeedError) {
        guard json.count <= Self.byteLimit else {
            throw FeedError(.limitExceeded, source: source, "exceeds \(Self.byteLimit) bytes")
        }
        let form: Form
        do { form = try JSONDecoder().decode(Form.self, from: Data(json)) } catch {
            throw FeedError(.malformed, source: source, "not a city with lines and stops")
        }
        guard form.version == 1 else { throw FeedError(.unsupported, source: source, "written by a newer version") }
        let sides = form.area
        guard sides.count == 4, sides.allSatisfy({ abs($0) <= 360 }),
            let area = Extent(minX: sides[0], minY: sides[1], maxX: sides[2], maxY: sides[3]), form.zooms.count == 2,
            form.zooms[0] <= form.zooms[1], form.zooms.allSatisfy({ (0...30).contains($0) }),
            let city = ISOTime.date(form.updated.city), let lines = ISOTime.date(form.updated.lines),
            let stops = ISOTime.date(form.updated.stops)
        else { throw FeedError(.malformed, source: source, "invalid area, zoom levels or times") }
        self.init(
            name: form.name, area: area, zooms: form.zooms[0]...form.zooms[1], attribution: form.attribution,
            updates: Updates(city: city, lines: lines, stops: stops))
        self.lines = form.lines.filter { line in
            line.ways.allSatisfy { $0.count.isMultiple(of: 2) && $0.allSatisfy { abs($0) <= 360 } }
        }
        self.stops = form.stops.filter { abs($0.longitude) <= 180 && abs($0.latitude) <= 90 }
    }
}
