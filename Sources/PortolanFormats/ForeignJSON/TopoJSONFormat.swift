public import PortolanFeatures
import PortolanGeo
import PortolanWeb

/// TopoJSON: geometries with shared borders (github.com/topojson/topojson-specification, version 1.0).
///
/// The geometries of all objects become features. With several objects, the property `layer` has the object's name.
public struct TopoJSONFormat: FeatureFormat {
    /// Creates the format.
    public init() {}

    /// `TopoJSON`.
    public var name: String { "TopoJSON" }

    /// Returns `false`, as members may be in any order.
    public func recognizes(_ start: ArraySlice<UInt8>) -> Bool { false }

    /// Returns whether the type is `Topology`.
    public func recognizes(document: [UInt8]) -> Bool { FeatureFileError.FileKind(foreignJSON: document) == .topoJSON }

    /// Reads a document.
    ///
    /// Arcs may be used many times. A document with more than a million coordinates and more than eight per byte is
    /// rejected.
    ///
    /// - Throws: ``FeatureFileError``.
    /// - Complexity: linear in the document and the coordinates of its geometries.
    public func read(_ document: [UInt8], limits: FeatureLimits) throws -> FeatureCollection {
        let root = try ForeignJSON.object(document, in: name, limits: limits)
        var gathering = try FeatureGathering(name, limits: limits, documentLength: document.count)
        let (most, isTooMuch) = document.count.multipliedReportingOverflow(by: 8)
        var topology = Topology(
            root, limit: min(limits.maximumCoordinateCount, max(1_000_000, isTooMuch ? .max : most)))
        let objects = root["objects"]?.objectValue ?? [:]
        for object in objects {
            let members = object.value.objectValue ?? [:]
            let items =
                members["type"] == "GeometryCollection" ? members["geometries"]?.arrayValue ?? [] : [object.value]
            for item in items {
                let shape = item.objectValue ?? [:]
                var feature = Feature(geometry: nil, properties: shape["properties"]?.objectValue ?? [:])
                feature.id = shape["id"].flatMap { Feature.ID($0) }
                if objects.count > 1, feature.properties["layer"] == nil {
                    feature.properties["layer"] = .string(object.name)
                }
                if shape["type"] != .null, shape["type"] != nil {
                    feature.geometry = try topology.geometry(shape, depth: 0, limits: limits)
                    if feature.geometry == nil {
                        gathering.warn(
                            .omitted, feature: feature.warningName ?? "#\(gathering.features.count + 1)", key: "arcs",
                            "an empty or invalid geometry is left out")
                    }
                }
                try gathering.add(feature)
            }
        }
        return gathering.collection()
    }

    /// The arcs of a document, and the geometries built from them.
    private struct Topology {
        private var arcs: [[Coordinate]] = []
        private var scale: (x: Double, y: Double)?
        private var offset = (x: 0.0, y: 0.0)
        /// The number of coordinates that may still be created.
        private var left: Int

        init(_ root: Properties, limit: Int) {
            left = limit
            if let transform = root["transform"]?.objectValue, let scale = Self.pair(transform["scale"]),
                let offset = Self.pair(transform["translate"])
            {
                (self.scale, self.offset) = (scale, offset)
            }
            for arc in root["arcs"]?.arrayValue ?? [] {
                var places: [Coordinate] = [], x = 0.0, y = 0.0
                for place in arc.arrayValue ?? [] {
                    guard let pair = Self.pair(place) else { continue }
                    if let scale {
                        (x, y) = (x + pair.x, y + pair.y)
                        places.append(Coordinate(x: x * scale.x + offset.x, y: y * scale.y + offset.y))
                    } else {
                        places.append(Coordinate(x: pair.x, y: pair.y))
                    }
                }
                arcs.append(places.filter(\.isFinite))
            }
        }

        private static func pair(_ value: PropertyValue?) -> (x: Double, y: Double)? {
            guard let list = value?.arrayValue, list.count >= 2, let x = list[0].doubleValue,
                let y = list[1].doubleValue
            else {
                return nil
            }
            return (x, y)
        }

        private func place(_ value: PropertyValue?) -> Coordinate? {
            guard let pair = Self.pair(value) else { return nil }
            guard let scale else { return Coordinate(x: pair.x, y: pair.y) }
            return Coordinate(x: pair.x * scale.x + offset.x, y: pair.y * scale.y + offset.y)
        }

        private mutating func take(_ count: Int) throws(FeatureFileError) {
            left -= count
            guard left >= 0 else {
                throw FeatureFileError(.limitExceeded, in: "TopoJSON", "too many coordinates in its arcs")
            }
        }

        /// Adds the coordinates of consecutive arcs.
        ///
        /// The first position of each equals the last one of the previous arc.
        private mutating func add(_ numbers: PropertyValue?, to builder: inout GeometryBuilder) throws(FeatureFileError)
        {
            var isFirst = true
            for number in numbers?.arrayValue ?? [] {
                guard case .integer(let number) = number, arcs.indices.contains(number < 0 ? ~number : number) else {
                    continue
                }
                let arc = arcs[number < 0 ? ~number : number]
                try take(arc.count)
                let places = number < 0 ? arc.reversed() : arc
                for place in isFirst ? places[...] : places.dropFirst() { builder.add(place) }
                isFirst = false
            }
        }

        mutating func geometry(
            _ members: Properties, depth: Int, limits: FeatureLimits
        ) throws(FeatureFileError) -> Geometry? {
            var builder = GeometryBuilder()
            let arcs = members["arcs"]
            switch members["type"]?.stringValue {
            case "Point": return place(members["coordinates"]).map { .point($0) }
            case "MultiPoint":
                for value in members["coordinates"]?.arrayValue ?? [] {
                    if let place = place(value) { builder.add(place) }
                }
                try take(builder.count)
                return builder.count > 0 ? builder.geometry(.multiPoint) : nil
            case "LineString":
                try add(arcs, to: &builder)
                return builder.count > 1 ? builder.geometry(.lineString) : nil
            case "MultiLineString":
                for line in arcs?.arrayValue ?? [] {
                    try add(line, to: &builder)
                    builder.endLine()
                }
                return builder.count > 1 ? builder.geometry(.multiLineString) : nil
            case "Polygon":
                for ring in arcs?.arrayValue ?? [] {
                    try add(ring, to: &builder)
                    builder.endRing()
                }
                return builder.count > 2 ? builder.geometry(.polygon) : nil
            case "MultiPolygon":
                for polygon in arcs?.arrayValue ?? [] {
                    for ring in polygon.arrayValue ?? [] {
                        try add(ring, to: &builder)
                        builder.endRing()
                    }
                    builder.endPolygon()
                }
                return builder.count > 2 ? builder.geometry(.multiPolygon) : nil
            case "GeometryCollection":
                guard depth < limits.maximumDepth else { return nil }
                var children: [Geometry] = []
                for child in members["geometries"]?.arrayValue ?? [] {
                    guard let child = child.objectValue,
                        let shape = try geometry(child, depth: depth + 1, limits: limits)
                    else { continue }
                    children.append(shape)
                }
                return children.isEmpty ? nil : .collection(children)
            default: return nil
            }
        }
    }
}
