import PortolanRaster

/// A coarser tile that can be shown in place of one that is missing.
package struct TileStandIn: Hashable, Sendable {
    /// Its address.
    package let url: String
    /// What it is, for a person.
    package let name: String
    /// The part of it, enlarged, that takes the place of the tile.
    package let crop: ImageCrop

    package init(url: String, name: String, crop: ImageCrop) {
        self.url = url
        self.name = name
        self.crop = crop
    }
}

extension DrawPlan {
    /// The plan with parts of coarser tiles in place of the images that have one.
    ///
    /// - Parameter standIns: by the address of the image.
    package func showing(_ standIns: [String: TileStandIn]) -> DrawPlan {
        replacingImages { image in
            guard let standIn = standIns[image.url] else { return image }
            return ImagePlacement(
                url: standIn.url, name: standIn.name, x: image.x, y: image.y, size: image.size, crop: standIn.crop)
        }
    }
}
