import PortolanGeo
import PortolanWeb
import PortolanXML

/// Reads service documents.
///
/// The response may be an exception or an HTML page instead.
enum ServiceDocument {
    /// Returns the tree of a document.
    ///
    /// - Throws: the message of an exception or page, or the position of a syntax error.
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

    /// Returns the error for an unexpected document.
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

/// A reason why a capabilities document is unusable.
public enum CapabilitiesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The document is not well-formed XML or exceeds a limit.
    ///
    /// The line counts from 1.
    case malformed(line: Int, column: Int?, reason: String)
    /// The service answered with an exception.
    case exception(ServiceException)
    /// The document is of another kind, which the text describes.
    case otherDocument(String)

    /// The error message, in one line.
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

/// The warnings about a document, up to a limit.
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

/// Parses numbers in service documents, in standard and common non-standard forms.
package enum ServiceNumber {
    /// Parses a number, which may be infinite, or returns `nil`.
    ///
    /// Programs that use the locale of their machine write a decimal comma.
    static func decimal(_ text: String?) -> Double? {
        guard let text = text?.trimmingSpace() else { return nil }
        return Double(text) ?? Double(text.replacing(",", with: "."))
    }

    /// Parses an integer, such as `256` or `256.0`, or returns `nil`.
    static func whole(_ text: String?) -> Int? {
        guard let text = text?.trimmingSpace() else { return nil }
        return Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    }

    /// Returns the valid ones of four sides of a box with the names `minx` and so on.
    package static func sides(_ attribute: (String) -> String?) -> [Double] {
        ["minx", "miny", "maxx", "maxy"].compactMap { decimal(attribute($0)) }
    }

    /// Returns the east side of a box in degrees.
    ///
    /// If it is less than `west`, and the box is then less than half the world wide, the box crosses 180 degrees.
    static func east(_ east: Double, from west: Double) -> Double {
        east < west && east + 360 - west < 180 && abs(east) <= 180.001 && abs(west) <= 180.001 ? east + 360 : east
    }

    /// Returns a box in degrees, or `nil` if it is invalid: in metres, or with latitude and longitude exchanged.
    ///
    /// Sides slightly beyond the poles, such as grid borders half a cell beyond them, are clamped.
    static func degrees(west: Double, south: Double, east: Double, north: Double) -> BoundingBox? {
        // At most two turns, and half of a cell of four degrees.
        let longitude = 720.0, latitude = 92.0
        guard abs(west) <= longitude, abs(east) <= longitude, south <= 90, north >= -90,
            abs(south) <= latitude || south == -.infinity, abs(north) <= latitude || north == .infinity
        else { return nil }
        return BoundingBox(
            minX: max(west, -540), minY: max(south, -90), maxX: min(self.east(east, from: west), 540),
            maxY: min(north, 90))
    }
}
