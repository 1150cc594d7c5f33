package import Portolan
import PortolanServices

extension ViewRequest {
    /// The view that the options ask for.
    ///
    /// - Parameters:
    ///   - layers: those to fit, where that is asked for or nothing is.
    package func viewport(for layers: [MapLayer]) throws(CommandFailure) -> Viewport {
        try checkCombination()
        if let bbox { return try viewport(ofBox: bbox) }
        if let center { return try viewport(around: center) }
        return try viewport(fitting: layers)
    }

    /// Finds what is wrong with the options themselves, before any service is asked.
    package func check() throws(CommandFailure) {
        try checkCombination()
        if let bbox {
            _ = try viewport(ofBox: bbox)
        } else if let center {
            _ = try viewport(around: center)
        } else if let world = Extent(minX: 0, minY: 0, maxX: 1, maxY: 1) {
            // What is to be fitted is not known yet; size, rotation and padding are.
            _ = try viewport(fitting: BoundingBox(world))
        }
    }

    /// Finds what is wrong with the values, whatever other options may be joined to them.
    package func checkAlone() throws(CommandFailure) {
        _ = try mapCRS()
        _ = try imageSize()
        if bbox != nil || isFitting || center != nil && (zoom != nil || resolution != nil || scale != nil) {
            try check()
        }
    }

    private func checkCombination() throws(CommandFailure) {
        if isExact { throw .notSupportedYet("\(mark)exact-bbox") }
        guard [bbox != nil, center != nil, isFitting].filter({ $0 }).count <= 1 else {
            throw CommandFailure(.usage, "give only one of \(mark)bbox, \(mark)center and \(mark)fit")
        }
        if bboxCRS != nil, bbox == nil {
            throw CommandFailure(.usage, "\(mark)bbox-crs goes with \(mark)bbox; give that too")
        }
        if center == nil, zoom != nil || resolution != nil || scale != nil {
            throw CommandFailure(
                .usage, "\(mark)zoom, \(mark)resolution and \(mark)scale go with \(mark)center; give that too")
        }
        if let padding, !(padding >= 0 && padding.isFinite) {
            throw CommandFailure(.usage, "\(mark)padding \(padding) is not a number of pixels, zero or more")
        }
        if let maxZoom, try Resolution(zoom: maxZoom, in: mapCRS()) == nil {
            throw CommandFailure(.usage, "\(mark)max-zoom \(maxZoom) is not between -30 and 60")
        }
    }

