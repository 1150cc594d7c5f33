import PortolanGeo
package import PortolanXML

/// Reads the layers of a capabilities document, with inheritance.
package struct WMSLayerReader {
    let version: WMSCapabilities.Version
    var notes: ReaderNotes
    /// The names of ignored elements.
    var unknown: Set<String> = []
    private var names: Set<String> = []
    private var systems: [String: CRS?] = [:]
    /// The names of the CRSs of the current layer, including inherited ones.
    private var listed: Set<String> = []
    /// The total size of copied inherited lists, in units of sixteen bytes.
    private var copied = 0

    init(version: WMSCapabilities.Version, notes: ReaderNotes) {
        self.version = version
        self.notes = notes
    }

    /// Reads a layer and its descendants.
    mutating func layer(_ element: XMLElement, inside parent: WMSCapabilities.Layer?) -> WMSCapabilities.Layer {
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
            layer.attribution = WMSCapabilities.Attribution(
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

    /// The maximum depth of layers.
    ///
    /// Each level takes stack space, and real documents have few levels.
    private static let maximumDepth = 24
    private var depth = 0
    private var notesCopies = false

    private static let empty = WMSCapabilities.Layer(
        name: nil, title: "", abstract: nil, keywords: [], crsNames: [], geographicBox: nil, boundingBoxes: [],
        styles: [], dimensions: [], attribution: nil, references: WMSCapabilities.References(),
        minScaleDenominator: nil,
        maxScaleDenominator: nil,
        scaleHint: nil, isQueryable: false, isOpaque: false, cascaded: 0, hasNoSubsets: false, fixedWidth: nil,
        fixedHeight: nil, children: [])

    static func keywords(of element: XMLElement) -> [String] {
        if let list = element.child("KeywordList") {
            return list.children("Keyword").map(\.text).filter { !$0.isEmpty }
        }
        return element.text(of: "Keywords")?.words ?? []
    }

    /// Returns the URL in an element's `OnlineResource`, from an attribute or the text.
    static func link(of element: XMLElement) -> String? {
        guard let resource = element.child("OnlineResource") else { return nil }
        let address = resource.attribute("href") ?? resource.text
        return address.isEmpty ? nil : address.trimmingSpace()
    }

    /// Returns the CRS with a name.
    ///
    /// Names are repeated thousands of times, so each is looked up once.
    private mutating func system(_ name: String) -> CRS? {
        if let known = systems[name] { return known }
        let crs = try? CRS(name)
        systems[name] = .some(crs)
        return crs
    }

    private mutating func addSystems(of element: XMLElement, to layer: inout WMSCapabilities.Layer) {
        let own = element.children.filter { ["SRS", "CRS"].contains($0.name.uppercased()) }.flatMap { $0.text.words }
        var seen: Set<String> = []
        let new = own.filter { !listed.contains($0) && seen.insert($0).inserted }
        guard !new.isEmpty else { return }
        extend(&layer.crsNames, weight: 1, line: element.line)
        layer.crsNames += new
        if element.child("Layer") != nil { listed.formUnion(new) }
    }

    /// A limit of about a hundred million bytes.
    private static let copyLimit = 6_000_000

    /// Prepares an inherited list for additions by a layer, which copies the list.
    ///
    /// Thousands of layers with additions to long lists would need unlimited memory. Beyond a limit, a layer with
    /// additions to a list no longer inherits it.
    ///
    /// - Parameter weight: the size of an entry in units of sixteen bytes.
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

    /// Returns the valid ones of west, south, east and north of an element's own geographic box; `nil` without a box.
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

    private mutating func addBoundingBoxes(of element: XMLElement, to layer: inout WMSCapabilities.Layer) {
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
            let entry = WMSCapabilities.Box(
                crsName: name, crs: crs, box: box, isFlipped: isFlipped, resolutionX: resolution("resx"),
                resolutionY: resolution("resy"))
            let isFirst = own.insert(name).inserted
            if let index = places[name] {
                let other = layer.boundingBoxes[index]
                layer.boundingBoxes[index] = entry
                guard !isFirst, other.box != entry.box else { continue }
                // Two boxes of a layer are two areas. The union requests too much rather than too little.
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

    /// Returns the first index of each name in a list.
    func places(of names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// Returns the box of four numbers.
    ///
    /// They are swapped, against the standard, if only then the box matches the geographic box.
    private mutating func box(
        _ sides: [Double], _ crs: CRS?, _ geographic: BoundingBox?, line: Int
    ) -> (box: BoundingBox, isFlipped: Bool)? {
        func read(_ order: WMSOptions.AxisOrderPolicy) -> BoundingBox? {
            BoundingBoxWriter.box(
                sides[0], sides[1], sides[2], sides[3], crs: crs, version: version, axisOrder: order)
        }
        let standard = read(.auto)
        // In practice only boxes of CRSs with north first are wrong; for others the check has false positives at their
        // limits.
        guard version >= .v1_3_0, let crs, crs.axisOrder == .northEast, let geographic = geographic?.extent,
            let transform = try? CoordinateTransform(from: .crs84, to: crs), let place = transform(geographic),
            let swapped = read(.xy)
        else { return standard.map { ($0, false) } }
        if let standard, Self.fits(standard, in: place) || !Self.fits(swapped, in: place) { return (standard, false) }
        notes.add(line: line, "the bounding box in \(crs) has its axes swapped")
        return (swapped, true)
    }

    /// Returns whether most of `box` is in `place`.
    ///
    /// For the whole world with swapped axes it is one half.
    private static func fits(_ box: BoundingBox, in place: Extent) -> Bool {
        guard let extent = box.extent else { return box.touches(place) }
        guard let common = extent.intersection(place) else { return false }
        return common.width * common.height > 0.6 * extent.width * extent.height
    }
}

extension WMSCapabilities.Layer {
    /// The layer whose values its children inherit.
    fileprivate var childless: WMSCapabilities.Layer {
        var copy = self
        copy.children = []
        return copy
    }
}

extension WMSLayerReader {
    /// Reads the links of a layer.
    ///
    /// Only authorities are inherited (OGC 06-042 table 7).
    func readReferences(of element: XMLElement, into layer: inout WMSCapabilities.Layer) {
        var references = WMSCapabilities.References()
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

    /// Returns the links in the elements with a name.
    static func links(in element: XMLElement, _ name: String) -> [WMSCapabilities.Link] {
        element.children(name).compactMap { child in
            link(of: child).map {
                WMSCapabilities.Link(url: $0, format: child.text(of: "Format"), type: child.attribute("type"))
            }
        }
    }

    /// Records the non-standard elements of a layer, each name once per document.
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
