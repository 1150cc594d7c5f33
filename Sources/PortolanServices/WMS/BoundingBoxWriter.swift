package import PortolanGeo
import PortolanWeb

/// Writes and reads the four numbers of a bounding box.
///
/// All swapping of axes happens here.
///
/// It follows OGC 06-042 (WMS 1.3.0) 6.7.4 and 7.3.3.6, and OGC 01-068r3 (WMS 1.1.1) 7.2.3.5.
package enum BoundingBoxWriter {
    /// Returns the value of `BBOX` for `extent`, which is in units of `crs`, x east.
    package static func string(
        for extent: Extent, crs: CRS, version: WMSCapabilities.Version, axisOrder: WMSOptions.AxisOrderPolicy
    ) -> String {
        string(for: extent, isNorthFirst: isNorthFirst(crs: crs, version: version, axisOrder: axisOrder))
    }

    /// Returns the comma-separated sides, the lower corner first, each corner with x or, for north first, y first.
    package static func string(for extent: Extent, isNorthFirst: Bool) -> String {
        let numbers =
            isNorthFirst
            ? [extent.minY, extent.minX, extent.maxY, extent.maxX]
            : [extent.minX, extent.minY, extent.maxX, extent.maxY]
        return numbers.map(NumberText.decimal).joined(separator: ",")
    }

    /// Returns the box of four advertised numbers, or `nil` if they are not finite or out of order.
    package static func box(
        _ first: Double, _ second: Double, _ third: Double, _ fourth: Double, crs: CRS?,
        version: WMSCapabilities.Version,
        axisOrder: WMSOptions.AxisOrderPolicy
    ) -> BoundingBox? {
        isNorthFirst(crs: crs, version: version, axisOrder: axisOrder)
            ? BoundingBox(minX: second, minY: first, maxX: fourth, maxY: third)
            : BoundingBox(minX: first, minY: second, maxX: third, maxY: fourth)
    }

    /// Returns the position of two WMTS numbers: in the axis order of the CRS (OGC 07-057r7 table 7), or the opposite
    /// if `isSwapped`.
    package static func corner(_ first: Double, _ second: Double, crs: CRS, isSwapped: Bool) -> Coordinate {
        isNorthFirst(crs: crs, version: .v1_3_0, axisOrder: .auto) != isSwapped
            ? Coordinate(x: second, y: first) : Coordinate(x: first, y: second)
    }

    /// Returns whether latitude or northing is first for a CRS whose name implies its axis order.
    package static func isNorthFirst(crs: CRS, axisOrder: WMSOptions.AxisOrderPolicy) -> Bool {
        isNorthFirst(crs: crs, version: .v1_3_0, axisOrder: axisOrder)
    }

    private static func isNorthFirst(
        crs: CRS?, version: WMSCapabilities.Version, axisOrder: WMSOptions.AxisOrderPolicy
    ) -> Bool {
        switch axisOrder {
        case .auto: version >= .v1_3_0 && crs?.axisOrder == .northEast
        case .xy: false
        case .yx: true
        }
    }
}

extension WMSOptions {
    /// The axis order of bounding boxes in WMS requests.
    public enum AxisOrderPolicy: String, Hashable, Sendable, CaseIterable {
        /// The standard order: in version 1.3.0 that of the CRS, in older versions x first.
        case auto
        /// Always easting or longitude first, for servers that violate version 1.3.0.
        case xy
        /// Always northing or latitude first.
        case yx
    }
}
