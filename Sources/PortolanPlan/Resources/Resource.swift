package import PortolanFeatures
public import PortolanGeo
public import PortolanRaster
package import PortolanVectorTiles
public import PortolanWeb

extension Resource {
    /// The identity of a resource: the layer that needs it, and its role in that layer.
    ///
    /// Arrivals, reports, priorities and fallbacks use it as their key. It does not contain the address.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        /// The role of a resource in its layer.
        public enum Item: Hashable, Sendable {
            /// A tile of the layer's grid, with `density` times the pixels of the grid's own tile each way.
            case tile(TileIndex, density: Int = 1)
            /// An image of a map service, by its request.
            case map(request: String)
            /// The icon of a feature, by its address.
            case icon(address: NamedURL)
            /// An image that explains the layer, by its address.
            case legend(address: NamedURL)
            /// Any other resource, by a name that the source chooses.
            case other(String)
        }

        /// The name of the layer on its map.
        public let layer: String
        /// The part of a layer that consists of several sources, or `nil`.
        public let part: String?
        /// The role of the resource in the layer.
        public let item: Item

        /// Creates an identity.
        public init(layer: String, part: String? = nil, _ item: Item) {
            self.layer = layer
            self.part = part
            self.item = item
        }

        /// The layer, its part and the item, for logs.
        public var description: String {
            let layer = part.map { "\(self.layer), \($0)" } ?? self.layer
            return switch item {
            case .tile(let tile, let density): "\(layer): tile \(tile)" + (density == 1 ? "" : "@\(density)x")
            case .map(let request): "\(layer): \(request)"
            case .icon(let address): "\(layer): icon \(address)"
            case .legend(let address): "\(layer): legend \(address)"
            case .other(let name): "\(layer): \(name)"
            }
        }
    }
}

/// A resource that a layer needs for a view.
///
/// ```swift
/// let url: NamedURL = "https://example.org/depots.json"
/// let depots = Resource(
///     id: view.id(.other("depots")), location: .url(url), form: .document, name: "depots.json")
/// ```
public struct Resource: Hashable, Sendable {
    /// The location of a resource, by which caches identify it.
    ///
    /// Layers that need the same location share it.
    public enum Location: Hashable, Sendable, CustomStringConvertible {
        /// A request: `http:`, `https:`, `file:` or `data:`.
        case url(NamedURL)
        /// An entry in a local tile archive.
        case archive(TileArchive.Entry)

        /// The address, or the archive entry in the form of an address.
        public var description: String {
            switch self {
            case .url(let url): url.text
            case .archive(let entry): entry.description
            }
        }
    }

    /// How the bytes of a resource are processed.
    public enum Form: Hashable, Sendable {
        /// They are decoded into an image.
        case image
        /// They are passed to the layer's source unchanged.
        case document
        /// They are decoded into a vector tile.
        case vectorTile(VectorTileReading)
        /// They are decoded into elevations.
        case elevations(ElevationReading)
    }

    /// How a tile holds elevations.
    public struct ElevationReading: Hashable, Sendable {
        /// The encoding.
        package let encoding: ElevationEncoding

        package init(_ encoding: ElevationEncoding) { self.encoding = encoding }
    }

    /// The encoding of a vector tile, and the parts of it that a layer needs.
    public struct VectorTileReading: Hashable, Sendable {
        /// The encoding.
        package let encoding: VectorTileEncoding
        /// The layers and attributes that are decoded.
        package let selection: VectorTileSelection

        package init(encoding: VectorTileEncoding, selection: VectorTileSelection) {
            self.encoding = encoding
            self.selection = selection
        }
    }

    /// The purpose of a resource, which determines how it is fetched.
    public enum Use: Hashable, Sendable {
        /// It is shown: it is fetched, and the picture is incomplete without it.
        case shown
        /// It is requested to find the limits of a service. The picture is complete without it.
        case probe
        /// It is a fallback for a missing resource, taken only from memory or disk.
        case standIn
        /// It is beside the view and is fetched after rendering, for the next picture.
        case margin
    }

    /// The identity.
    public let id: Resource.ID
    /// The location.
    public let location: Location
    /// How its bytes are processed.
    public let form: Form
    /// Its purpose.
    public let use: Use
    /// The display name: `7/63/42` for a tile, the extent for an image of a map service.
    public let name: String
    /// The extent it covers, or `nil` if it has none.
    public let bounds: LayerBounds?
    /// The priority; lower values are fetched first.
    ///
    /// It is the squared distance from the middle of the view, in pixels of the source.
    public let rank: Double
    /// The wanted image size in pixels, or `nil` if the image's own size matters.
    ///
    /// A much larger image is reduced while it is decoded.
    public let size: ImageSize?
    /// Whether it is kept in memory for later pictures while it is fresh.
    ///
    /// Documents usually are not.
    package private(set) var isKeptInMemory: Bool
    /// Whether an image is kept encoded, and decoded each time it is painted.
    package private(set) var isStored = false
    /// Other addresses of the same resource, or `nil`.
    package internal(set) var alternatives: ResourceAlternatives?
    /// The HTTP statuses by which the server reports that nothing exists here, which is not a failure; `nil` if a
    /// response without an image is a failure.
    package internal(set) var emptyStatuses: Set<Int>?
    /// The most bytes of a document, or `nil` for the limit of all documents.
    package internal(set) var byteLimit: Int?

