public import PortolanGeo

extension WMTSCapabilities {
    /// A layer of a tile service.
    public struct Layer: Hashable, Sendable {
        /// A style of a layer.
        public struct Style: Hashable, Sendable {
            /// The identifier in requests; may be empty.
            public var identifier: String
            /// The title, or `nil`.
            public var title: String?
            /// The description, or `nil`.
            public var abstract: String?
            /// Whether it is the default style.
            public var isDefault: Bool
            /// The legends.
            public var legends: [WMSCapabilities.Style.Legend]
        }

        /// The bounding box of a layer in one CRS.
        public struct Box: Hashable, Sendable {
            /// The name of the CRS as written in the document.
            public var crsName: String
            /// The CRS, or `nil` if it is not in the catalogue.
            public var crs: CRS?
            /// The box, x east, in units of the CRS.
            public var box: BoundingBox
        }

        /// A link to a tile matrix set of the layer.
        public struct Link: Hashable, Sendable {
            /// The identifier of the matrix set.
            public var matrixSet: String
            /// The parts of its matrices with tiles; empty for all.
            public var limits: [Limits]
            /// The number of further limits in the document that are invalid.
            public var unusableLimitCount = 0
        }

        /// The part of a matrix with tiles.
        public struct Limits: Hashable, Sendable {
            /// The identifier of the matrix, as written here.
            public var matrix: String
            /// The rows with tiles, counted from the top.
            public var rows: ClosedRange<Int>
            /// The columns with tiles.
            public var columns: ClosedRange<Int>
        }

        /// A URL template.
        public struct Resource: Hashable, Sendable {
            /// The kind of resource: `tile`, `FeatureInfo` or `simpleProfileTile`.
            public var kind: String
            /// The media type of the response.
            public var format: String
            /// The URL template with names in braces.
            public var template: String

            /// Whether the template is for tiles.
            package var isTile: Bool { kind.lowercased() == "tile" }
        }

        /// The identifier in requests.
        public var identifier: String
        /// The title.
        public var title: String
        /// The description, or `nil`.
        public var abstract: String?
        /// The keywords.
        public var keywords: [String]
        /// The extent of the data in degrees, or `nil` if it is not stated.
        public var geographicBox: BoundingBox?
        /// The extent of the data in other CRSs.
        public var boundingBoxes: [Box]
        /// The styles.
        public var styles: [Style]
        /// The media types of its tiles, as written in the document.
        public var formats: [String]
        /// The media types of feature info responses, as written in the document.
        public var infoFormats: [String]
        /// The dimensions in addition to the two of the map.
        public var dimensions: [WMTSCapabilities.Dimension]
        /// The links to tile matrix sets.
        public var links: [Link]
        /// The URL templates.
        public var resources: [Resource]

        /// The default style, or `nil` if there are no styles.
        public var defaultStyle: Style? { styles.first(where: \.isDefault) ?? styles.first }

        /// Returns the dimension with a name, ignoring case, or `nil`.
        public func dimension(named name: String) -> WMTSCapabilities.Dimension? {
            dimensions.first { $0.identifier.lowercased() == name.lowercased() }
        }
    }
}

extension WMTSCapabilities.Layer {
    /// Returns the geographic box in a CRS, or `nil` if its distortion would be too large.
    func extent(in crs: CRS) -> Extent? {
        guard let box = geographicBox, crs.projection != nil, crs.worldWidth != nil || box.maxX - box.minX < 40 else {
            return nil
        }
        // In Mercator the world ends before the poles.
        let top = crs.worldExtent.map { Coordinate(x: $0.center.x, y: $0.maxY) }
        let north = top.flatMap { crs.projection?.unproject($0) }?.y ?? 90
        // A box across 180 degrees has parts at both ends of a repeating world.
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

extension WMTSCapabilities {
    /// A dimension of a tile layer in addition to the two of the map, such as time or elevation.
    public struct Dimension: Hashable, Sendable {
        /// The name in requests, as written in the document.
        public var identifier: String
        /// The unit of its values, or `nil`.
        public var unit: String?
        /// The default value, or `nil`.
        public var defaultValue: String?
        /// Whether `current` may be requested.
        public var hasCurrent: Bool
        /// The available values, in the order of the document.
        ///
        /// A value may be a range, such as `2020/2024/P1Y`.
        public var values: [String]

        /// The value if none is requested: the default, the current, the first, or the word `default`.
        public var standardValue: String {
            if let defaultValue { return defaultValue }
            return hasCurrent ? "current" : values.first ?? "default"
        }

        /// Returns whether a value may be available.
        ///
        /// Lists with ranges are not evaluated.
        public func mayHave(_ value: String) -> Bool {
            values.isEmpty || values.contains(value) || values.contains { $0.contains("/") || $0.contains(",") }
                || value == defaultValue || (hasCurrent && value == "current")
        }
    }
}
