/// A document of a Tile Map Service: the list of services, that of a service's maps, or one map.
///
/// Follows *Tile Map Service Specification* 1.0.0 (OSGeo, 2012).
public enum TMSDocument: Hashable, Sendable {
    /// The services of a server.
    case services([TMSReference])
    /// The maps of a service.
    case service(TMSService)
    /// A map.
    case map(TMSTileMap)
}
