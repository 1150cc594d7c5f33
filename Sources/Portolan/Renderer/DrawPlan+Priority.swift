import PortolanGeo
import PortolanPlan

extension DrawPlan {
    /// The addresses of all that is shown, each once, what lies nearest to the middle of the view first and legends last.
    var shownURLsFromCenter: [String] {
        var distances = distances(\.images)
        for step in steps {
            // Small, and few: without them features cannot be painted at all.
            guard case .features = step.content else { continue }
            for resource in step.content.shownResources { distances[resource.url] = 0 }
        }
        return Self.sorted(shownURLs, by: distances)
    }

    /// The addresses of what is fetched beside the view, each once, nearest first, without those that are shown.
    var marginURLsFromCenter: [String] { Self.sorted(marginURLs, by: distances(\.margin)) }

    private static func sorted(_ urls: [String], by distances: [String: Double]) -> [String] {
        let places = urls.enumerated().sorted { left, right in
            let (a, b) = (distances[left.element] ?? .infinity, distances[right.element] ?? .infinity)
            return a != b ? a < b : left.offset < right.offset
        }
        return places.map(\.element)
    }

    /// How far from the middle of the view images are, squared, in pixels, by their addresses.
    private func distances(_ images: (Mosaic) -> [ImagePlacement]) -> [String: Double] {
        var distances: [String: Double] = [:]
        for step in steps {
            guard case .mosaics(let mosaics) = step.content else { continue }
            for mosaic in mosaics {
                let center = center(of: mosaic)
                for image in images(mosaic) {
                    let x = Double(image.x) + Double(image.size.width) / 2 - center.x
                    let y = Double(image.y) + Double(image.size.height) / 2 - center.y
                    distances[image.url] = min(distances[image.url] ?? .infinity, x * x + y * y)
                }
            }
        }
        return distances
    }

    /// The middle of the view in a mosaic's pixels; the mosaic's own middle where its CRS cannot tell.
    private func center(of mosaic: Mosaic) -> (x: Double, y: Double) {
        let transform = try? CoordinateTransform(from: viewport.crs, to: mosaic.crs)
        guard let center = transform?(viewport.center) else {
            return (Double(mosaic.size.width) / 2, Double(mosaic.size.height) / 2)
        }
        return (
            (center.x - mosaic.topLeft.x) / mosaic.resolutionX, (mosaic.topLeft.y - center.y) / mosaic.resolutionY
        )
    }
}
