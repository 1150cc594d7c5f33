public import PortolanGeo
import PortolanWeb

extension WMTSMatrixSet {
    /// The grid of the whole set, or `nil` when its system is not known or no level is usable; and what was put right.
    public func grid() -> (grid: TileGrid?, notes: [String]) {
        let anyLayer = WMTSLayer(
            identifier: "", title: "", abstract: nil, keywords: [], geographicBox: nil, boundingBoxes: [], styles: [],
            formats: [], infoFormats: [], dimensions: [], links: [], resources: [])
        var maker = WMTSGrid(of: self, for: anyLayer)
        do {
            let grid = try maker.grid()
            return (grid, maker.notes.map { ReadableText.line($0, limit: 500) })
        } catch {
            return (
                nil, (maker.notes + ["matrix set '\(identifier)': \(error)"]).map { ReadableText.line($0, limit: 500) }
            )
        }
    }
}
