package import PortolanGeo

/// Writes and reads the four numbers of a bounding box; the only place where axes are swapped.
///
/// Follows OGC 06-042 (WMS 1.3.0) 6.7.4 and 7.3.3.6, and OGC 01-068r3 (WMS 1.1.1) 7.2.3.5.
package enum BoundingBoxWriter {
    /// The value of `BBOX` for `extent`, which is in units of `crs`, x east.
    package static func string(
        for extent: Extent, crs: CRS, version: WMSVersion, axisOrder: AxisOrderPolicy
    ) -> String {
        string(for: extent, isNorthFirst: isNorthFirst(crs: crs, version: version, axisOrder: axisOrder))
    }

    /// The sides between commas, the lower first, of each corner x first or, where north stands first, y.
    package static func string(for extent: Extent, isNorthFirst: Bool) -> String {
        let numbers =
            isNorthFirst
            ? [extent.minY, extent.minX, extent.maxY, extent.maxX]
            : [extent.minX, extent.minY, extent.maxX, extent.maxY]
        return numbers.map(NumberText.decimal).joined(separator: ",")
    }

    /// The box that four advertised numbers mean, or `nil` when they are not finite or out of order.
    package static func box(
        _ first: Double, _ second: Double, _ third: Double, _ fourth: Double, crs: CRS?, version: WMSVersion,
        axisOrder: AxisOrderPolicy
    ) -> BoundingBox? {
        isNorthFirst(crs: crs, version: version, axisOrder: axisOrder)
            ? BoundingBox(minX: second, minY: first, maxX: fourth, maxY: third)
            : BoundingBox(minX: first, minY: second, maxX: third, maxY: fourth)
    }

    /// The place that two numbers of a WMTS mean: in the order of the system's axes (OGC 07-057r7 table 7), or against it
    /// when `isSwapped`.
    package static func corner(_ first: Double, _ second: Double, crs: CRS, isSwapped: Bool) -> Coordinate {
        isNorthFirst(crs: crs, version: .v1_3_0, axisOrder: .auto) != isSwapped
            ? Coordinate(x: second, y: first) : Coordinate(x: first, y: second)
    }

    /// Whether latitude or northing stands first for a system whose name its order of axes goes with.
    package static func isNorthFirst(crs: CRS, axisOrder: AxisOrderPolicy) -> Bool {
        isNorthFirst(crs: crs, version: .v1_3_0, axisOrder: axisOrder)
    }

    private static func isNorthFirst(crs: CRS?, version: WMSVersion, axisOrder: AxisOrderPolicy) -> Bool {
        switch axisOrder {
        case .auto: version >= .v1_3_0 && crs?.axisOrder == .northEast
        case .xy: false
        case .yx: true
        }
    }
}

/// In which order a WMS is told the sides of a bounding box.
public enum AxisOrderPolicy: String, Hashable, Sendable, CaseIterable {
    /// As the standard has it: in version 1.3.0 the order of the CRS's axes, before it always x first.
    case auto
    /// Always easting or longitude first, for servers that overlook the rule of version 1.3.0.
    case xy
    /// Always northing or latitude first.
    case yx
}
