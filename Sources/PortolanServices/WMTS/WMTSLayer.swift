public import PortolanGeo

/// A layer of a tile service.
public struct WMTSLayer: Hashable, Sendable {
    /// A way the layer can be drawn.
    public struct Style: Hashable, Sendable {
        /// The name to ask for it by; may be empty.
        public var identifier: String
        /// The title for people, or `nil`.
        public var title: String?
        /// The description, or `nil`.
        public var abstract: String?
        /// Whether it is the one taken when none is asked for.
        public var isDefault: Bool
        /// Its legends.
        public var legends: [WMSStyle.Legend]
    }

    /// The box of the layer in one coordinate reference system.
    public struct Box: Hashable, Sendable {
        /// The system's name as the document writes it.
        public var crsName: String
        /// The system, or `nil` when it is not in the catalogue.
        public var crs: CRS?
        /// The box, x east, in units of the system.
        public var box: BoundingBox
    }

    /// A pyramid that the layer can be had in.
    public struct Link: Hashable, Sendable {
        /// The identifier of the matrix set.
        public var matrixSet: String
        /// The parts of its matrices that have tiles; empty when all have.
        public var limits: [Limits]
        /// The number of further limits in the document that are no numbers, or whose least is above the greatest.
        public var unusableLimitCount = 0
    }

    /// The part of a matrix that has tiles.
    public struct Limits: Hashable, Sendable {
        /// The identifier of the matrix, as the document writes it here.
        public var matrix: String
        /// The rows that have tiles, counted from the top.
        public var rows: ClosedRange<Int>
        /// The columns that have tiles.
        public var columns: ClosedRange<Int>
    }

    /// A pattern of addresses.
    public struct Resource: Hashable, Sendable {
        /// The kind of resource: `tile`, `FeatureInfo` or `simpleProfileTile`.
        public var kind: String
        /// The media type of what it gives.
        public var format: String
        /// The address, with names in braces.
        public var template: String

        /// Whether the template is one of tiles.
        package var isTile: Bool { kind.lowercased() == "tile" }
    }

    /// The name to ask for it by.
    public var identifier: String
    /// The title for people.
    public var title: String
    /// The description, or `nil`.
    public var abstract: String?
    /// Words to find it by.
    public var keywords: [String]
    /// The area with data, in degrees, or `nil` when the document does not state it.
    public var geographicBox: BoundingBox?
    /// The area with data, in other systems.
    public var boundingBoxes: [Box]
    /// The ways it can be drawn.
    public var styles: [Style]
    /// The media types of its tiles, as the document writes them.
    public var formats: [String]
    /// The media types of answers about features, as the document writes them.
    public var infoFormats: [String]
    /// Its dimensions besides the two of the map.
    public var dimensions: [WMTSDimension]
    /// The pyramids it can be had in.
    public var links: [Link]
    /// The patterns of its addresses.
    public var resources: [Resource]

    /// The style taken when none is asked for, or `nil` when there is none at all.
    public var defaultStyle: Style? { styles.first(where: \.isDefault) ?? styles.first }

    /// The dimension with a name, whatever the case, or `nil`.
    public func dimension(named name: String) -> WMTSDimension? {
        dimensions.first { $0.identifier.lowercased() == name.lowercased() }
    }
}

extension WMTSLayer {
    /// The geographic box in a system, or `nil` where its corners would be bent too far to tell anything.
    func extent(in crs: CRS) -> Extent? {
        guard let box = geographicBox, crs.projection != nil, crs.worldWidth != nil || box.maxX - box.minX < 40 else {
            return nil
        }
        // The world of Mercator ends short of the poles.
        let top = crs.worldExtent.map { Coordinate(x: $0.center.x, y: $0.maxY) }
        let north = top.flatMap { crs.projection?.unproject($0) }?.y ?? 90
        // A box across 180 degrees has places at both ends of a world that repeats.
        let isAcross = crs.worldWidth != nil && (box.minX < -180.001 || box.maxX > 180.001)
        guard
            let inside = Extent(
                minX: isAcross ? -180 : box.minX, minY: max(box.minY, -north), maxX: isAcross ? 180 : box.maxX,
                maxY: min(box.maxY, north)),
            let transform = try? CoordinateTransform(from: .crs84, to: crs)
        else { return nil }
        return transform(inside)
    }
}

/// A dimension of a layer of tiles besides the two of the map, as time or elevation.
public struct WMTSDimension: Hashable, Sendable {
    /// The name to ask with, as the document writes it.
    public var identifier: String
    /// The unit of its values, or `nil`.
    public var unit: String?
    /// The value the service names for when none is wanted, or `nil`.
    public var defaultValue: String?
    /// Whether `current` may be asked for.
    public var hasCurrent: Bool
    /// The values there are, in the order of the document; one may stand for several, as `2020/2024/P1Y`.
    public var values: [String]

    /// The value to ask for when none is wanted: the default, the current, the first, or the word `default`.
    public var standardValue: String {
        if let defaultValue { return defaultValue }
        return hasCurrent ? "current" : values.first ?? "default"
    }

    /// Whether a value is among those listed; lists of ranges are not looked into.
    public func mayHave(_ value: String) -> Bool {
        values.isEmpty || values.contains(value) || values.contains { $0.contains("/") || $0.contains(",") }
            || value == defaultValue || (hasCurrent && value == "current")
    }
}
