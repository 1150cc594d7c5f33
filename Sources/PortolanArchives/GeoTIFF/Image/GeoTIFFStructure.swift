/// The images of a GeoTIFF: the main one, its overviews, and their masks.
struct GeoTIFFStructure: Sendable {
    /// A resolution of the image.
    struct Level: Sendable {
        let image: TIFFImage
        let mask: TIFFImage?
        /// The pixels of the image per pixel of the level, in each direction: 1 unless overviews lack.
        let reduction: Int

        var width: Int { (image.width + reduction - 1) / reduction }
        var height: Int { (image.height + reduction - 1) / reduction }
        /// The number of its pixels within the image, which the last ones reach beyond.
        var span: (width: Double, height: Double) {
            (Double(image.width) / Double(reduction), Double(image.height) / Double(reduction))
        }
    }

    /// The levels from the finest to the coarsest.
    let levels: [Level]
    let keys: GeoKeys
    let metadata: GDALMetadata

    /// The directories that are read at most.
    private static let directoryLimit = 256
    /// The pixels of an image at most from which a level without overview is made.
    private static let reducedPixelLimit = 1 << 28

    init(_ parts: TIFFParts) throws(TIFFParts.Stop) {
        let header = try TIFFHeader(parts)
        var images: [TIFFImage] = [], offset = header.firstDirectory, seen: Set<UInt64> = []
        while offset != 0, seen.count < Self.directoryLimit {
            guard seen.insert(offset).inserted else {
                throw .init(.malformed, offset: offset, "directories lead in a circle")
            }
            let directory = try TIFFDirectory(at: offset, header, parts)
            offset = directory.next
            do throws(TIFFParts.Stop) { images.append(try TIFFImage(directory, parts)) } catch {
                // Further images of other kinds, such as previews, do not matter.
                if images.isEmpty { throw error }
                if case .missing = error { throw error }
            }
        }
        guard let main = images.first else { throw .init(.malformed, offset: 0, "there is no image") }
        keys = try GeoKeys(main.directory, parts)
        metadata = GDALMetadata(try main.directory.text(.gdalMetadata, parts) ?? "")
        func mask(of image: TIFFImage) -> TIFFImage? {
            images.first { $0.subfileType & 4 != 0 && $0.width == image.width && $0.height == image.height }
        }
        var levels = [Level(image: main, mask: mask(of: main), reduction: 1)]
        for image in images.dropFirst() where image.subfileType & 5 == 1 {
            guard image.width < levels[levels.count - 1].width, image.samplesPerPixel == main.samplesPerPixel,
                image.bitsPerSample == main.bitsPerSample, image.format == main.format
            else { continue }
            levels.append(Level(image: image, mask: mask(of: image), reduction: 1))
        }
        let coarsest = levels[levels.count - 1]
        var reduction = 2
        while coarsest.width * coarsest.height <= Self.reducedPixelLimit,
            max(coarsest.width, coarsest.height) / reduction >= 256
        {
            levels.append(Level(image: coarsest.image, mask: coarsest.mask, reduction: reduction))
            reduction *= 2
        }
        self.levels = levels
    }

    /// The side of the tiles of the grid: that of the blocks if they are squares of a usual size.
    var tileSize: Int {
        let image = levels[0].image
        return image.blockWidth == image.blockHeight && (128...1024).contains(image.blockWidth) ? image.blockWidth : 256
    }
}
