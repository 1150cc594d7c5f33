import PortolanGeo
import PortolanPlan
import PortolanRaster

/// The geographic registration of a page: its corners in degrees, and its coordinate reference system (ISO 32000-2,
/// clause 12.10; earlier an Adobe supplement).
struct PDFRegistration {
    /// The latitude and longitude of the four corners: lower left, upper left, upper right, lower right.
    let corners: [Coordinate]
    private let code: Int
    private let isGeographic: Bool

    /// Creates the registration of a view, or returns `nil` if its system has no EPSG code, or a corner of the view is
    /// outside its domain.
    init?(_ viewport: Viewport) {
        let crs = viewport.crs, size = viewport.imageSize
        guard let code = crs == .crs84 ? 4326 : crs.epsgCode, let projection = crs.projection else { return nil }
        self.code = code
        isGeographic = crs.isGeographic
        let right = Double(size.width), bottom = Double(size.height)
        let pixels = [
            Point(x: 0, y: bottom), Point(x: 0, y: 0), Point(x: right, y: 0), Point(x: right, y: bottom),
        ]
        // Degrees on the system's own datum.
        corners = pixels.compactMap { projection.unproject(viewport.coordinate(atImagePixel: $0)) }
        guard corners.count == 4 else { return nil }
    }

    /// Returns the entry of a page with the map in a box in its units, such as `0 0 600 400`.
    func entry(box: String) -> String {
        let points = corners.flatMap { [$0.y, $0.x] }.map { PDFText.number($0, decimals: 12) }
            .joined(separator: " ")
        let square = "[0 0 0 1 1 1 1 0]"
        return """
            /VP[<</Type/Viewport/Name(Map)/BBox[\(box)]/Measure<</Type/Measure/Subtype/GEO\
            /Bounds\(square)/LPTS\(square)/GPTS[\(points)]\
            /GCS<</Type/\(isGeographic ? "GEOGCS" : "PROJCS")/EPSG \(code)>>>>>>]
            """
    }
}
