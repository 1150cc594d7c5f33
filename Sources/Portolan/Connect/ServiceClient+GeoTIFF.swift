package import PortolanArchives
import PortolanFetch
import PortolanWeb

extension ServiceClient {
    /// A GeoTIFF on a server.
    func remoteImage(at url: String) -> (image: RemoteGeoTIFF, access: RemoteAccess, address: NamedURL) {
        let address = NamedURL(url, namedBy: origin)
        return (
            RemoteGeoTIFF(address, cache: cache, configuration: configuration),
            RemoteAccess(rule: configuration.cacheRule(for: url)), address
        )
    }

    /// The order of the parts of a GeoTIFF on a server.
    package func geoTIFFLayout(at url: String) async throws(ServiceError) -> GeoTIFFLayout {
        let (image, access, address) = remoteImage(at: url)
        do throws(RemoteArchiveError) { return try await image.layout(access) } catch {
            throw error.serviceError(at: address.text)
        }
    }

    /// The structure of a GeoTIFF on a server, by range requests.
    package func geoTIFF(at url: String) async throws(ServiceError) -> GeoTIFFImage {
        let (image, access, address) = remoteImage(at: url)
        do throws(RemoteArchiveError) { return try await image.image(access) } catch {
            throw error.serviceError(at: address.text)
        }
    }
}
