public import PortolanFeatures
import PortolanXML

/// KML 2.0 to 2.2, with and without its namespace: what globes and phones write.
///
/// A placemark is a feature. Its name, description, address, phone number, snippet, times (`time`, `begin`, `end`) and altitude
/// mode are properties, so are its extended data, with the types of their `Schema`; `folder` is the path of the folders that it
/// stands in. Several geometries of one kind are one of several parts; tracks are lines, with the times of their places in
/// `coordinateProperties`, as in GPX. Styles and style maps, shared or its own, become the property `style` with the keys of the
/// route dialect (``/PortolanFeatures/RouteStyleReader``), `select` those of the highlighted pair; a symbol for points without a picture
/// becomes simplestyle's `marker-color`. A feature's own style replaces single elements of the shared one. Pictures have 32 pixels at a
/// scale of 1. Network links are listed in the member `networkLinks` of the collection; they are followed within an archive alone
/// (``KMZFormat``). Pictures on the ground are ``/PortolanFeatures/FeatureCollection/overlays``, and their outline is a feature, with the property `icon`;
/// other overlays, models and tours are left out with a warning. A document whose end is missing is read up to there.
///
/// Coordinates are WGS 84. Source: OGC KML 2.2 (07-147r2) and 2.3 (12-007r2).
public struct KMLFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `KML`.
    public var name: String { "KML" }

    /// Whether the first element is `kml`, or one of those that documents without it begin with.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        guard let root = XMLRoot(start) else { return false }
        return root.name == "kml" || Self.bareRoots.contains(root.name)
    }

    private static let bareRoots: Set<String> = ["Document", "Folder", "Placemark", "NetworkLink", "GroundOverlay"]

    /// Reads a document.
    ///
    /// Geometries that cannot be read are left out with a warning, and their placemarks kept.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        try KMLReader.read(document, limits: limits)
    }

    /// Writes a collection as KML 2.2: all shapes and properties, and of styles what KML has words for.
    public func write(_ collection: FeatureCollection) -> [UInt8]? { KMLWriter.write(collection) }
}
