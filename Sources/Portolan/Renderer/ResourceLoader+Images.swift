import PortolanArchives
import PortolanFeatures
import PortolanFetch
import PortolanGeo
import PortolanPlan
import PortolanWeb

extension ResourceLoader {
    /// Returns the values of all bands of an image at a coordinate in its CRS, with the names of the bands, or `nil` outside
    /// or if the archive is not an image with bands.
    func bandValues(
        of archive: TileArchive, at coordinate: Coordinate, layer: String
    ) async throws(ResourceError) -> (values: [Float], names: [Int: String])? {
        if let address = archive.address {
            let image = remoteArchives.image(at: address)
            let access = RemoteAccess(rule: configuration.cacheRule(for: address.text, layer: layer))
            do throws(RemoteArchiveError) {
                guard let values = try await image.values(at: coordinate, access) else { return nil }
                return (values, try await image.structure(access).bandNames)
            } catch { throw error.resourceError(at: address.text) }
        }
        do throws(ArchiveError) {
            guard let raster = try archives.reader(of: archive) as? GeoTIFFRaster,
                let (x, y) = raster.image.pixel(at: coordinate)
            else { return nil }
            return (try raster.values(atX: x, y: y), raster.image.bandNames)
        } catch { throw ResourceError(.damaged, place: archive.path, message: error.description) }
    }

    /// What tiles have in common that are loaded together: an image on a server, and the band whose values are read.
    struct ImageBatch: Hashable, Sendable {
        private let address: NamedURL
        private let band: Int?

        /// The batch of a resource, or `nil` if it is loaded alone.
        init?(_ resource: Resource) {
            guard resource.use != .standIn, resource.form == .image || resource.valueBand != nil,
                case .archive(let entry) = resource.location, RemoteArchives.readsTogether(entry.archive.format),
                let address = entry.archive.address
            else { return nil }
            self.address = address
            band = resource.valueBand
        }
    }
}

extension Resource {
    /// The number of the band whose values are read, or `nil` if the resource is an image or has another form.
    var valueBand: Int? {
        guard case .elevations(let reading) = form, case .values(let band) = reading.encoding else { return nil }
        return band
    }
}
