import Portolan
import PortolanServices

extension CommandFailure {
    /// What is wrong with a request for a view, in the words of the command line.
    init(_ error: ViewRequestError) {
        self.init(error.isOfLayers ? .badData : .usage, error.words(ViewRequest.option))
    }
}

extension ViewRequest {
    /// The option of a key.
    static func option(_ key: Key) -> String { "--" + key.rawValue }

    /// What `work` gives; what it throws becomes the user's to mend.
    static func asking<Value>(_ work: () throws(ViewRequestError) -> Value) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure(error) }
    }

    /// The system that an option names.
    static func crs(_ text: String, option: String) throws(CommandFailure) -> CRS {
        do { return try CRS(text) } catch {
            throw CommandFailure(.usage, ViewRequestError.crs(.crs, error).words { _ in option })
        }
    }

    /// The numbers of a list such as `1,2.5,3`.
    static func numbers(_ text: String, count: Int, option: String, form: String) throws(CommandFailure) -> [Double] {
        guard let numbers = numbers(text, count: count) else {
            throw CommandFailure(.usage, "\(option) \(text) is not of the form \(form)")
        }
        return numbers
    }

    /// Whether the sides of a box, west first, could be degrees.
    static func looksLikeDegrees(_ sides: [Double]) -> Bool {
        abs(sides[0]) <= 180 && abs(sides[2]) <= 180 && abs(sides[1]) <= 90 && abs(sides[3]) <= 90
    }

    /// What to say of a centre that no layer covers, where it would be in one with latitude and longitude exchanged.
    ///
    /// - Parameter view: what is shown; where it shows something of a layer, the centre is meant as it is.
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
            message: "\(longitude),\(latitude) is outside all layers; if it is latitude first, write --center "
                + "\(latitude),\(longitude)")
    }

    /// A pixel is half a millimetre; levels of tiles end at 30.
    private static let finestUsualZoom = 28.0

    /// Warnings about what looks like a slip.
    var hints: [MapWarning] {
        if let zoom, zoom > Self.finestUsualZoom {
            return [
                MapWarning(
                    .oddValue, MapWarning.Subject(member: "--zoom"),
                    message: "\(NumberText.decimal(zoom)) is closer than maps go: a pixel is less than a millimetre")
            ]
        }
        guard let box, boxCRS == nil, !mapCRS.isGeographic else { return [] }
        let sides = [box.minX, box.minY, box.maxX, box.maxY]
        guard Self.looksLikeDegrees(sides) else { return [] }
        return [
            MapWarning(
                .oddValue, MapWarning.Subject(member: "--bbox"),
                message: "\(sides.map(NumberText.decimal).joined(separator: ",")) looks like degrees, and is read in "
                    + "\(mapCRS); say --bbox-crs EPSG:4326 if it is in degrees")
        ]
    }
}
