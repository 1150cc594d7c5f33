import PortolanGeo
package import PortolanXML

/// Reads the layers of a capabilities document and hands down what they inherit.
package struct WMSLayerReader {
    let version: WMSVersion
    var notes: ReaderNotes
    /// The names of elements that were passed over.
    var unknown: Set<String> = []
    private var names: Set<String> = []
    private var systems: [String: CRS?] = [:]
    /// The names of systems that the layer being read has, its own and what it inherits.
    private var listed: Set<String> = []
    /// What copies of inherited lists have cost so far, in sixteen bytes.
    private var copied = 0

    init(version: WMSVersion, notes: ReaderNotes) {
        self.version = version
        self.notes = notes
    }

    /// Reads a layer and those inside it.
    mutating func layer(_ element: XMLElement, inside parent: WMSLayer?) -> WMSLayer {
        var layer = parent ?? Self.empty
        layer.children = []
        layer.name = element.text(of: "Name")
        layer.title = element.text(of: "Title") ?? layer.name ?? ""
        layer.abstract = element.text(of: "Abstract")
        layer.keywords = Self.keywords(of: element)
        if let name = layer.name, !names.insert(name).inserted {
            notes.add(line: element.line, "duplicate layer name '\(name)'")
        }
        let outerSystems = listed
        defer { listed = outerSystems }
        addSystems(of: element, to: &layer)
        if let box = geographicBox(of: element) { layer.geographicBox = box }
        addBoundingBoxes(of: element, to: &layer)
        addStyles(of: element, to: &layer)
        addDimensions(of: element, to: &layer)
        if let attribution = element.child("Attribution") {
            layer.attribution = WMSAttribution(
                title: attribution.text(of: "Title"), url: Self.link(of: attribution),
                logo: attribution.child("LogoURL").flatMap(Self.picture))
        }
        readReferences(of: element, into: &layer)
        noteUnknown(in: element)
        readScales(of: element, into: &layer)
        readFlags(of: element, into: &layer)
        let children = element.children("Layer")
        guard depth < Self.maximumDepth else {
            if !children.isEmpty {
                notes.add(line: element.line, "layers nested deeper than \(Self.maximumDepth) are left out")
            }
            return layer
        }
        depth += 1
        defer { depth -= 1 }
        for child in children { layer.children.append(self.layer(child, inside: layer.childless)) }
        return layer
    }

    /// Layers within layers that are read: each takes room on the stack, and real documents have a handful.
    private static let maximumDepth = 24
    private var depth = 0
    private var notesCopies = false

    private static let empty = WMSLayer(
        name: nil, title: "", abstract: nil, keywords: [], crsNames: [], geographicBox: nil, boundingBoxes: [],
        styles: [], dimensions: [], attribution: nil, references: WMSLayerReferences(), minScaleDenominator: nil,
        maxScaleDenominator: nil,
        scaleHint: nil, isQueryable: false, isOpaque: false, cascaded: 0, hasNoSubsets: false, fixedWidth: nil,
        fixedHeight: nil, children: [])

    static func keywords(of element: XMLElement) -> [String] {
        if let list = element.child("KeywordList") {
            return list.children("Keyword").map(\.text).filter { !$0.isEmpty }
        }
        return element.text(of: "Keywords")?.words ?? []
    }

    /// The address in an element's `OnlineResource`, as attribute or as text.
    static func link(of element: XMLElement) -> String? {
        guard let resource = element.child("OnlineResource") else { return nil }
        let address = resource.attribute("href") ?? resource.text
        return address.isEmpty ? nil : address.trimmingSpace()
    }

    /// The system with a name; names repeat by the thousand, so each is looked up once.
    private mutating func system(_ name: String) -> CRS? {
        if let known = systems[name] { return known }
        let crs = try? CRS(name)
        systems[name] = .some(crs)
        return crs
    }

    private mutating func addSystems(of element: XMLElement, to layer: inout WMSLayer) {
        let own = element.children.filter { ["SRS", "CRS"].contains($0.name.uppercased()) }.flatMap { $0.text.words }
        var seen: Set<String> = []
        let new = own.filter { !listed.contains($0) && seen.insert($0).inserted }
        guard !new.isEmpty else { return }
        extend(&layer.crsNames, weight: 1, line: element.line)
        layer.crsNames += new
        if element.child("Layer") != nil { listed.formUnion(new) }
    }

    /// Sixteen bytes a hundred million bytes.
    private static let copyLimit = 6_000_000

    /// Makes room in a list that a layer has inherited and adds to, which gives it a copy of its own.
    ///
    /// Thousands of layers that each add a little to long lists would take room without bound: beyond a limit a layer inherits
    /// no more of a list that it adds to.
    ///
    /// - Parameter weight: the size of an entry, in sixteen bytes.
    mutating func extend<Entry>(_ list: inout [Entry], weight: Int, line: Int) {
        copied += list.count * weight
        guard copied > Self.copyLimit, !list.isEmpty else { return }
        if !notesCopies {
            notes.add(line: line, "too many inherited properties; from here on, layers have only their own")
        }
        notesCopies = true
        list = []
    }

    private mutating func geographicBox(of element: XMLElement) -> BoundingBox? {
        guard let sides = Self.geographicSides(of: element), sides.count == 4 else { return nil }
        if let box = ServiceNumber.degrees(west: sides[0], south: sides[1], east: sides[2], north: sides[3]) {
            return box
        }
        notes.add(
            line: element.line,
            "the geographic box \(sides.map { "\($0)" }.joined(separator: ",")) is not in "
                + "degrees, longitude first; ignored")
        return nil
    }

    /// West, south, east and north of an element's own geographic box, fewer where some are none; `nil` without a box.
    package static func geographicSides(of element: XMLElement) -> [Double]? {
        if let box = element.child("EX_GeographicBoundingBox") {
            return [
                "westBoundLongitude", "southBoundLatitude", "eastBoundLongitude", "northBoundLatitude",
            ].compactMap { ServiceNumber.decimal(box.text(of: $0)) }
        }
        return element.child("LatLonBoundingBox").map { box in
            ServiceNumber.sides { box.attribute($0, ignoringCase: true) }
        }
    }

    private mutating func addBoundingBoxes(of element: XMLElement, to layer: inout WMSLayer) {
        let children = element.children("BoundingBox")
        guard !children.isEmpty else { return }
        extend(&layer.boundingBoxes, weight: 8, line: element.line)
        var places = places(of: layer.boundingBoxes.map(\.crsName)), own: Set<String> = []
        for child in children {
            let name =
                (child.attribute("CRS", ignoringCase: true) ?? child.attribute("SRS", ignoringCase: true) ?? "")
                .trimmingSpace()
            let sides = ServiceNumber.sides { child.attribute($0, ignoringCase: true) }
            let crs = system(name)
            guard sides.count == 4, let (box, isFlipped) = box(sides, crs, layer.geographicBox, line: child.line) else {
                notes.add(line: child.line, "invalid bounding box in '\(name)'")
                continue
            }
            func resolution(_ attribute: String) -> Double? {
                ServiceNumber.decimal(child.attribute(attribute, ignoringCase: true))
            }
            let entry = WMSBoundingBox(
                crsName: name, crs: crs, box: box, isFlipped: isFlipped, resolutionX: resolution("resx"),
                resolutionY: resolution("resy"))
            let isFirst = own.insert(name).inserted
            if let index = places[name] {
                let other = layer.boundingBoxes[index]
                layer.boundingBoxes[index] = entry
                guard !isFirst, other.box != entry.box else { continue }
                // Two boxes of a layer are two areas; more is asked for than is there rather than less.
                layer.boundingBoxes[index].box = entry.box.union(other.box)
                notes.add(
                    line: child.line,
                    "several bounding boxes in '\(name)'; using their union")
            } else {
                places[name] = layer.boundingBoxes.count
                layer.boundingBoxes.append(entry)
            }
        }
    }

    /// The first places of names in a list.
    func places(of names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// The box that four numbers mean; they are swapped against the standard when only so they fit the geographic box.
    private mutating func box(
        _ sides: [Double], _ crs: CRS?, _ geographic: BoundingBox?, line: Int
    ) -> (box: BoundingBox, isFlipped: Bool)? {
        func read(_ order: AxisOrderPolicy) -> BoundingBox? {
            BoundingBoxWriter.box(
                sides[0], sides[1], sides[2], sides[3], crs: crs, version: version, axisOrder: order)
        }
        let standard = read(.auto)
        // Only systems with north first are written wrongly in practice; others give false alarms at their fringes.
        guard version >= .v1_3_0, let crs, crs.axisOrder == .northEast, let geographic = geographic?.extent,
            let transform = try? CoordinateTransform(from: .crs84, to: crs), let place = transform(geographic),
            let swapped = read(.xy)
        else { return standard.map { ($0, false) } }
        if let standard, Self.fits(standard, in: place) || !Self.fits(swapped, in: place) { return (standard, false) }
        notes.add(line: line, "the bounding box in \(crs) has its axes swapped")
        return (swapped, true)
    }

    /// Whether most of `box` lies in `place`; of a whole world with its axes swapped it is one half.
    private static func fits(_ box: BoundingBox, in place: Extent) -> Bool {
        guard let extent = box.extent else { return box.touches(place) }
        guard let common = extent.intersection(place) else { return false }
        return common.width * common.height > 0.6 * extent.width * extent.height
    }
}

extension WMSLayer {
    /// The layer whose values the layers inside inherit.
    fileprivate var childless: WMSLayer {
        var copy = self
        copy.children = []
        return copy
    }
}

extension WMSLayerReader {
    /// Reads where there is more about a layer; of what is inherited only the authorities stay (OGC 06-042 table 7).
    func readReferences(of element: XMLElement, into layer: inout WMSLayer) {
        var references = WMSLayerReferences()
        references.authorities = layer.references.authorities
        for child in element.children("AuthorityURL") {
            guard let name = child.attribute("name"), let url = Self.link(of: child) else { continue }
            references.authorities[name] = url
        }
        references.metadata = Self.links(in: element, "MetadataURL")
        references.data = Self.links(in: element, "DataURL")
        references.featureLists = Self.links(in: element, "FeatureListURL")
        references.identifiers = element.children("Identifier").compactMap { child in
            child.attribute("authority").map { .init(authority: $0, value: child.text) }
        }
        layer.references = references
    }

    /// The addresses in the elements of a name.
    static func links(in element: XMLElement, _ name: String) -> [WMSLink] {
        element.children(name).compactMap { child in
            link(of: child).map {
                WMSLink(url: $0, format: child.text(of: "Format"), type: child.attribute("type"))
            }
        }
    }

    /// Notes the elements of a layer that no version of the standard has, each name once in a document.
    mutating func noteUnknown(in element: XMLElement) {
        for child in element.children where !Self.known.contains(child.name) && unknown.insert(child.name).inserted {
            let isRead = Self.known.contains { $0.lowercased() == child.name.lowercased() }
            notes.add(
                line: child.line,
                "unknown element <\(child.name)> in a layer; "
                    + (isRead ? "read as the element with different case" : "skipped"))
        }
    }

    private static let known: Set<String> = [
        "Name", "Title", "Abstract", "KeywordList", "Keywords", "SRS", "CRS", "EX_GeographicBoundingBox",
        "LatLonBoundingBox", "BoundingBox", "Dimension", "Extent", "Attribution", "AuthorityURL", "Identifier",
        "MetadataURL", "DataURL", "FeatureListURL", "Style", "MinScaleDenominator", "MaxScaleDenominator", "ScaleHint",
        "Layer",
    ]
}
