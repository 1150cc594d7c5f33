public import PortolanServices

/// How a layer's service is asked about the features at a place.
public enum FeatureInfoSource: Hashable, Sendable {
    /// By GetFeatureInfo of a WMS.
    case wms(WMSFeatureInfoTemplate)
    /// By GetFeatureInfo of a WMTS.
    case wmts(WMTSFeatureInfoTemplate)
}
