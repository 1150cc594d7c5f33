package import PortolanGeo
package import PortolanPaint
package import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanWeb

/// A reason why a view request is invalid.
///
/// The public API throws it as ``MapError``.
package enum ViewRequestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A value has an invalid form for its key.
    case malformed(ViewRequest.Key, String)
    /// A CRS is unknown.
    case crs(ViewRequest.Key, CRSError)
    /// The box is empty, or its sides are in the wrong order.
    case emptyBox(String)
    /// More than one of box, centre and fitting is set.
    case severalPlaces
    /// The CRS of a box is set without a box.
    case boxCRSAlone
    /// A scale is set without a centre.
    case scaleAlone
    /// With a centre, no scale or several scales are set.
    case notOneScale
    /// More than one scale value is set on paper.
    case severalScales
    /// A key of pictures without a physical size is set with paper.
    case withPaper(ViewRequest.Key)
    /// A key of paper is set without paper.
    case needsPaper(ViewRequest.Key)
    /// The paper has too many pixels.
    case paperTooLarge(PaperSize, dotsPerInch: Double)
    /// Margins, frame and source line leave no room for a map.
    case noRoom
    /// The scale on the ground is unknown in the CRS of the map.
    case noGroundScale(CRS)
    /// A number is out of range for its key.
    case outOfRange(ViewRequest.Key, Double)
    /// The box is outside the area that the CRS of the map can show.
    case boxOutside(Extent, CRS, map: CRS)
    /// The centre is outside the area that the CRS of the map can show.
    case centerOutside(Coordinate, map: CRS)
    /// There is no transformation between two CRSs.
    case transform(CRSError)
    /// The features cannot be transformed to the CRS of the map.
    case features(CRSError)
    /// The view is invalid.
    case view(Viewport.InvalidError)
    /// The features of a layer have coordinates that are not valid degrees.
    case notDegrees(layer: String)
    /// There is nothing to fit: no layer has features or states its extent.
    case nothingToFit(hasFeatureLayers: Bool, isAskedFor: Bool)

    /// Whether the data of the layers is the cause, and not the request.
    package var isOfLayers: Bool {
        switch self {
        case .notDegrees: true
        case .nothingToFit(let hasFeatureLayers, _): hasFeatureLayers
        default: false
        }
    }

    /// The cause and the valid values, in one line.
    package var description: String { words { $0.rawValue } }

    /// Returns the message with other names for the keys.
    package func words(_ name: (ViewRequest.Key) -> String) -> String {
        sentence(name).inOneLine(limit: 1000)
    }

    private func sentence(_ name: (ViewRequest.Key) -> String) -> String {
        switch self {
        case .malformed(.size, let text):
            "\(name(.size)) \(text): expected a size like 1024x768, each side 1 to \(ImageSize.maximumSide)"
                + " and at most \(ImageSize.maximumPixelCount) pixels in total"
        case .malformed(.scale, let text):
            "\(name(.scale)) \(text): expected 1:N, as in 1:25000"
        case .malformed(let key, let text): "\(name(key)) \(text): expected \(key.form)"
        case .crs(let key, let error):
            if case .unknown = error {
                "\(name(key)): \(error); available: \(Self.projected); the package trait PROJ adds all others"
            } else {
                "\(name(key)): \(error)"
            }
        case .emptyBox(let text):
            "\(name(.bbox)) \(text): empty, or in the wrong order; write MINX,MINY,MAXX,MAXY, east first, and across the antimeridian 170,-25,190,-10"
        case .severalPlaces: "\(name(.bbox)), \(name(.center)) and \(name(.fit)) cannot be combined; use one"
        case .boxCRSAlone: "\(name(.boxCRS)) needs \(name(.bbox)); add it"
        case .scaleAlone:
            "\(name(.zoom)), \(name(.resolution)) and \(name(.scale)) need \(name(.center)); add it"
        case .notOneScale:
            "\(name(.center)) needs exactly one of \(name(.zoom)), \(name(.resolution)) and \(name(.scale))"
        case .severalScales:
            "\(name(.zoom)), \(name(.resolution)) and \(name(.scale)) cannot be combined; use one"
        case .withPaper(.pixelRatio):
            "\(name(.pixelRatio)) cannot be combined with \(name(.paper)); use \(name(.dotsPerInch))"
        case .withPaper(let key): "\(name(key)) cannot be combined with \(name(.paper)); use one"
        case .needsPaper(let key): "\(name(key)) needs \(name(.paper)); add it"
        case .paperTooLarge(let paper, let density):
            "\(name(.paper)) \(paper) has too many pixels at \(NumberText.shortest(density)) dots per inch; at most "
                + "\(ImageSize.maximumPixelCount), and \(ImageSize.maximumSide) per side; lower \(name(.dotsPerInch))"
        case .noRoom: "margins, frame and source line leave no room for the map; make the picture larger"
        case .noGroundScale(let crs):
            "\(name(.scale)): the scale on the ground is unknown in \(crs); use \(name(.resolution)) or another "
                + name(.crs)
        case .outOfRange(.dotsPerInch, let number):
            "\(name(.dotsPerInch)) \(NumberText.shortest(number)): must be between 36 and 1200"
        case .outOfRange(.margin, let number):
            "\(name(.margin)) \(NumberText.shortest(number)): must be 0 or more millimetres"
        case .outOfRange(.padding, let number): "\(name(.padding)) \(number): must be 0 or more pixels"
        case .outOfRange(.scale, let number):
            "\(name(.scale)) 1:\(NumberText.shortest(number)): expected 1:N, as in 1:25000"
        case .outOfRange(.resolution, let number): "\(name(.resolution)) \(number): must be more than zero"
        case .outOfRange(let key, let number): "\(name(key)) \(number): must be between -30 and 60"
        case .boxOutside(let box, let crs, let map):
            "\(name(.bbox)) \(Self.text([box.minX, box.minY, box.maxX, box.maxY])) (\(crs)): outside the area of \(map)"
                + "; check \(name(.boxCRS))"
        case .centerOutside(let center, let map):
            "\(name(.center)) \(Self.text([center.x, center.y])): outside the area of \(map); write degrees, "
                + "longitude first: LON,LAT"
        case .transform(let error):
            "\(error); set the view with \(name(.bbox)) in units of the map's CRS, or use another "
                + "\(name(.crs)): \(Self.projected)"
        case .features(let error): error.description
        case .view(let error): error.description
        case .notDegrees(let layer): "layer '\(layer)': \(FeatureDocument.notDegrees)"
        case .nothingToFit(let hasFeatureLayers, let isAskedFor): nothing(hasFeatureLayers, isAskedFor, name)
        }
    }

    private func nothing(
        _ hasFeatureLayers: Bool, _ isAskedFor: Bool, _ name: (ViewRequest.Key) -> String
    ) -> String {
        let advice = "set the view with \(name(.bbox)), or \(name(.center)) and \(name(.zoom))"
        if hasFeatureLayers { return "no features to fit; " + advice }
        if isAskedFor { return "\(name(.fit)) needs a layer with features or bounds; " + advice }
        return advice + "; only features, tile archives and services with a stated extent can be fitted"
    }

    private static func text(_ numbers: [Double]) -> String { numbers.map(NumberText.shortest).joined(separator: ",") }

    /// The CRSs that coordinates can be transformed to and from, in one line.
    package static let projected =
        "EPSG:3857, EPSG:4326, CRS:84, UTM zones (EPSG:32633, 25833, 26912), national grids (EPSG:2056, 2154, "
        + "2180, 27700, 28992, 31467), EPSG:3035, polar systems (EPSG:3031, 3413, 3575) and the geographic "
        + "systems of their datums"
}

