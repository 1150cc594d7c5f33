import Portolan

/// Central Helsinki from three services: tiles of a WMS-C, and over them trams and names of two WMS.
public enum HelsinkiMix {
    /// Returns the map, ready to be drawn, in the view that was recorded.
    public static func map() async throws -> MapFacade {
        let map = try HelsinkiWalk.empty(width: 480, height: 480)
        if let extent = Extent(minX: 2_776_000, minY: 8_437_300, maxX: 2_777_536, maxY: 8_438_836) {
            try map.setExtent(extent)
        }
        try await map.addWMSC(RecordedServices.tileService, layers: ["base"], named: "city")
        try await map.addWMS(RecordedServices.mapService, layers: ["transit"], named: "trams")
        try await map.addWMS(RecordedServices.mapService, layers: ["labels"], named: "names")
        try map.updateLayer(named: "city") { $0.opacity = 0.75 }
        try map.updateLayer(named: "trams") { $0.opacity = 0.85 }
        map.options.title = "A WMS-C and two WMS"
        return map
    }
}
