import PortolanFeatures
import PortolanStyles
package import PortolanWeb

extension MapLayer {
    /// The addresses of resources that every picture of the layer needs, and the paths of its tile archives: sprites,
    /// pictures of styles and archives, but no feature icons.
    package var sharedResources: (addresses: [NamedURL], archives: [String]) { Self.sharedResources(of: source) }

    private static func sharedResources(
        of source: any LayerSource
    ) -> (addresses: [NamedURL], archives: [String]) {
        switch source {
        case let style as StyleSource:
            var all = (addresses: addresses(of: style.sheet, style.baseURL), archives: [String]())
            for part in style.sources.values {
                let own = sharedResources(of: part)
                all.addresses += own.addresses
                all.archives += own.archives
            }
            return all
        case let features as FeatureSource: return (addresses(of: features.sheet, features.sheetBaseURL), [])
        case let points as PointSource: return (addresses(of: points.sheet, points.sheetBaseURL), [])
        case let picture as PictureSource: return ([picture.address], [])
        case let vectors as VectorTileSource: return sharedResources(of: vectors.tiles)
        case let terrain as TerrainSource: return sharedResources(of: terrain.tiles)
        case let tiles as TileSource:
            if case .archive(let archive) = tiles.address, archive.address == nil { return ([], [archive.path]) }
            return ([], [])
        default: return ([], [])
        }
    }

    private static func addresses(of sheet: StyleSheet?, _ base: BaseURL?) -> [NamedURL] {
        guard let sheet else { return [] }
        let sprites = sheet.sprites.flatMap { sprite in
            IconMarker.Source(sprite.url).flatMap { IconAddress.url(of: $0, relativeTo: base) }.map(
                StyleSprites.addresses)
                ?? []
        }
        return sprites
            + sheet.graphics.compactMap { graphic in
                guard case .picture(let text) = graphic.content else { return nil }
                return IconMarker.Source(text).flatMap { IconAddress.url(of: $0, relativeTo: base) }
            }
    }
}
