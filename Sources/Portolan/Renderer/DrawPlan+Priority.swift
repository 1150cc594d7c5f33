import PortolanGeo
import PortolanPlan

extension DrawPlan {
    /// The addresses of all that is shown, each once, what lies nearest to the middle of the view first.
    var shownURLsFromCenter: [String] { fromCenter(icons: true) { $0.images } }

    /// The addresses of what is fetched beside the view, each once, nearest first, without those that are shown.
    var marginURLsFromCenter: [String] {
        let shown = Set(shownURLs)
        return fromCenter(icons: false) { $0.margin }.filter { !shown.contains($0) }
    }

    private func fromCenter(icons: Bool, _ images: (Mosaic) -> [ImagePlacement]) -> [String] {
        var distances: [String: Double] = [:]
        var order: [String] = []
        func add(_ url: String, _ distance: Double) {
            if let known = distances[url] {
                distances[url] = min(known, distance)
            } else {
                order.append(url)
                distances[url] = distance
            }
        }
        for step in steps {
            switch step.content {
            case .mosaics(let mosaics):
                for mosaic in mosaics {
                    let center = center(of: mosaic)
                    for image in images(mosaic) {
                        let x = Double(image.x) + Double(image.size.width) / 2 - center.x
                        let y = Double(image.y) + Double(image.size.height) / 2 - center.y
                        add(image.url, x * x + y * y)
                    }
                }
            case .features:
                // Small, and few: without them features cannot be painted at all.
                if icons { for resource in step.content.shownResources { add(resource.url, 0) } }
            }
        }
        let places = order.enumerated().sorted { left, right in
            let (a, b) = (distances[left.element] ?? 0, distances[right.element] ?? 0)
            return a != b ? a < b : left.offset < right.offset
        }
        return places.map(\.element)
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
