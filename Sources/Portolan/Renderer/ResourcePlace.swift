import PortolanGeo
import PortolanPlan

/// Where a resource belongs: its layer, and what it shows.
package struct ResourcePlace: Sendable {
    /// The name of the layer.
    package let layer: String
    let crs: CRS?
    let extent: Extent?

    /// West, south, east and north in degrees, or `nil` where that is not known.
    var bounds: [Double]? {
        guard let crs, let extent, let transform = try? CoordinateTransform(from: crs, to: .crs84) else { return nil }
        let found: Extent? = transform(extent)
        return found.map { [$0.minX, $0.minY, $0.maxX, $0.maxY] }
    }
}

extension DrawPlan {
    /// Where the resources of the plan belong, by their address; one of several layers belongs to the bottommost.
    var places: [String: ResourcePlace] {
        var places: [String: ResourcePlace] = [:]
        for step in steps {
            switch step.content {
            case .mosaics(let mosaics):
                for mosaic in mosaics {
                    for image in mosaic.images + mosaic.margin where places[image.url] == nil {
                        places[image.url] = ResourcePlace(
                            layer: step.layer, crs: mosaic.crs, extent: mosaic.extent(of: image))
                    }
                }
            case .features:
                for resource in step.content.shownResources where places[resource.url] == nil {
                    places[resource.url] = ResourcePlace(layer: step.layer, crs: nil, extent: nil)
                }
            }
        }
        return places
    }
}

extension Mosaic {
    /// What an image shows, in units of the CRS.
    fileprivate func extent(of image: ImagePlacement) -> Extent? {
        let left = topLeft.x + Double(image.x) * resolutionX, top = topLeft.y - Double(image.y) * resolutionY
        return Extent(
            minX: left, minY: top - Double(image.size.height) * resolutionY,
            maxX: left + Double(image.size.width) * resolutionX, maxY: top)
    }
}
