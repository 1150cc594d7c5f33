import Foundation
import PortolanFeatures
import PortolanGeo
import PortolanPaint
import PortolanPlan
import PortolanRaster
import PortolanText
import TestHelpers
import Testing

/// Small maps in web mercator, a metre a pixel about the origin: coordinates are pixels from the middle, y up.
struct SampleScene {
    var width = 96
    var height = 64
    var rotation = 0.0
    var pixelRatio = 1.0
    var center = Coordinate(x: 0, y: 0)
    var resolution = 1.0
    var background = MapColor.white
    var furniture = Furniture()
    var threads = 1
    var images: [String: PixelBuffer] = [:]

    static let fonts: FontBook = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/fonts")
        return FontBook(
            files: ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "PortolanTestDevanagari.ttf"].map {
                folder.appending(path: $0).path
            },
            usesSystemFonts: false)
    }()

    func viewport(_ crs: CRS = .webMercator) throws -> Viewport {
        try Viewport(
            center: center, resolution: #require(Resolution(unitsPerPixel: resolution)), rotation: rotation,
            size: SampleScene.size(width, height), pixelRatio: pixelRatio, crs: crs)
    }

    static func size(_ width: Int, _ height: Int) throws -> ImageSize {
        try #require(ImageSize(width: width, height: height))
    }

    static func color(_ color: MapColor, _ width: Int, _ height: Int) throws -> PixelBuffer {
        PixelBuffer(size: try size(width, height), filledWith: Pixel(color))
    }

    func paint(_ layers: [Scene.Layer], crs: CRS = .webMercator) throws -> PixelBuffer {
        try paint(layers, legend: nil, crs: crs)
    }

    func paint(_ layers: [Scene.Layer], legend: Legend?, crs: CRS = .webMercator) throws -> PixelBuffer {
        try paint(
            Scene(
                viewport: try viewport(crs), background: background, layers: layers, legend: legend))
    }

    func paint(_ scene: Scene) throws -> PixelBuffer {
        func painter(_ threads: Int) -> MapPainter {
            MapPainter(
                scene: scene, images: Self.resources(images), fonts: SampleScene.fonts, furniture: furniture,
                threads: threads)
        }
        let image = try Self.image(painter(threads))
        let isSame = try painter(threads == 3 ? 1 : 3).paint().image == image
        #expect(isSame, "another number of threads gives other pixels")
        return image
    }

    /// The picture of a painter, which also paints it in bands of rows.
    static func image(_ painter: MapPainter) throws -> PixelBuffer {
        let image = try painter.paint().image
        guard case .bands(let bands) = try painter.paintInBands().content else { return image }
        for height in [13, image.height / 2 + 1] {
            var pixels: [UInt32] = []
            for first in stride(from: 0, to: image.height, by: height) {
                pixels += bands.pixels(ofRows: first..<min(first + height, image.height)).pixels
            }
            let isSame = pixels == image.pixels
            #expect(isSame, "bands of \(height) rows give other pixels than the whole")
        }
        return image
    }

    /// The images by what they may be: the icons of features, images of the legend, and those of mosaics.
    static func resources(_ images: [String: PixelBuffer]) -> [Resource.ID: PixelBuffer] {
        var resources: [Resource.ID: PixelBuffer] = [:]
        for (name, image) in images {
            for item in [Resource.ID.Item.icon(address: .user(name)), .legend(address: .user(name)), .other(name)] {
                resources[Resource.ID(layer: "m", item)] = image
            }
        }
        return resources
    }

    func paint(_ features: [Scene.StyledFeature], opacity: Double = 1, shifts: [Double] = [0]) throws -> PixelBuffer {
        try paint([SampleScene.step(features, opacity: opacity, shifts: shifts)])
    }

    static func step(_ features: [Scene.StyledFeature], opacity: Double = 1, shifts: [Double] = [0]) -> Scene.Layer {
        let step = Scene.FeatureStep(crs: .webMercator, features: features, worldShifts: shifts, selectionMarkSize: 10)
        return Scene.Layer(name: "f", opacity: opacity, nodes: [.features(step)])
    }

    static func styled(
        _ geometry: Geometry, _ style: Style, icon: String? = nil, isSelected: Bool = false,
        properties: Properties = [:]
    ) -> Scene.StyledFeature {
        Scene.StyledFeature(
            feature: Feature(geometry: geometry, properties: properties), style: style, iconURL: icon.map { .user($0) },
            isSelected: isSelected)
    }

    static func places(_ pairs: [(Double, Double)]) -> [Coordinate] { pairs.map { Coordinate(x: $0.0, y: $0.1) } }

    static func mosaic(_ mosaic: Mosaic, opacity: Double = 1, transparentColor: MapColor.Key? = nil) -> Scene.Layer {
        Scene.Layer(name: "m", opacity: opacity, transparentColor: transparentColor, nodes: [.mosaic(mosaic)])
    }
}

extension MapColor {
    static let brick = MapColor(red: 178, green: 60, blue: 44)
    static let leaf = MapColor(red: 70, green: 130, blue: 60)
    static let sea = MapColor(red: 60, green: 110, blue: 190)
}
