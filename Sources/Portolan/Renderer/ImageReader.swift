import PortolanCodecs
import PortolanFeatures
import PortolanFetch
import PortolanPlan
import PortolanRaster
import PortolanServices
import PortolanVectorTiles
import PortolanWeb
import Synchronization

/// Decodes images in responses, within the memory budget for their pixels.
final class ImageReader: Sendable {
    /// A decoded response, and the decoding time.
    struct Decoded: Sendable {
        let content: ResourceLoader.Content
        let duration: Duration
    }

    /// The number of pixel bytes, before reduction, above which images are decoded one at a time, as a decoder may need
    /// as much memory again.
    private static let largeByteCount = 16 << 20

    private let decoders: ImageDecoders
    private let limits: ImageDecoders.Limits
    private let memory: MemoryBudget
    private let makeRoom: @Sendable () -> Void
    private let largeTurn = Mutex(())

    /// Creates a reader.
    ///
    /// - Parameter makeRoom: releases images that are kept for later views.
    init(_ configuration: RendererConfiguration, makeRoom: @escaping @Sendable () -> Void) {
        decoders = configuration.imageDecoders
        limits = configuration.codecLimits
        memory = configuration.memory
        self.makeRoom = makeRoom
    }

    /// Returns the image or document in a response.
    ///
    /// - Parameters:
    ///   - size: the required size of an image, or `nil` for its own.
    ///   - isStored: whether a decodable image is kept in encoded form.
    ///   - emptyStatuses: the statuses that mean "no content", or `nil` if an image is required.
    func decoded(
        _ response: HTTPResponse, form: Resource.Form, size: ImageSize?, isStored: Bool = false,
        emptyStatuses: Set<Int>? = nil
    ) throws(ResourceError) -> Decoded {
        switch form {
        case .image:
            if let emptyStatuses, response.saysEmpty(emptyStatuses, decoders) {
                return Decoded(content: .nothing(status: response.status), duration: .zero)
            }
            let start = ContinuousClock.now
            let content = try image(response, size: size, isStored: isStored)
            return Decoded(content: content, duration: ContinuousClock.now - start)
        case .vectorTile(let reading):
            if response.saysEmpty(emptyStatuses ?? [], decoders) {
                return Decoded(content: .nothing(status: response.status), duration: .zero)
            }
            let start = ContinuousClock.now
            let tile = try vectorTile(response, reading)
            return Decoded(content: .vectorTile(tile), duration: ContinuousClock.now - start)
        case .elevations(let reading):
            if response.saysEmpty(emptyStatuses ?? [], decoders) {
                return Decoded(content: .nothing(status: response.status), duration: .zero)
            }
            let start = ContinuousClock.now
            let content = try elevations(response, reading)
            return Decoded(content: content, duration: ContinuousClock.now - start)
        case .document:
            if response.isOfServer, let exception = ServiceExceptionReader.report(in: response.body) {
                throw ResourceError(exception, in: response)
            }
            guard response.isSuccessful else {
                let error = ResourceError.status(of: response)
                guard let words = OGCAPIReader.words(ofException: response.body) else { throw error }
                throw ResourceError(
                    error.cause, status: error.status, place: error.place, message: "\(error.message): \(words)")
            }
            let content = ResourceLoader.Content.document(
                response.body, contentCRS: response.header("Content-Crs"))
            return Decoded(content: content, duration: .zero)
        }
    }

    /// Returns the vector tile in a response.
    private func vectorTile(
        _ response: HTTPResponse, _ reading: Resource.VectorTileReading
    ) throws(ResourceError) -> DecodedVectorTile {
        /// Returns the service exception in the body, or another error if there is none.
        func exception(or other: ResourceError) -> ResourceError {
            guard response.isOfServer, let exception = ServiceExceptionReader.report(in: response.body) else {
                return other
            }
            return ResourceError(exception, in: response)
        }
        guard response.isSuccessful else { throw exception(or: .status(of: response)) }
        let tile: VectorTile
        do {
            tile = try VectorTile(response.body, encoding: reading.encoding, selection: reading.selection)
        } catch { throw exception(or: ResourceError(error, in: response)) }
        do {
            return DecodedVectorTile(tile, reading, charge: try charge(tile.byteCount + response.body.count))
        } catch {
            throw ResourceError(
                .memory, status: response.status, place: FetchError.redacted(response.url),
                message: "a vector tile of \(tile.byteCount) bytes: \(error)")
        }
    }

    /// Returns the elevations in the image of a response.
    private func elevations(
        _ response: HTTPResponse, _ reading: Resource.ElevationReading
    ) throws(ResourceError) -> ResourceLoader.Content {
        guard let image = try image(response, size: nil, isStored: false).pixels else { throw .noPicture(response) }
        let values = reading.encoding.elevations(image)
        return .elevations(
            try charged(values, reading, at: FetchError.redacted(response.url), status: response.status))
    }

