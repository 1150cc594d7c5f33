public import PortolanFeatures
import PortolanXML

/// KML 2.0 to 2.2, with or without its namespace.
///
/// - A placemark becomes a feature. Its name, description, address, phone number, snippet, times (`time`, `begin`,
///   `end`) and altitude mode become properties, and so do its extended data, with the types of their `Schema`. The
///   property `folder` is the path of its folders.
/// - Several geometries of one kind become one multi-geometry. Tracks become lines, with their times in
///   `coordinateProperties`, as in GPX.
/// - Shared and inline styles and style maps become the property `style` with the keys of the route dialect
///   (``/PortolanFeatures/RouteStyleReader``), where `select` is the style of the highlighted pair. A point symbol
///   without an image becomes simplestyle's `marker-color`. An inline style overrides single elements of the shared
///   one. Images have 32 pixels at a scale of 1.
/// - Network links are listed in the member `networkLinks` of the collection. They are followed within an archive only
///   (``KMLFormat/KMZ``).
/// - Ground overlays are in ``/PortolanFeatures/FeatureCollection/overlays``; in addition, their outline becomes a
///   feature with the property `icon`. Other overlays, models and tours are omitted with a warning.
///
/// A truncated document is read up to its end.
///
/// Coordinates are WGS 84. Source: OGC KML 2.2 (07-147r2) and 2.3 (12-007r2).
public struct KMLFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `KML`.
    public var name: String { "KML" }

    /// Returns whether the first element is `kml`, or an element with which documents without `kml` start.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        guard let root = XMLRoot(start) else { return false }
        return root.name == "kml" || Self.bareRoots.contains(root.name)
    }

    private static let bareRoots: Set<String> = ["Document", "Folder", "Placemark", "NetworkLink", "GroundOverlay"]

    /// Reads a document.
    ///
    /// Unreadable geometries are omitted with a warning, and their placemarks kept.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        try KMLReader.read(document, limits: limits)
    }

    /// Writes a collection as KML 2.2: all geometries and properties, and the parts of styles that KML supports.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { KMLWriter.write(collection) }
}
