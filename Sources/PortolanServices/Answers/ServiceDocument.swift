import PortolanGeo
import PortolanWeb
import PortolanXML

/// Reads documents of services; an exception or a page for people may come in their place.
enum ServiceDocument {
    /// The tree of a document.
    ///
    /// - Throws: what the answer says when it is an exception or a page, else where it is malformed.
    static func tree(
        of bytes: [UInt8], contentType: String?, limits: XMLLimits
    ) throws(CapabilitiesError) -> XMLTree {
        let tree: XMLTree
        do { tree = try XMLReader(limits: limits).tree(of: bytes) } catch {
            try throwIfOther(bytes, contentType: contentType)
            throw .malformed(line: error.line, column: error.column, reason: error.message)
        }
        switch tree.root.name.lowercased() {
        case "html": try throwIfOther(bytes, contentType: contentType)
        case "serviceexceptionreport", "serviceexception", "wmtexception", "exceptionreport", "tilemapservererror":
            throw other(tree.root)
        default: break
        }
        return tree
    }

    /// The error that an unexpected document is.
    static func other(_ root: XMLElement) -> CapabilitiesError {
        switch root.name.lowercased() {
        case "serviceexceptionreport", "serviceexception", "wmtexception", "exceptionreport", "tilemapservererror":
            .exception(ServiceExceptionReader.exception(from: root))
        case "html": .otherDocument("an HTML page")
        default: .otherDocument("an XML document <\(root.name)>")
        }
    }

    private static func throwIfOther(_ bytes: [UInt8], contentType: String?) throws(CapabilitiesError) {
        guard let exception = ServiceExceptionReader.read(bytes, contentType: contentType) else {
            throw .otherDocument("an image")
        }
        switch exception.shape {
        case .xml: return
        case .html, .text: throw .otherDocument(exception.text)
        case .serviceExceptionReport, .wmtException, .owsExceptionReport: throw .exception(exception)
        }
    }
}

/// A reason why a capabilities document cannot be used.
public enum CapabilitiesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document is not well-formed XML or passes a limit; the line counts from 1.
    case malformed(line: Int, column: Int?, reason: String)
    /// The service answered with an exception.
    case exception(ServiceException)
    /// The document is some other one; the text tells which.
    case otherDocument(String)

    /// The problem, in one line.
    public var description: String { ReadableText.line(words, limit: 4000) }

    private var words: String {
        switch self {
        case .malformed(let line, let column, let reason):
            "cannot read the capabilities: line \(line)" + (column.map { ", column \($0)" } ?? "") + ": \(reason)"
        case .exception(let exception): "error from the service: \(exception)"
        case .otherDocument(let text): "the response is not a capabilities document: \(text)"
        }
    }
}

/// Oddities of a document, up to a bound.
struct ReaderNotes: Hashable, Sendable {
    private static let limit = 100
    private(set) var warnings: [MapWarning]

    init(_ warnings: [MapWarning] = []) {
        self.warnings = warnings
    }

    mutating func add(
        line: Int? = nil, effect: MapWarning.Effect = .note, _ message: @autoclosure () -> String
    ) {
        guard warnings.count < Self.limit else { return }
        let place = line.map { MapWarning.Place(line: $0) }
        warnings.append(
            MapWarning(
                .service, MapWarning.Subject(), at: place, effect: effect,
                message: ReadableText.line(message(), limit: 500)))
    }

    mutating func add(_ others: ReaderNotes) {
        warnings += others.warnings.prefix(max(Self.limit - warnings.count, 0))
    }
}

/// Reads the numbers of services' documents, as the standards write them and as services do.
package enum ServiceNumber {
    /// A number, which may be infinite, or `nil`.
    ///
    /// A comma in the place of the point is what programs write that heed the language of their machine.
    static func decimal(_ text: String?) -> Double? {
        guard let text = text?.trimmingSpace() else { return nil }
        return Double(text) ?? Double(text.replacing(",", with: "."))
    }

    /// A whole number, or `nil`; `256.0` is one.
    static func whole(_ text: String?) -> Int? {
        guard let text = text?.trimmingSpace() else { return nil }
        return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    }

    /// Four sides of a box whose names are `minx` and so on, fewer where some are none.
    package static func sides(_ attribute: (String) -> String?) -> [Double] {
        ["minx", "miny", "maxx", "maxy"].compactMap { decimal(attribute($0)) }
    }

    /// The east side of a box in degrees that goes from `west` over 180 degrees where it is less than that, and the box
    /// is less than half the world then.
    static func east(_ east: Double, from west: Double) -> Double {
        east < west && east + 360 - west < 180 && abs(east) <= 180.001 && abs(west) <= 180.001 ? east + 360 : east
    }

    /// A box in degrees, or `nil` when it can be none: metres, or latitude and longitude exchanged.
    ///
    /// Sides that reach a little beyond the poles, as those of grids do by half a cell, are brought back to them.
    static func degrees(west: Double, south: Double, east: Double, north: Double) -> BoundingBox? {
        // Two rounds of the world at most, and the half of a cell of four degrees.
        let longitude = 720.0, latitude = 92.0
        guard abs(west) <= longitude, abs(east) <= longitude, south <= 90, north >= -90,
            abs(south) <= latitude || south == -.infinity, abs(north) <= latitude || north == .infinity
        else { return nil }
        return BoundingBox(
            minX: max(west, -540), minY: max(south, -90), maxX: min(self.east(east, from: west), 540),
            maxY: min(north, 90))
    }
}
