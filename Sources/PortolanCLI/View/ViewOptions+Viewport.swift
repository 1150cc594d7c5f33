import Portolan

extension ViewOptions {
    /// The view that the options ask for.
    ///
    /// - Parameters:
    ///   - layers: those to fit, where that is asked for or nothing is.
    func viewport(for layers: [MapLayer]) throws -> Viewport {
        if exactBBox { throw CommandFailure.notSupportedYet("--exact-bbox") }
        let ways = [bbox != nil, center != nil, fit].filter { $0 }.count
        guard ways <= 1 else { throw CommandFailure(.usage, "give only one of --bbox, --center and --fit") }
        do {
            if let bbox { return try viewport(ofBox: bbox) }
            if let center { return try viewport(around: center) }
            return try viewport(fitting: layers)
        } catch let error as ViewportError {
            throw CommandFailure(.usage, error.description)
        } catch let error as CRSError {
            throw CommandFailure(.usage, error.description)
        }
    }

    private func viewport(ofBox text: String) throws -> Viewport {
        let crs = try mapCRS()
        let numbers = try Self.numbers(text, count: 4, option: "--bbox", form: "MINX,MINY,MAXX,MAXY")
        guard let box = Extent(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3]) else {
            throw CommandFailure(
                .usage, "--bbox \(text) is empty or turned round; east comes first: MINX,MINY,MAXX,MAXY")
        }
        let boxCRS = try bboxCRS.map { text throws(CommandFailure) in try Self.crs(text, option: "--bbox-crs") }
        let transform = try CoordinateTransform(from: boxCRS ?? crs, to: crs)
        guard let extent: Extent = transform(box) else {
            throw CommandFailure(.usage, "--bbox \(text) lies outside what \(crs) can show")
        }
        return try .showing(
            extent, rotation: rotation ?? 0, size: imageSize(), pixelRatio: pixelRatio ?? 1, crs: crs)
    }

    private func viewport(around text: String) throws -> Viewport {
        let crs = try mapCRS()
        let numbers = try Self.numbers(text, count: 2, option: "--center", form: "LON,LAT")
        let transform = try CoordinateTransform(from: .crs84, to: crs)
        guard let center = transform(Coordinate(longitude: numbers[0], latitude: numbers[1])) else {
            throw CommandFailure(
                .usage, "--center \(text) lies outside what \(crs) can show; longitude comes first: LON,LAT")
        }
        return try Viewport(
            center: center, resolution: resolution(in: crs), rotation: rotation ?? 0, size: imageSize(),
            pixelRatio: pixelRatio ?? 1, crs: crs)
    }

    private func resolution(in crs: CRS) throws(CommandFailure) -> Resolution {
        guard [zoom != nil, resolution != nil, scale != nil].filter({ $0 }).count == 1 else {
            throw CommandFailure(.usage, "with --center give exactly one of --zoom, --resolution and --scale")
        }
        if let zoom {
            guard let found = Resolution(zoom: zoom, in: crs) else {
                throw CommandFailure(.usage, "--zoom \(zoom) is out of range")
            }
            return found
        }
        if let resolution {
            guard let found = Resolution(unitsPerPixel: resolution) else {
                throw CommandFailure(.usage, "--resolution \(resolution) is not more than zero")
            }
            return found
        }
        let text = scale ?? ""
        let digits = text.hasPrefix("1:") ? text.dropFirst(2) : text[...]
        guard let denominator = Double(digits), let found = Resolution(scaleDenominator: denominator, in: crs) else {
            throw CommandFailure(.usage, "--scale \(text) is not of the form 1:N")
        }
        return found
    }

    private func viewport(fitting layers: [MapLayer]) throws -> Viewport {
        let crs = try mapCRS()
        var box: BoundingBox?
        for layer in layers {
            guard case .features(let source) = layer.content, let other = try source.boundingBox(in: crs) else {
                continue
            }
            box = box?.union(other) ?? other
        }
        guard let box else {
            throw CommandFailure(
                .usage,
                fit
                    ? "--fit needs a layer with features"
                    : "say what to show: --bbox, or --center with --zoom, or a layer with features to fit")
        }
        return try .fitting(
            box, padding: padding ?? 40, finestResolution: Resolution(zoom: maxZoom ?? 17, in: crs),
            rotation: rotation ?? 0, size: imageSize(), pixelRatio: pixelRatio ?? 1, crs: crs)
    }
}
