public import PortolanFeatures
import PortolanXML

/// GPX 1.0 and 1.1: waypoints, routes and tracks of GPS receivers and route planners.
///
/// - A waypoint becomes a point of interest (`type` is `poi`), and so does a named point of a route.
/// - A route or track becomes a route (`type` is `route`), with the segments of a track as its parts. If a route
///   contains the path between its points, as Garmin's planners write it, it follows this path.
/// - Elevations become altitudes. The times of track points are in `coordinateProperties` as lists `times`, one per
///   part, next to other attributes of points, such as `hr`.
/// - The property `gpx` is `wpt`, `rtept`, `rte` or `trk`. Name, description, comment, category (GPX's `type`), symbol,
///   source, time and links become properties with these names.
/// - GDAL's extensions become properties; other properties are written in this form as well. Other extensions are in
///   the property `extensions`, by path.
/// - The track colours of Garmin, `gpx_style`, OsmAnd and Locus Map become the property `style`
///   (``/PortolanFeatures/RouteStyleReader``), and the colour of a waypoint becomes `marker-color`.
///
/// A truncated document is read up to its end, and documents without a namespace are accepted.
///
/// Coordinates are WGS 84. Source: GPX 1.1 schema documentation (topografix.com/GPX/1/1), GPX 1.0 developer's manual.
public struct GPXFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `GPX`.
    public var name: String { "GPX" }

    /// Returns whether the first element is `gpx`, with or without a prefix.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        XMLRoot(start)?.name.lowercased() == "gpx"
    }

    /// Reads a document.
    ///
    /// Points without a valid position are omitted, with a warning.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        try GPXReader.read(document, limits: limits)
    }

    /// Writes a collection as GPX 1.1.
    ///
    /// Areas cannot be expressed and are omitted.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { GPXWriter.write(collection) }
}
