import PortolanFeatures
import PortolanGeo

/// The nodes, ways and relations of OpenStreetMap data, and the features they form.
struct OSMElements {
    /// A node or a way, or a relation with its members.
    struct Element {
        enum Kind: String {
            case node, way, relation
        }

        var kind: Kind
        var id: Int
        var tags: Properties = [:]
        var place: Coordinate?
        /// The nodes of a way.
        var nodes: [Int] = []
        /// The coordinates of a way, if they are included.
        var places: [Coordinate?] = []
        var members: [Member] = []
    }

    struct Member {
        var kind: Element.Kind?
        var id: Int
        var role: String
        var places: [Coordinate?] = []
    }

    private(set) var elements: [Element] = []
    private var nodes: [Int: Coordinate] = [:]
    private var ways: [Int: Int] = [:]
    private(set) var referenceCount = 0

    mutating func add(_ element: Element) {
        if element.kind == .node, let place = element.place { nodes[element.id] = place }
        if element.kind == .way { ways[element.id] = elements.count }
        referenceCount +=
            element.nodes.count + element.places.count + element.members.reduce(1) { $0 + 1 + $1.places.count }
        elements.append(element)
    }

    /// Calls `body` for each feature: nodes with tags, ways, and relations that are areas or routes.
    ///
    /// Nodes and ways without tags are skipped if they belong to others.
    func forEachFeature(
        _ body: (Feature, _ isIncomplete: Bool) throws(FeatureFileError) -> Void
    ) throws(FeatureFileError) {
        var used = Set<Int>(), usedWays = Set<Int>()
        for element in elements {
            if element.kind == .way { used.formUnion(element.nodes) }
            if element.kind == .relation, isArea(element) {
                for member in element.members where member.kind == .way { usedWays.insert(member.id) }
            }
        }
        for element in elements {
            let hasTags = element.tags.contains { !["created_by", "source"].contains($0.name) }
            var shape: Geometry?, isIncomplete = false
            switch element.kind {
            case .node:
                guard hasTags || !used.contains(element.id) else { continue }
                shape = element.place.map { .point($0) }
            case .way:
                guard hasTags || !usedWays.contains(element.id) else { continue }
                let (places, isWhole) = places(of: element)
                isIncomplete = !isWhole
                if places.count > 3, places.first == places.last, Self.isArea(element.tags) {
                    shape = .polygon([places])
                } else if places.count > 1 {
                    shape = .lineString(places)
                } else {
                    shape = element.place.map { .point($0) }
                }
            case .relation:
                let (lines, isWhole) = lines(of: element)
                isIncomplete = !isWhole
                if isArea(element) {
                    shape = area(lines)
                } else if !lines.isEmpty {
                    var builder = GeometryBuilder()
                    for line in lines {
                        for place in line.places { builder.add(place) }
                        builder.endLine()
                    }
                    shape = builder.geometry(.multiLineString)
                } else {
                    shape = element.place.map { .point($0) }
                }
                // A relation that only groups others has no geometry.
                guard shape != nil || isArea(element) else { continue }
            }
            try body(
                Feature(
                    id: .string("\(element.kind.rawValue)/\(element.id)"), geometry: shape, properties: element.tags),
                isIncomplete || shape == nil)
        }
    }

    private func isArea(_ relation: Element) -> Bool {
        ["multipolygon", "boundary"].contains(relation.tags["type"]?.stringValue)
    }

    private func places(of way: Element) -> (places: [Coordinate], isWhole: Bool) {
        let all = way.places.isEmpty ? way.nodes.map { nodes[$0] } : way.places
        let known = all.compactMap(\.self)
        return (known, known.count == all.count)
    }

    private func lines(of relation: Element) -> (lines: [(places: [Coordinate], isInner: Bool)], isWhole: Bool) {
        var lines: [(places: [Coordinate], isInner: Bool)] = [], isWhole = true
        for member in relation.members where member.kind == .way {
            var places = member.places.compactMap(\.self)
            if places.isEmpty, let number = ways[member.id] { places = self.places(of: elements[number]).places }
            guard places.count > 1 else {
                isWhole = false
                continue
            }
            lines.append((places, member.role == "inner"))
        }
        return (lines, isWhole)
    }

    /// Returns the area of lines that together form rings.
    private func area(_ lines: [(places: [Coordinate], isInner: Bool)]) -> Geometry? {
        var builder = GeometryBuilder()
        for isInner in [false, true] {
            for ring in Self.rings(lines.filter { $0.isInner == isInner }.map { $0.places }) {
                // Outer rings are clockwise, holes counterclockwise.
                let sum = zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }
                for place in (sum > 0) == isInner ? ring : ring.reversed() { builder.add(place) }
                builder.endRing()
            }
        }
        return builder.count > 3 ? RingArrangement.polygons(of: builder.geometry(.multiLineString)) : nil
    }

    /// Joins lines at their ends to closed rings; open ones are omitted.
    private static func rings(_ lines: [[Coordinate]]) -> [[Coordinate]] {
        var rings: [[Coordinate]] = [], ends: [Coordinate: [Int]] = [:],
            isUsed = [Bool](repeating: false, count: lines.count)
        for (number, line) in lines.enumerated() {
            for end in [line[0], line[line.count - 1]] { ends[end, default: []].append(number) }
        }
        for start in lines.indices where !isUsed[start] {
            isUsed[start] = true
            var ring = lines[start]
            while ring.first != ring.last, let last = ring.last {
                // Used lines are removed.
                while let number = ends[last]?.last, isUsed[number] { ends[last]?.removeLast() }
                guard let next = ends[last]?.last else { break }
                isUsed[next] = true
                let places = lines[next].first == last ? lines[next] : lines[next].reversed()
                ring += places.dropFirst()
            }
            if ring.count > 3, ring.first == ring.last { rings.append(ring) }
        }
        return rings
    }

    /// Returns whether the tags of a closed way mean an area, as in osmtogeojson and the wiki page *Area*.
    private static func isArea(_ tags: Properties) -> Bool {
        if tags["area"] == "no" { return false }
        return tags.contains { tag in
            let value = tag.value.stringValue ?? ""
            if value == "no" { return false }
            if let some = onlySome[tag.name] { return some.contains(value) }
            if let others = allBut[tag.name] { return !others.contains(value) }
            return always.contains(tag.name)
        }
    }

    private static let always: Set<String> = [
        "area", "building", "building:part", "landuse", "leisure", "amenity", "boundary", "place", "shop", "tourism",
        "historic", "public_transport", "office", "military", "ruins", "area:highway", "craft", "golf", "indoor",
    ]
    private static let onlySome: [String: Set<String>] = [
        "highway": ["services", "rest_area", "escape", "elevator"],
        "waterway": ["riverbank", "dock", "boatyard", "dam"],
        "barrier": ["city_wall", "ditch", "hedge", "retaining_wall", "wall", "spikes"],
        "railway": ["station", "turntable", "roundhouse", "platform"],
        "power": ["plant", "substation", "generator", "transformer"],
    ]
    private static let allBut: [String: Set<String>] = [
        "natural": ["coastline", "cliff", "ridge", "arete", "tree_row"], "aeroway": ["taxiway"],
        "man_made": ["cutline", "embankment", "pipeline"],
    ]
}
