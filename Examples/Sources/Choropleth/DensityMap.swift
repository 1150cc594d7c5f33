import Portolan
import PortolanPaint

/// The countries of Europe by inhabitants per square kilometre.
enum DensityMap {
    /// Returns the map with its title, legend, source line and locator.
    static func map(language: String) async throws -> MapFacade {
        let map = try EuropeMap.empty(width: 720, height: 760)
        // The keys of `portolan render -l` and of map documents.
        try await map.addLayer(
            EuropeMap.countries([
                "name": "Inhabitants per km²", "fill": "density", "breaks": "25,75,125,250,500", "palette": "ylorrd",
                "no-data": "#e4e4e4", "fill-opacity": "1", "stroke": "#ffffff", "stroke-width": "0.7",
                "language": language,
            ]))
        try await map.addLayer(
            EuropeMap.countries([
                "name": "Names", "label": "{NAME}\n{density:,.0f}", "label-priority": "population", "label-size": "11",
                "halo-width": "1.5", "fill-opacity": "0", "stroke-opacity": "0", "legend": "false",
                "language": language,
            ]))
        map.options.title = "Where Europe lives close together"
        map.options.subtitle = "Inhabitants per square kilometre, by country"
        map.options.showsLegend = true
        map.options.insets = [.locator(extent: EuropeMap.surroundings, crs: .crs84, corner: .topLeft, share: 0.24)]
        return map
    }
}
