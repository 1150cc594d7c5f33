public import PortolanGeo

/// A layer of a Web Map Service, with what it inherits from those around it.
///
/// By OGC 06-042 table 7 and OGC 01-068r3 7.1.4.7: styles, reference systems and authorities add to the inherited ones;
/// a bounding box replaces the inherited one of the same system, and a dimension the one of the same name (before
/// version 1.3.0 an `Extent` does); name, texts, keywords, identifiers and links to data and metadata are the layer's
/// own; all else replaces what is inherited. A style of the same name as an inherited one wins.
public struct WMSLayer: Hashable, Sendable {
    /// The name to ask for it by, or `nil` for a mere heading.
    public var name: String?
    /// The title for people.
    public var title: String
    /// What it shows, or `nil`.
    public var abstract: String?
    /// Words to find it by.
    public var keywords: [String]
    /// The reference systems it can be drawn in, as the document writes them, each once.
    public var crsNames: [String]
    /// Where it has data, in degrees, or `nil` when the document does not tell.
    public var geographicBox: BoundingBox?
    /// Where it has data, at most one box for each system.
    public var boundingBoxes: [WMSBoundingBox]
    /// The ways it can be drawn; the first is mostly the default one.
    public var styles: [WMSStyle]
    /// Its dimensions besides the two of the map.
    public var dimensions: [WMSDimension]
    /// Who must be named, or `nil`.
    public var attribution: WMSAttribution?
    /// Where there is more about it.
    public var references: WMSLayerReferences
    /// It is drawn at this scale denominator and above, or `nil`; for pixels of 0.28 mm.
    public var minScaleDenominator: Double?
    /// It is drawn below this scale denominator, or `nil`; for pixels of 0.28 mm.
    public var maxScaleDenominator: Double?
    /// The scale hint as written, diagonals of a pixel in metres, or `nil`; the denominators above come from it then.
    public var scaleHint: ClosedRange<Double>?
    /// Whether it answers questions about features.
    public var isQueryable: Bool
    /// Whether its pictures hide all below.
    public var isOpaque: Bool
    /// How often it was passed on by another server.
    public var cascaded: Int
    /// Whether it can only be had whole.
    public var hasNoSubsets: Bool
    /// The only width it can be had in, or `nil`.
    public var fixedWidth: Int?
    /// The only height it can be had in, or `nil`.
    public var fixedHeight: Int?
    /// The layers inside.
    public var children: [WMSLayer]

    /// The first layer with a name among this one and those inside, or `nil`.
    public func layer(named name: String) -> WMSLayer? {
        if self.name == name { return self }
        for child in children {
            if let found = child.layer(named: name) { return found }
        }
        return nil
    }

    /// The box in a reference system, whatever its spelling, or `nil`.
    public func boundingBox(in crs: CRS) -> BoundingBox? { boundingBoxes.first { $0.crs == crs }?.box }

    func collect(into list: inout [WMSLayer]) {
        list.append(self)
        for child in children { child.collect(into: &list) }
    }
}