    /// Returns elevations with their memory charged.
    func charged(
        _ values: RasterValues, _ reading: Resource.ElevationReading, at place: String, status: Int? = nil
    ) throws(ResourceError) -> DecodedElevations {
        do { return DecodedElevations(values, reading, charge: try charge(values.byteCount)) } catch {
            throw ResourceError(
                .memory, status: status, place: place,
                message: "elevations of \(values.width) by \(values.height) samples: \(error)")
        }
    }

    /// Returns the image in a response.
    ///
    /// The first bytes determine the type of the body, as services send exceptions with status 200 and images with 404.
    private func image(
        _ response: HTTPResponse, size: ImageSize?, isStored: Bool
    ) throws(ResourceError) -> ResourceLoader.Content {
        guard !response.body.isEmpty else {
            throw response.isSuccessful ? .empty(response) : .status(of: response)
        }
        if response.isOfServer, !decoders.recognizes(response.body),
            let exception = ServiceExceptionReader.read(response.body, contentType: response.header("Content-Type"))
        {
            throw ResourceError(exception, in: response)
        }
        // An image with an error status shows the error.
        guard response.isSuccessful else { throw .status(of: response) }
        // The content of a local file that is not an image must not appear in messages, as in a decoder's error.
        guard response.isOfServer || decoders.recognizes(response.body) else { throw .noPicture(response) }
        let naturalSize: ImageSize
        do { naturalSize = try decoders.size(of: response.body, limits: limits) } catch {
            throw ResourceError(error, in: response)
        }
        let reduced = size.flatMap { ImageReduction.target(for: naturalSize, shownIn: $0) } ?? naturalSize
        let charge: MemoryCharge
        do { charge = try self.charge(reduced.pixelCount * 4) } catch {
            throw ResourceError(error, size: naturalSize, in: response)
        }
        func decode() -> Result<PixelBuffer, CodecError> {
            Result { () throws(CodecError) in
                // The temporary memory of the decoder must be within the budget as well.
                var limits = limits
                let free = memory.byteLimit - memory.byteCount + charge.byteCount
                limits.maximumMemory = min(limits.maximumMemory, max(free, charge.byteCount))
                guard let size else { return try decoders.decode(response.body, limits: limits) }
                return try decoders.decode(response.body, shownIn: size, limits: limits)
            }
        }
        let isLarge = naturalSize.pixelCount * 4 >= Self.largeByteCount
        var image: PixelBuffer
        do { image = try (isLarge ? largeTurn.withLock { _ in decode() } : decode()).get() } catch {
            throw ResourceError(error, in: response)
        }
        guard !isStored else {
            do { return .stored(try stored(response, shownIn: size), naturalSize: naturalSize) } catch {
                throw ResourceError(error, size: naturalSize, in: response)
            }
        }
        image.charge = charge
        image.original = original(response, of: image, naturalSize)
        return .image(image, naturalSize: naturalSize)
    }

    /// The number of pixels from which on the file of an image is kept for documents: more than tiles have, which are
    /// combined.
    private static let leastOriginal = 512 * 512 + 1

    /// Returns the file of an image for documents that embed it unchanged, or `nil` if it is of another kind or size, or
    /// there is no memory for it.
    private func original(_ response: HTTPResponse, of image: PixelBuffer, _ naturalSize: ImageSize) -> JPEGOriginal? {
        guard image.size == naturalSize, image.size.pixelCount >= Self.leastOriginal,
            let channelCount = JPEGSegments.embeddableChannelCount(of: response.body),
            let charge = try? memory.charge(response.body.count)
        else { return nil }
        return JPEGOriginal(response.body, channelCount: channelCount, of: image, charge: charge)
    }

    /// Returns an image in encoded form, with its memory charged.
    private func stored(
        _ response: HTTPResponse, shownIn size: ImageSize?
    ) throws(MemoryBudget.ExceededError) -> StoredImage {
        let charge = try charge(response.body.count)
        return StoredImage { [decoders, limits] in
            withExtendedLifetime(charge) { () -> PixelBuffer? in
                guard let size else { return try? decoders.decode(response.body, limits: limits) }
                return try? decoders.decode(response.body, shownIn: size, limits: limits)
            }
        }
    }

    /// Charges memory.
    ///
    /// Images that are kept for later may be released for it.
    private func charge(_ byteCount: Int) throws(MemoryBudget.ExceededError) -> MemoryCharge {
        do { return try memory.charge(byteCount) } catch {
            makeRoom()
            return try memory.charge(byteCount)
        }
    }
}

extension HTTPResponse {
    /// Whether a server sent the response.
    ///
    /// The content of local files must not be repeated in messages.
    fileprivate var isOfServer: Bool { !LooseURL(url).isFile }

    /// Returns whether the response means that a tile is empty.
    ///
    /// Status 202 without a body is not such a response: the server has not rendered the tile yet.
    fileprivate func saysEmpty(_ statuses: Set<Int>, _ decoders: ImageDecoders) -> Bool {
        if status == 204 || statuses.contains(status) { return true }
        if status == 200, body.isEmpty { return true }
        guard body.count <= 1 << 16, !decoders.recognizes(body) else { return false }
        return ServiceExceptionReader.report(in: body)?.code == .tileOutOfRange
    }
}
