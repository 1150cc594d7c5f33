package import PortolanServices

/// A dimension of a layer's service in addition to the two of the map, such as time or elevation.
package struct LayerDimension: Hashable, Sendable {
    /// The name, unit and values as the service states them; its default is the value that the layer uses.
    package var facts: WMSCapabilities.Dimension

    /// Creates a dimension of a WMS.
    ///
    /// - Parameter value: the value that the layer text sets, or `nil` for the default of the service.
    package init(_ facts: WMSCapabilities.Dimension, value: String? = nil) {
        self.facts = facts
        if let value { self.facts.defaultValue = value }
    }

    /// Creates a dimension of a WMTS.
    ///
    /// - Parameter value: the value that the layer uses.
    package init(_ dimension: WMTSCapabilities.Dimension, value: String) {
        facts = WMSCapabilities.Dimension(
            name: dimension.identifier.lowercased(), units: dimension.unit ?? "", unitSymbol: nil, defaultValue: value,
            values: dimension.values.joined(separator: ","), takesNearest: false, takesSeveral: false,
            takesCurrent: dimension.hasCurrent)
    }

    /// The lowercase name.
    package var name: String { facts.name.lowercased() }

    /// Returns the WMS parameters of values by lowercase name.
    static func parameters(_ values: [String: String]) -> [GetMapRequest.Parameter] {
        values.sorted { $0.key < $1.key }.map { name, value in
            .init(WMSCapabilities.Dimension.parameterName(of: name), value)
        }
    }
}
