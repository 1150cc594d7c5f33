public import PortolanFeatures
import PortolanGeo
import PortolanWeb

/// ESRI JSON: responses of a FeatureServer, and single geometries.
///
/// `attributes` become properties. The CRS is that of the `spatialReference` of the document or a geometry. Curves are
/// not supported.
///
/// Source: ArcGIS REST API, *Feature object*, *Geometry objects*.
public struct EsriJSONFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `ESRI JSON`.
    public var name: String { "ESRI JSON" }

    /// Returns `false`, as members may be in any order.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool { false }

    /// Returns whether the top-level object has members that are specific to ESRI's features and geometries.
    public func recognizes(document: [UInt8]) -> Bool { FeatureFileError.FileKind(foreignJSON: document) == .esriJSON }

    /// Reads a document.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the length of the document.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        let root = try ForeignJSON.object(document, in: name, limits: limits)
        var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
        var system = CommonSystem()
        let whole = try Self.crs(root["spatialReference"])
        let identifier = root["objectIdFieldName"]?.stringValue
        // A single geometry may replace the features.
        let features = root["features"]?.arrayValue ?? [["geometry": .object(root)]]
        for (number, item) in features.enumerated() {
            let members = item.objectValue ?? [:]
            var feature = Feature(geometry: nil, properties: members["attributes"]?.objectValue ?? [:])
            if let identifier, let value = feature.properties[identifier] { feature.id = Feature.ID(value) }
            if let shape = members["geometry"]?.objectValue {
                let own = try Self.crs(shape["spatialReference"]) ?? whole
                feature.geometry = Self.geometry(shape).flatMap { system.geometry($0, in: own) }
                if feature.geometry == nil {
                    gathering.warn(
                        .omitted, feature: feature.warningName ?? "#\(number + 1)", key: "geometry",
                        "an empty or invalid geometry is left out")
                }
            }
            try gathering.add(feature, at: .record(number + 1))
        }
        if root["exceededTransferLimit"] == true {
            gathering.warn(.omitted, "the server returned only part of the features; the rest is missing")
        }
        return gathering.collection(crs: system.crs)
    }

    /// Returns the CRS of a `spatialReference`, or `nil` for longitude and latitude.
    private static func crs(_ value: PropertyValue?) throws(FeatureFileError) -> CRS? {
        guard let members = value?.objectValue else { return nil }
        for key in ["latestWkid", "wkid"] {
            guard let number = members[key]?.doubleValue.flatMap({ Int(exactly: $0) }) else { continue }
            if let crs = CRS.epsg(number) { return crs }
        }
        if let text = (members["wkt"] ?? members["wkt2"])?.stringValue, let crs = try? CRS(wellKnownText: text) {
            return crs
        }
        guard let number = members["wkid"]?.displayText else { return nil }
        return CRS(name: "ESRI:\(number.prefix(20))", axisOrder: .eastNorth, unit: .meter)
    }

    private static func geometry(_ members: Properties) -> Geometry? {
        if let x = members["x"]?.doubleValue, let y = members["y"]?.doubleValue {
            return .point(Coordinate(x: x, y: y), altitude: members["z"]?.doubleValue)
        }
        let sides = ["xmin", "ymin", "xmax", "ymax"].compactMap { members[$0]?.doubleValue }
        if sides.count == 4 {
            return .polygon([
                [(0, 1), (2, 1), (2, 3), (0, 3), (0, 1)].map { Coordinate(x: sides[$0.0], y: sides[$0.1]) }
            ])
        }
        let hasHeights = members["hasZ"] == true
        var builder = GeometryBuilder()
        func add(_ places: PropertyValue?) {
            for place in places?.arrayValue ?? [] {
                guard let numbers = place.arrayValue, numbers.count >= 2, let x = numbers[0].doubleValue,
                    let y = numbers[1].doubleValue
                else { continue }
                builder.add(
                    Coordinate(x: x, y: y), altitude: hasHeights && numbers.count > 2 ? numbers[2].doubleValue : nil)
            }
        }
        if members["points"] != nil {
            add(members["points"])
            return builder.count > 0 ? builder.geometry(.multiPoint) : nil
        }
        let isArea = members["rings"] != nil
        for part in (members["paths"] ?? members["rings"])?.arrayValue ?? [] {
            add(part)
            if isArea { builder.endRing() } else { builder.endLine() }
        }
        guard builder.count > 0 else { return nil }
        let lines = builder.geometry(.multiLineString)
        if isArea { return RingArrangement.polygons(of: lines) }
        return lines.parts.count == 1 ? builder.geometry(.lineString) : lines
    }
}

/// Reads JSON of other kinds than GeoJSON as a tree.
enum ForeignJSON {
    /// Returns the top-level object of a document.
    static func object(
        _ document: [UInt8], in format: String, limits: FeatureLimits
    ) throws(FeatureFileError) -> Properties {
        var own = limits
        own.memory = nil
        // The approximate ratio of the size of the tree to that of the text.
        let (room, isTooMuch) = document.count.multipliedReportingOverflow(by: 8)
        try limits.lookForRoom(isTooMuch ? .max : room, in: format)
        let value: PropertyValue
        do throws(GeoJSONError) { value = try JSONReader.value(bytes: document, limits: own) } catch {
            let code: FeatureFileError.Code =
                switch error.code {
                case .limitExceeded: .limitExceeded
                case .cancelled: .cancelled
                default: .malformed
                }
            throw FeatureFileError(code, in: format, at: .byte(error.byteOffset), error.detail)
        }
        guard let object = value.objectValue else { throw FeatureFileError(.malformed, in: format, "not an object") }
        return object
    }
}
