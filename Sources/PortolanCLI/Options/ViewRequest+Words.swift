import Portolan
import PortolanServices
import PortolanWeb

extension CommandFailure {
    /// Errors of a view request in terms of the command line.
    init(_ error: ViewRequestError) {
        self.init(error.isOfLayers ? .badData : .usage, error.words(ViewRequest.option))
    }
}

extension ViewRequest {
    /// The option of a key.
    static func option(_ key: Key) -> String { "--" + key.rawValue }

    /// The result of `work`.
    ///
    /// Its errors become usage errors.
    static func asking<Value>(_ work: () throws(ViewRequestError) -> Value) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure(error) }
    }

    /// The CRS of an option.
    static func crs(_ text: String, option: String) throws(CommandFailure) -> CRS {
        do { return try CRS(text) } catch {
            throw CommandFailure(.usage, ViewRequestError.crs(.crs, error).words { _ in option })
        }
    }

    /// The numbers of a list such as `1,2.5,3`.
    static func numbers(_ text: String, count: Int, option: String, form: String) throws(CommandFailure) -> [Double] {
        guard let numbers = numbers(text, count: count) else {
            throw CommandFailure(.usage, "\(option) \(text): expected \(form)")
        }
        return numbers
    }

    /// Whether the sides of a box, west first, could be degrees.
    static func looksLikeDegrees(_ sides: [Double]) -> Bool {
        abs(sides[0]) <= 180 && abs(sides[2]) <= 180 && abs(sides[1]) <= 90 && abs(sides[3]) <= 90
    }

    /// The warning about a centre outside all layers that would be inside one with latitude and longitude swapped.
    ///
    /// - Parameter view: the visible extent; if it intersects a layer, the centre is taken as intended.
    func swapHint(_ layers: [MapLayer], in view: Viewport) -> MapWarning? {
        guard let center, abs(center.x) <= 90 else { return nil }
        let isSeen = layers.contains { layer in
            let source = layer.features.flatMap { source in
                source.boundingBox?.extent.map { LayerBounds($0, crs: source.crs) }
            }
            return (source ?? layer.bounds)?.meets(view) ?? false
        }
        guard !isSeen else { return nil }
        let boxes = layers.compactMap { layer -> Extent? in
            if let source = layer.features {
                return source.crs.isGeographic ? source.boundingBox?.extent : nil
            }
            return layer.bounds?.extent(in: .crs84)
        }
        let swapped = Coordinate(longitude: center.y, latitude: center.x)
        guard !boxes.contains(where: { $0.contains(center) }), boxes.contains(where: { $0.contains(swapped) })
        else { return nil }
        let longitude = NumberText.decimal(center.x), latitude = NumberText.decimal(center.y)
        return MapWarning(
            .oddValue, MapWarning.Subject(member: "--center"),
            message: "\(longitude),\(latitude) is outside all layers; if latitude comes first, write --center "
                + "\(latitude),\(longitude)")
    }

    /// A pixel is half a millimetre at this level; tile levels end at 30.
    private static let finestUsualZoom = 28.0

    /// Warnings about likely mistakes.
    var hints: [MapWarning] {
        if let zoom, zoom > Self.finestUsualZoom {
            return [
                MapWarning(
                    .oddValue, MapWarning.Subject(member: "--zoom"),
                    message: "\(NumberText.decimal(zoom)) is too large: a pixel would be less than a millimetre")
            ]
        }
        guard let box, boxCRS == nil, !mapCRS.isGeographic else { return [] }
        let sides = [box.minX, box.minY, box.maxX, box.maxY]
        guard Self.looksLikeDegrees(sides) else { return [] }
        return [
            MapWarning(
                .oddValue, MapWarning.Subject(member: "--bbox"),
                message: "\(sides.map(NumberText.decimal).joined(separator: ",")) looks like degrees, but is read in "
                    + "\(mapCRS); if it is in degrees, add --bbox-crs EPSG:4326")
        ]
    }
}