    private func viewport(ofBox text: String) throws(CommandFailure) -> Viewport {
        let crs = try mapCRS(), form = "MINX,MINY,MAXX,MAXY"
        let numbers = try Self.numbers(text, count: 4, option: "\(mark)bbox", form: form)
        guard let box = Extent(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3]) else {
            throw CommandFailure(
                .usage, "\(mark)bbox \(text) is empty or in the wrong order; write it \(form), east first")
        }
        let boxCRS =
            try bboxCRS.map { name throws(CommandFailure) in try Self.crs(name, option: "\(mark)bbox-crs") } ?? crs
        guard let extent: Extent = try transform(from: boxCRS, to: crs)(box) else {
            throw CommandFailure(
                .usage,
                "\(mark)bbox \(text) (\(boxCRS)) lies outside what \(crs) can show; is it in another \(mark)bbox-crs?")
        }
        let size = try imageSize()
        return try Self.saying { () throws(ViewportError) in
            try .showing(extent, rotation: rotation ?? 0, size: size, pixelRatio: pixelRatio ?? 1, crs: crs)
        }
    }

    private func viewport(around text: String) throws(CommandFailure) -> Viewport {
        let crs = try mapCRS()
        let numbers = try Self.numbers(text, count: 2, option: "\(mark)center", form: "LON,LAT")
        let position = Coordinate(longitude: numbers[0], latitude: numbers[1])
        guard abs(position.x) <= 360, abs(position.y) <= 90,
            let center = try transform(from: .crs84, to: crs)(position)
        else {
            throw CommandFailure(
                .usage,
                "\(mark)center \(text) lies outside what \(crs) can show; give degrees, longitude first: LON,LAT")
        }
        let resolution = try resolution(in: crs), size = try imageSize()
        return try Self.saying { () throws(ViewportError) in
            try Viewport(
                center: center, resolution: resolution, rotation: rotation ?? 0, size: size,
                pixelRatio: pixelRatio ?? 1, crs: crs)
        }
    }

    private func resolution(in crs: CRS) throws(CommandFailure) -> Resolution {
        guard [zoom != nil, resolution != nil, scale != nil].filter({ $0 }).count == 1 else {
            throw CommandFailure(
                .usage, "with \(mark)center give exactly one of \(mark)zoom, \(mark)resolution and \(mark)scale")
        }
        if let zoom {
            guard let found = Resolution(zoom: zoom, in: crs) else {
                throw CommandFailure(.usage, "\(mark)zoom \(zoom) is not between -30 and 60")
            }
            return found
        }
        if let resolution {
            guard let found = Resolution(unitsPerPixel: resolution) else {
                throw CommandFailure(.usage, "\(mark)resolution \(resolution) is not a number more than zero")
            }
            return found
        }
        let text = scale ?? ""
        let digits = text.hasPrefix("1:") ? text.dropFirst(2) : text[...]
        guard let denominator = Double(digits), let found = Resolution(scaleDenominator: denominator, in: crs) else {
            throw CommandFailure(.usage, "\(mark)scale \(text) is not of the form 1:N, as in 1:25000")
        }
        return found
    }

    private func viewport(fitting layers: [MapLayer]) throws(CommandFailure) -> Viewport {
        let crs = try mapCRS()
        var sources: [FeatureSource] = []
        var hasFeatures = false
        var misplaced: String?
        for layer in layers {
            guard let source = layer.features else { continue }
            hasFeatures = true
            if let own = source.boundingBox, !source.crs.admits(own) {
                misplaced = misplaced ?? layer.name
                continue
            }
            sources.append(source)
        }
        let box = try Self.saying { [sources] () throws(CRSError) in
            try FeatureSource.boundingBox(of: sources, in: crs)
        }
        if let box { return try viewport(fitting: crs.visiblePart(of: box)) }
        if let misplaced { throw CommandFailure(.badData, "layer '\(misplaced)': \(LayerKind.notDegrees)") }
        if let bounds = Self.bounds(of: layers, in: crs) {
            return try viewport(fitting: crs.visiblePart(of: bounds), isOfFeatures: false)
        }
        let advice = "say what to show with \(mark)bbox, or \(mark)center and \(mark)zoom"
        guard isFitting || hasFeatures else {
            throw CommandFailure(
                .usage, advice + "; only features, tile archives and services that state an extent can be fitted")
        }
        throw CommandFailure(
            hasFeatures ? .badData : .usage,
            (hasFeatures
                ? "the layers have no features to fit; " : "\(mark)fit needs a layer with features or bounds; ")
                + advice)
    }

    /// Where layers without features have something to show; those of the whole world count only where all are.
    private static func bounds(of layers: [MapLayer], in crs: CRS) -> BoundingBox? {
        let boxes = layers.compactMap { $0.bounds?.extent(in: crs) }
        let parts = boxes.filter { box in crs.worldWidth.map { box.width < $0 * 0.95 } ?? true }
        let chosen = (parts.isEmpty ? boxes : parts).map { BoundingBox($0) }
        return chosen.first.map { chosen.reduce($0) { $0.union($1) } }
    }

    /// - Parameter isOfFeatures: whether symbols may reach beyond the box, and one point may be all of it.
    private func viewport(fitting box: BoundingBox, isOfFeatures: Bool = true) throws(CommandFailure) -> Viewport {
        let crs = try mapCRS(), size = try imageSize()
        // Of a small picture something must remain.
        let usual = isOfFeatures ? Double(min(40, min(size.width, size.height) / 4)) : 0
        let finest = isOfFeatures ? maxZoom ?? 17 : maxZoom
        return try Self.saying { () throws(ViewportError) in
            try .fitting(
                box, padding: padding ?? usual, foot: foot,
                finestResolution: finest.flatMap { Resolution(zoom: $0, in: crs) },
                rotation: rotation ?? 0, size: size, pixelRatio: pixelRatio ?? 1, crs: crs)
        }
    }

    private func transform(from source: CRS, to target: CRS) throws(CommandFailure) -> CoordinateTransform {
        do { return try CoordinateTransform(from: source, to: target) } catch {
            throw CommandFailure(
                .usage,
                "\(error); say what to show with \(mark)bbox in units of the map's own CRS, or take another \(mark)crs: "
                    + "\(Self.projected)")
        }
    }

    /// Does `work`; what it throws becomes the user's to mend.
    private static func saying<Value, Failure: Error & CustomStringConvertible>(
        _ work: () throws(Failure) -> Value
    ) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure(.usage, error.description) }
    }

    /// Whether the sides of a box, west first, could be degrees.
    static func looksLikeDegrees(_ sides: [Double]) -> Bool {
        abs(sides[0]) <= 180 && abs(sides[2]) <= 180 && abs(sides[1]) <= 90 && abs(sides[3]) <= 90
    }

    /// What to say of a centre that no layer covers, where it would be in one with latitude and longitude exchanged.
    func swapHint(_ layers: [MapLayer]) -> String? {
        guard let center, let numbers = try? Self.numbers(center, count: 2, option: "\(mark)center", form: ""),
            abs(numbers[0]) <= 90
        else { return nil }
        let boxes = layers.compactMap { layer -> Extent? in
            if let source = layer.features {
                return source.crs.isGeographic ? source.boundingBox?.extent : nil
            }
            return layer.bounds?.extent(in: .crs84)
        }
        let asWritten = Coordinate(longitude: numbers[0], latitude: numbers[1])
        let swapped = Coordinate(longitude: numbers[1], latitude: numbers[0])
        guard !boxes.contains(where: { $0.contains(asWritten) }), boxes.contains(where: { $0.contains(swapped) })
        else { return nil }
        return "\(mark)center \(center) is outside all layers; if it is latitude first, write \(mark)center "
            + "\(NumberText.decimal(numbers[1])),\(NumberText.decimal(numbers[0]))"
    }

    /// A pixel is half a millimetre; levels of tiles end at 30.
    private static let finestUsualZoom = 28.0

    /// What looks like a slip, a sentence each.
    var hints: [String] {
        if let zoom, zoom > Self.finestUsualZoom {
            return ["\(mark)zoom \(NumberText.decimal(zoom)) is closer than maps go: a pixel is less than a millimetre"]
        }
        guard let bbox, bboxCRS == nil, let crs = try? mapCRS(), !crs.isGeographic,
            let sides = try? Self.numbers(bbox, count: 4, option: "\(mark)bbox", form: ""),
            Self.looksLikeDegrees(sides)
        else { return [] }
        return [
            "\(mark)bbox \(bbox) looks like degrees, and is read in \(crs); say \(mark)bbox-crs EPSG:4326 if it is in degrees"
        ]
    }
}
