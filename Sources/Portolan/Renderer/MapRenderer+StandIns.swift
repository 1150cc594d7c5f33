import PortolanPlan
import PortolanRaster

extension MapRenderer {
    /// What stands in for tiles that are missing: parts of coarser tiles that are in memory or on disk.
    struct StandIns {
        /// By the address of the tile that is missing.
        var tiles: [String: TileStandIn] = [:]
        /// By the address of the coarser tile.
        var images: [String: PixelBuffer] = [:]
    }

    /// Looks for stand-ins; no server is asked for them, but disks are, and images decoded.
    @concurrent
    func standIns(for plan: DrawPlan, of layers: [MapLayer], loaded: Loaded) async -> StandIns {
        var found = StandIns()
        var absent: Set<String> = []
        let places = plan.places
        for step in plan.steps {
            guard case .mosaics(let mosaics) = step.content,
                case .tiles(let source)? = layers.first(where: { $0.name == step.layer })?.content
            else { continue }
            for mosaic in mosaics {
                for image in mosaic.images {
                    guard case .failure = loaded[image.url], found.tiles[image.url] == nil, !Task.isCancelled else {
                        continue
                    }
                    for tile in source.standIns(for: image, in: mosaic, pixelRatio: plan.viewport.pixelRatio)
                    where !absent.contains(tile.url) {
                        if found.images[tile.url] == nil {
                            found.images[tile.url] = await loader.kept(tile.url, place: places[image.url])
                        }
                        guard found.images[tile.url] != nil else {
                            absent.insert(tile.url)
                            continue
                        }
                        found.tiles[image.url] = tile
                        break
                    }
                }
            }
        }
        return found
    }
}
