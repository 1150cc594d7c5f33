public import PortolanFeatures
import PortolanXML

/// GPX 1.0 and 1.1: way points, routes and tracks of receivers and route planners.
///
/// A way point becomes a point of interest (`type` is `poi`), a route or track a route (`type` is `route`) with the segments
/// of a track as its parts, and a named point of a route a point of interest, too. Elevations are altitudes; the times of a
/// track's points stand in `coordinateProperties` as lists `times`, one for each part, and beside them what receivers say of
/// points, such as `hr`. `gpx` tells `wpt`, `rtept`, `rte` or `trk`; name, description, comment, category (GPX's `type`),
/// symbol, source, time and links are properties of those names. Of the extensions those of GDAL are properties, in which other
/// properties are written, too; the others stand in the property `extensions` by their path. Garmin's colour of a track, those
/// of `gpx_style`, OsmAnd and Locus Map become the property `style` (``/PortolanFeatures/RouteStyleReader``), the colour of a way point `marker-color`.
/// A route goes the way that Garmin's planners write between its points; a document whose end is missing is read up to there. Documents without a namespace are read as well.
///
/// Coordinates are WGS 84. Source: GPX 1.1 schema documentation (topografix.com/GPX/1/1), GPX 1.0 developer's manual.
public struct GPXFormat: FeatureFormat {
    /// Makes the format.
    public init() {}

    /// `GPX`.
    public var name: String { "GPX" }

    /// Whether the first element is `gpx`, with or without a prefix.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        XMLRoot(start)?.name.lowercased() == "gpx"
    }

    /// Reads a document.
    ///
    /// Points without a place are left out, with a warning.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        try GPXReader.read(document, limits: limits)
    }

    /// Writes a collection as GPX 1.1; areas have no place in it and are left out.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { GPXWriter.write(collection) }
}