extension ViewRequest.Key {
    /// The syntax of the value.
    fileprivate var form: String {
        switch self {
        case .bbox: "MINX,MINY,MAXX,MAXY"
        case .center: "LON,LAT"
        case .paper: "A0 to A6, letter, legal, tabloid or a size like 210x297mm"
        default: "a number"
        }
    }
}

extension NumberText {
    /// Returns a decimal number if possible, otherwise Swift's description.
    fileprivate static func shortest(_ number: Double) -> String {
        number.isFinite && abs(number) < 1e17 ? decimal(number) : "\(number)"
    }
}

extension ViewRequestError: MapErrorConvertible {
    package var mapError: MapError {
        switch self {
        case .crs(_, let error), .transform(let error), .features(let error):
            MapError(error.mapError.code, description, underlying: error)
        case .view(let error): error.mapError
        case .boxOutside, .centerOutside: MapError(.outsideMap, description)
        case .notDegrees: MapError(.malformedDocument, description)
        case .nothingToFit: MapError(.nothingFound, description)
        case .malformed, .emptyBox, .severalPlaces, .boxCRSAlone, .scaleAlone, .notOneScale, .severalScales, .withPaper,
            .needsPaper, .paperTooLarge, .noRoom, .noGroundScale, .outOfRange:
            MapError(.invalidArgument, description)
        }
    }
}
