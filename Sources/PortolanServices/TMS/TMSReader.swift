import PortolanGeo
import PortolanWeb
package import PortolanXML

/// Reads Tile Map Service documents.
package enum TMSReader {
    private static let levelLimit = 100

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: the document, at most 64 MiB.
    ///   - contentType: the declared type, for error messages only.
    /// - Complexity: linear in the length of the document.
    package static func read(_ bytes: [UInt8], contentType: String? = nil) throws(CapabilitiesError) -> TMSDocument {
        try read(bytes, contentType: contentType, limits: XMLLimits())
    }

    /// Reads a document within limits.
    package static func read(
        _ bytes: [UInt8], contentType: String? = nil, limits: XMLLimits
    ) throws(CapabilitiesError) -> TMSDocument {
        let tree = try ServiceDocument.tree(of: bytes, contentType: contentType, limits: limits)
        var notes = ReaderNotes(tree.warnings)
        let root = tree.root
        switch root.name.lowercased() {
        case "services": return .services(references(root.children("TileMapService"), &notes))
        case "tilemapservice":
            let maps = root.children("TileMaps").flatMap { $0.children("TileMap") }
            let references = references(maps, &notes)
            return .service(
                TMSService(
                    version: root.attribute("version") ?? "", title: root.text(of: "Title") ?? "",
                    abstract: root.text(of: "Abstract"), maps: references, warnings: notes.warnings))
        case "tilemap": return .map(try map(root, &notes))
        default: throw ServiceDocument.other(root)
        }
    }

    private static func references(_ elements: [XMLElement], _ notes: inout ReaderNotes) -> [TMSReference] {
        elements.compactMap { element in
            guard let href = element.attribute("href")?.trimmingSpace(), !href.isEmpty else {
                notes.add(line: element.line, "missing URL")
                return nil
            }
            return TMSReference(
                title: element.attribute("title") ?? href, href: href, crsName: element.attribute("srs") ?? "",
                profile: element.attribute("profile") ?? "")
        }
    }

    private static func map(_ root: XMLElement, _ notes: inout ReaderNotes) throws(CapabilitiesError) -> TMSTileMap {
        guard let crsName = root.text(of: "SRS") else { throw .otherDocument("a tile map without an SRS") }
        let format = root.child("TileFormat")
        func size(_ name: String) -> Int {
            let size = format?.attribute(name).flatMap { Int($0.trimmingSpace()) } ?? 256
            return (1...(1 << 14)).contains(size) ? size : 256
        }
        // One service writes a second `TileMap` in place of `TileSets`.
        let lists = root.children("TileSets") + root.children("TileMap")
        let profile = lists.first?.attribute("profile")
        var extent = box(root.child("BoundingBox"))
        var corner = point(root.child("Origin"))
        if corner == nil { notes.add("no usable origin in the tile map; using the corner of its box") }
        let crs = try? CRS(crsName)
        if isGlobalMercator(profile, crsName) || crs?.isGeographic == true {
            // The origin is usually the corner of the box.
            let isAlike = corner == extent.map { Coordinate(x: $0.minX, y: $0.minY) }
            let isBoxTurned = extent.map { isNorthFirst([$0.minX, $0.maxX], [$0.minY, $0.maxY]) } ?? false
            let isOriginTurned = isAlike ? isBoxTurned : corner.map { isNorthFirst([$0.x], [$0.y]) } ?? false
            if isBoxTurned || isOriginTurned {
                notes.add(
                    effect: .repaired,
                    "box and origin have latitude first, as in older programs; swapped")
            }
            if isBoxTurned { extent = extent?.transposed }
            if isOriginTurned { corner = corner.map { Coordinate(x: $0.y, y: $0.x) } }
        }
        if let crs, let box = extent, isElsewhere(box, crs, corner) {
            notes.add("the bounding box is not in units of \(crsName); ignored")
            extent = nil
        }
        if isGlobalMercator(profile, crsName), let box = extent, let origin = corner, isInDegrees(box, origin),
            let world = CRS.webMercator.worldExtent,
            let transform = try? CoordinateTransform(from: .crs84, to: .webMercator)
        {
            notes.add("box and origin are in degrees, not in units of \(crsName); using the tiles of its profile")
            corner = Coordinate(x: world.minX, y: world.minY)
            extent = transform(box)
            // Some programs wrote latitude first in certain versions. The extent is enlarged to include both
            // interpretations.
            if let other = box.transposed, isInDegrees(other, Coordinate(x: other.minX, y: other.minY)),
                let both = transform(other).flatMap({ extent?.union($0) }), both != extent
            {
                notes.add("the axis order of the box is ambiguous; requesting the tiles of both")
                extent = both
            }
        }
        if let origin = corner, let world = Self.origin(ofProfile: profile, crs, crsName), world != origin,
            !isCorner(origin, of: crs), extent.map({ origin.y <= $0.minY + 0.75 * $0.height }) ?? true
        {
            notes.add(
                effect: .repaired,
                "the origin differs from that of the profile '\(profile ?? "")'; counting tiles from the corner of the world, like the "
                    + "profile")
            corner = world
        }
        guard let origin = corner ?? extent.map({ Coordinate(x: $0.minX, y: $0.minY) }) else {
            throw .otherDocument("a tile map with neither origin nor bounding box")
        }
        let sets = lists.flatMap { $0.children("TileSet") }
        if sets.count > levelLimit { notes.add("only \(levelLimit) of \(sets.count) tile sets are read") }
        let tileSets = sets.prefix(levelLimit).enumerated().compactMap { place, element -> TMSTileMap.TileSet? in
            guard let href = element.attribute("href")?.trimmingSpace(), !href.isEmpty,
                let resolution = number(element, "units-per-pixel").flatMap({ Resolution(unitsPerPixel: $0) })
            else {
                notes.add(line: element.line, "invalid tile set")
                return nil
            }
            let order = element.attribute("order").flatMap { Int($0.trimmingSpace()) } ?? place
            return TMSTileMap.TileSet(href: href, resolution: resolution, order: order)
        }
        guard !tileSets.isEmpty else { throw .otherDocument("a tile map without tile sets") }
        return TMSTileMap(
            version: root.attribute("version") ?? "", title: root.text(of: "Title") ?? "",
            abstract: root.text(of: "Abstract"), crsName: crsName, extent: extent, origin: origin,
            tileWidth: size("width"), tileHeight: size("height"),
            format: format?.attribute("mime-type") ?? "image/png",
            fileExtension: format?.attribute("extension")?.trimmingSpace() ?? "png",
            profile: profile, tileSets: tileSets,
            attribution: root.child("Attribution")?.text(of: "Title"), warnings: notes.warnings)
    }

    /// Returns whether numbers in degrees have latitude first: the second numbers cannot be latitudes.
    private static func isNorthFirst(_ first: [Double], _ second: [Double]) -> Bool {
        // Grids extend slightly beyond the poles.
        second.contains { abs($0) > 92 } && second.allSatisfy { abs($0) <= 180.001 }
            && first.allSatisfy { abs($0) <= 90.001 }
    }

    /// Returns the origin of the tiles of a global profile (Tile Map Service Specification), or `nil` for other
    /// profiles.
    private static func origin(ofProfile profile: String?, _ crs: CRS?, _ crsName: String) -> Coordinate? {
        let isGeodetic = ["geodetic", "global-geodetic"].contains(profile?.lowercased())
        guard isGlobalMercator(profile, crsName) || isGeodetic && crs?.isGeographic == true,
            let world = crs?.worldExtent
        else { return nil }
        return Coordinate(x: world.minX, y: world.minY)
    }

    /// Returns whether a point is the lower left or upper left corner of the world, apart from rounding.
    private static func isCorner(_ point: Coordinate, of crs: CRS?) -> Bool {
        guard let world = crs?.worldExtent else { return false }
        let slack = world.width / 1e6
        return abs(point.x - world.minX) <= slack
            && (abs(point.y - world.minY) <= slack || abs(point.y - world.maxY) <= slack)
    }

    /// Returns whether a box cannot be that of the tiles: some programs write degrees, latitude first, for any CRS.
    private static func isElsewhere(_ box: Extent, _ crs: CRS, _ origin: Coordinate?) -> Bool {
        guard !crs.isGeographic, let origin else { return false }
        let isInDegrees = max(abs(box.minX), abs(box.maxX)) <= 180 && max(abs(box.minY), abs(box.maxY)) <= 180
        return isInDegrees && max(abs(origin.x), abs(origin.y)) > 360
    }

    /// Returns whether the tiles are those of the whole world (Tile Map Service Specification, `global-mercator`).
    private static func isGlobalMercator(_ profile: String?, _ crsName: String) -> Bool {
        ["mercator", "global-mercator"].contains(profile?.lowercased()) && (try? CRS(crsName)) == .webMercator
    }

    private static func isInDegrees(_ box: Extent, _ origin: Coordinate) -> Bool {
        let sides = [box.minX, box.maxX, origin.x], ends = [box.minY, box.maxY, origin.y]
        return sides.allSatisfy { abs($0) <= 180.001 } && ends.allSatisfy { abs($0) <= 90 }
    }

    private static func box(_ element: XMLElement?) -> Extent? {
        guard let element, let minX = number(element, "minx"), let minY = number(element, "miny"),
            let maxX = number(element, "maxx"), let maxY = number(element, "maxy")
        else { return nil }
        return Extent(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
    }

    private static func point(_ element: XMLElement?) -> Coordinate? {
        guard let element, let x = number(element, "x"), let y = number(element, "y") else { return nil }
        return Coordinate(x: x, y: y)
    }

    private static func number(_ element: XMLElement, _ name: String) -> Double? {
        element.attribute(name, ignoringCase: true).flatMap { Double($0.trimmingSpace()) }
            .flatMap { $0.isFinite ? $0 : nil }
    }
}

extension Extent {
    /// The extent with exchanged axes.
    fileprivate var transposed: Extent? { Extent(minX: minY, minY: minX, maxX: maxY, maxY: maxX) }
}