    /// Creates a resource.
    public init(
        id: Resource.ID, location: Location, form: Form = .image, use: Use = .shown, name: String,
        bounds: LayerBounds? = nil, rank: Double = 0, size: ImageSize? = nil
    ) {
        self.id = id
        self.location = location
        self.form = form
        self.use = use
        self.name = name
        self.bounds = bounds
        self.rank = rank
        self.size = size
        isKeptInMemory = form != .document
    }

    /// Returns the resource of an image, read as elevations.
    func read(as encoding: ElevationEncoding) -> Resource {
        var resource = Resource(
            id: id, location: location, form: .elevations(ElevationReading(encoding)), use: use, name: name,
            bounds: bounds, rank: rank)
        resource.alternatives = alternatives
        resource.emptyStatuses = emptyStatuses
        return resource
    }

    /// Returns the resource, kept in memory because the document changes as seldom as the images beside it.
    var keptInMemory: Resource {
        var resource = self
        resource.isKeptInMemory = true
        return resource
    }
}

extension Resource {
    /// The largest number of pixels of an image that is decoded each time it is painted; larger ones take too long.
    private static var storedPixelCount: Int { 1 << 20 }

    /// Returns the resource, kept encoded if it is a tile or a piece of a map.
    package var stored: Resource {
        guard form == .image, let size, size.pixelCount <= Self.storedPixelCount else { return self }
        switch id.item {
        case .tile, .map: break
        case .icon, .legend, .other: return self
        }
        var resource = self
        resource.isStored = true
        return resource
    }

    /// Returns the resource with the larger wanted size of itself and another resource at the same location.
    package func wanted(as other: Resource) -> Resource {
        var wanted: ImageSize?
        if let size, let more = other.size {
            wanted = ImageSize(width: max(size.width, more.width), height: max(size.height, more.height))
        }
        var form = form
        if case .vectorTile(let own) = form, case .vectorTile(let others) = other.form {
            form = .vectorTile(
                VectorTileReading(encoding: own.encoding, selection: own.selection.union(others.selection)))
        }
        var resource = Resource(
            id: id, location: location, form: form, use: use, name: name, bounds: bounds, rank: rank, size: wanted)
        resource.isKeptInMemory = isKeptInMemory || other.isKeptInMemory
        resource.isStored = isStored && other.isStored
        resource.alternatives = alternatives
        resource.emptyStatuses = emptyStatuses
        resource.byteLimit = byteLimit.flatMap { own in other.byteLimit.map { max(own, $0) } }
        return resource
    }
}

/// A file with tile pyramids.
///
/// ```swift
/// let archive = TileArchive(format: .mbtiles, path: "/data/city.mbtiles")
/// ```
public struct TileArchive: Hashable, Sendable {
    /// The format of an archive.
    ///
    /// Other modules add their own.
    public struct Format: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Creates a format.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// MBTiles 1.3.
        public static let mbtiles = Format(rawValue: "mbtiles")
        /// A GeoPackage (OGC 12-128r18).
        public static let geoPackage = Format(rawValue: "gpkg")
        /// PMTiles 3.
        public static let pmtiles = Format(rawValue: "pmtiles")
        /// A GeoTIFF (OGC 19-008r4), whose tiles are windows of the image.
        public static let geoTIFF = Format(rawValue: "geotiff")
    }

    /// The format.
    public let format: Format
    /// The absolute path of the file, or the URL of an archive on a server.
    public let path: String
    /// The tile table, or `nil` if the file has a single pyramid.
    public let table: String?
    /// The address of an archive on a server, or `nil` for a file.
    public let address: NamedURL?
    /// The colours of an image whose bands have values, or `nil` for its own colours.
    public var style: RasterStyle?

    /// Creates a reference to an archive without opening it.
    public init(format: Format, path: String, table: String? = nil) {
        self.format = format
        self.path = path
        self.table = table
        address = nil
    }

    /// Names an archive on a server, which must support range requests (RFC 9110, section 14).
    public init(format: Format, address: NamedURL) {
        self.format = format
        path = address.text
        table = nil
        self.address = address
    }
}

extension TileArchive {
    /// A tile of an archive, with rows counted from the top.
    public struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// The archive.
        public let archive: TileArchive
        /// The level number used by the archive.
        public let level: Int
        /// The column, from the west.
        public let column: Int
        /// The row, from the north.
        public let row: Int

        /// Creates a reference to a tile.
        public init(archive: TileArchive, level: Int, column: Int, row: Int) {
            self.archive = archive
            self.level = level
            self.column = column
            self.row = row
        }

        /// The entry as `FORMAT://PATH?[TABLE/]LEVEL/COLUMN/ROW`, for display only.
        public var description: String {
            "\(archive.format.rawValue)://\(archive.path)?\(archive.table.map { $0 + "/" } ?? "")\(level)/\(column)/\(row)"
        }
    }
}
