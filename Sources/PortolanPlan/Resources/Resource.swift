public import PortolanGeo
public import PortolanRaster
package import PortolanVectorTiles
public import PortolanWeb

extension Resource {
    /// The identity of a resource: the layer that needs it, and what it is to that layer.
    ///
    /// Arrivals, reports, priorities and stand-ins are keyed by it; it does not tell how the resource is had.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        /// What a resource is to its layer.
        public enum Item: Hashable, Sendable {
            /// A tile of the layer's grid, with `density` times the pixels of the grid's own tile each way.
            case tile(TileIndex, density: Int = 1)
            /// An image of a map service, by its request.
            case map(request: String)
            /// The icon of a feature, by its address.
            case icon(address: NamedURL)
            /// An image that explains the layer, by its address.
            case legend(address: NamedURL)
            /// Any other resource, by a name of the source's own.
            case other(String)
        }

        /// The name of the layer on its map.
        public let layer: String
        /// The part of a layer that is made of several sources, or `nil` where it is made of one.
        public let part: String?
        /// What the resource is to the layer.
        public let item: Item

        /// Makes an identity.
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

/// Something that a layer needs for a view.
public struct Resource: Hashable, Sendable {
    /// Where a resource is had, and what caches know it by: two layers that need the same share it.
    public enum Location: Hashable, Sendable, CustomStringConvertible {
        /// By a request: `http:`, `https:`, `file:` or `data:`.
        case url(NamedURL)
        /// From an archive of tiles on this machine.
        case archive(TileArchive.Entry)

        /// The address, or the entry in the form of one.
        public var description: String {
            switch self {
            case .url(let url): url.text
            case .archive(let entry): entry.description
            }
        }
    }

    /// What is done with the bytes of a resource.
    public enum Form: Hashable, Sendable {
        /// They are decoded into an image.
        case image
        /// They are handed to the layer's source as they are.
        case document
        /// They are decoded into a vector tile.
        case vectorTile(VectorTileReading)
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

    /// Why a resource is needed, and so how far one goes for it.
    public enum Use: Hashable, Sendable {
        /// It is shown: it is fetched, and a picture without it is not complete.
        case shown
        /// It is asked for to learn how the rest can be had; the picture does without it.
        case probe
        /// It stands in for a resource that is missing: it is taken from memory or disk, and no server is asked.
        case standIn
        /// It lies beside the view and is fetched after the picture is drawn, for the next one.
        case margin
    }

    /// The identity.
    public let id: Resource.ID
    /// Where it is had.
    public let location: Location
    /// What is done with its bytes.
    public let form: Form
    /// Why it is needed.
    public let use: Use
    /// The name for a person: `7/63/42` for a tile, its extent for the image of a map service.
    public let name: String
    /// Where it lies, or `nil` for what has no place.
    public let bounds: LayerBounds?
    /// What is lower is fetched sooner: the square of the distance from the middle of the view, in pixels of the source.
    public let rank: Double
    /// The size in pixels in which an image is wanted, or `nil` where its own size decides how it is shown: a much larger one
    /// is reduced while it is decoded.
    public let size: ImageSize?
    /// Whether it is kept in memory for later pictures as long as it is fresh; documents are not, as a rule.
    package private(set) var isKeptInMemory: Bool
    /// Whether an image is kept as the file it comes in, to be decoded each time it is painted.
    package private(set) var isStored = false
    /// Other addresses of the same thing, or `nil` where there are none.
    package internal(set) var alternatives: ResourceAlternatives?
    /// The statuses by which the server says that there is nothing here, and that this is in order; `nil` if an answer
    /// without an image is a failure.
    package internal(set) var emptyStatuses: Set<Int>?

    /// Makes a resource.
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

    /// The resource, for a document that changes as seldom as the images beside it.
    var keptInMemory: Resource {
        var resource = self
        resource.isKeptInMemory = true
        return resource
    }
}

extension Resource {
    /// The most pixels of an image that is decoded each time it is painted: for larger ones that takes too long.
    private static var storedPixelCount: Int { 1 << 20 }

    /// The resource, kept as the file it comes in if it is a tile or a piece of a map.
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

    /// The resource in the size in which it or another at the same place is wanted, whichever is larger.
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
        return resource
    }
}

/// A file with pyramids of tiles.
public struct TileArchive: Hashable, Sendable {
    /// The format of an archive; modules above add theirs.
    public struct Format: RawRepresentable, Hashable, Sendable {
        /// The name.
        public let rawValue: String

        /// Names a format.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// MBTiles 1.3.
        public static let mbtiles = Format(rawValue: "mbtiles")
        /// A GeoPackage (OGC 12-128r18).
        public static let geoPackage = Format(rawValue: "gpkg")
    }

    /// The format.
    public let format: Format
    /// The absolute path of the file.
    public let path: String
    /// The table of tiles, or `nil` where a file has one pyramid.
    public let table: String?

    /// Names an archive; nothing is opened.
    public init(format: Format, path: String, table: String? = nil) {
        self.format = format
        self.path = path
        self.table = table
    }
}

extension TileArchive {
    /// One tile of an archive, rows counted from the top.
    public struct Entry: Hashable, Sendable, CustomStringConvertible {
        /// The archive.
        public let archive: TileArchive
        /// The number of the level, as the archive counts.
        public let level: Int
        /// The column, from the west.
        public let column: Int
        /// The row, from the north.
        public let row: Int

        /// Names a tile.
        public init(archive: TileArchive, level: Int, column: Int, row: Int) {
            self.archive = archive
            self.level = level
            self.column = column
            self.row = row
        }

        /// The entry as `FORMAT://PATH?[TABLE/]LEVEL/COLUMN/ROW`, to be read by people alone.
        public var description: String {
            "\(archive.format.rawValue)://\(archive.path)?\(archive.table.map { $0 + "/" } ?? "")\(level)/\(column)/\(row)"
        }
    }
}
