import Portolan
import PortolanCodecs
import PortolanPlan
import PortolanRaster

extension ViewerSession {
    /// Sets the picture size in view pixels, with the pixel ratio that the server's limits allow.
    ///
    /// - Throws: ``Problem`` if there is not enough memory.
    func resize(to size: ImageSize) throws {
        let view = facade.viewport, ratio = min(limits.ratio(view.pixelRatio, of: size), view.pixelRatio)
        let wanted = try view.with(size: size, pixelRatio: ratio).imageSize.pixelCount
        let more = wanted - view.imageSize.pixelCount
        // Memory is reserved before anything changes.
        try ViewerShare.grow(charge, byPixels: more)
        do {
            if ratio < view.pixelRatio { try facade.setPixelRatio(ratio) }
            try facade.resize(to: size)
        } catch {
            ViewerShare.shrink(charge, byPixels: more)
            throw error
        }
        ViewerShare.shrink(charge, byPixels: -more)
    }

    /// Encodes a picture as a PNG with fast compression.
    func encoded(_ image: PixelBuffer) async -> [UInt8] {
        @concurrent func encode() async -> [UInt8] {
            // Encoding fails only if memory is short; then there is no picture.
            (try? PNGEncoder.encode(image, compression: .fast)) ?? []
        }
        return await withTaskExecutorPreference(share.threads) { await encode() }
    }

    /// Encodes a part of the picture in the format that the page prefers.
    func encoded(_ patch: ViewerPicture.Patch, for request: ViewerFrameRequest) async -> (type: String, bytes: [UInt8])
    {
        let isWhole = drawn.isEmpty || !isGroundDrawn
        @concurrent func encode() async -> (String, [UInt8]) {
            let image = patch.image
            #if Images
            if request.acceptsWebP {
                // Pictures with transparency are lines and symbols, which compress well without loss.
                let compression: WebPEncoder.Compression = isWhole ? .lossy(quality: request.quality) : .lossless
                if let bytes = try? WebPEncoder.encode(image, compression: compression) {
                    return (ServedFormat.webp.mediaType, bytes)
                }
            }
            #endif
            return (ServedFormat.png.mediaType, (try? PNGEncoder.encode(image, compression: .fast)) ?? [])
        }
        return await withTaskExecutorPreference(share.threads) { await encode() }
    }

    /// Returns a picture of the view with its attribution, for download or printing.
    ///
    /// - Parameter name: the name of the format; PNG if it is `nil`.
    /// - Throws: ``Problem`` if it cannot be rendered.
    func pictureToKeep(as name: String?) async throws(Problem) -> ServerResponse {
        guard let format = ServedFormat(name: name ?? "png"), ServedFormat.allCases.contains(format) else {
            let names = ServedFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.badRequest, "unknown format; available: \(names)", key: "format")
        }
        let result = try await rendered()
        do { return ServerResponse(type: format.mediaType, body: try format.encode(result, background: .white)) } catch
        {
            throw Problem(.failed, "cannot encode the picture: \(error)")
        }
    }

    /// Returns the legend of the visible layers, or an empty response if no layer has one.
    ///
    /// - Throws: ``Problem`` if it cannot be rendered.
    func legend() async throws(Problem) -> ServerResponse {
        var options = RenderOptions()
        options.showsLegend = true
        let result = try await rendered(options)
        guard let room = ImageSize(width: 640, height: 2000) else { return ServerResponse(status: 204) }
        let panel: PixelBuffer?
        do { panel = try result.legendPicture(within: room, exact: false) } catch {
            throw Problem(.sourceFailed, "the legend cannot be drawn: \(error)")
        }
        guard let panel else { return ServerResponse(status: 204) }
        return ServerResponse(type: ServedFormat.png.mediaType, body: await encoded(panel))
    }

    /// Renders the current view when a slot is free.
    private func rendered(_ options: RenderOptions = RenderOptions()) async throws(Problem) -> RenderResult {
        try await rendered(facade.layers, in: facade.viewport, options)
    }

    /// Renders layers when a slot is free.
    func rendered(
        _ layers: [MapLayer], in view: Viewport, _ options: RenderOptions
    ) async throws(Problem) -> RenderResult {
        let renderer = map.renderer
        let outcome = try await maker.inTurn(of: client) {
            [threads = share.threads] () -> Result<RenderResult, MapError> in
            await withTaskExecutorPreference(threads) {
                do throws(MapError) {
                    return .success(try await renderer.render(layers, in: view, options: options))
                } catch { return .failure(error) }
            }
        }
        do throws(MapError) { return try outcome.get() } catch { throw Problem(.sourceFailed, error.description) }
    }
}

extension ServingLimits {
    /// The maximum pixels of a viewer's picture, of which a viewer keeps several.
    private static let viewerPixels = 4 << 20

    /// Returns the highest pixel ratio within the limits for a size in view pixels, at most the requested one.
    func ratio(_ wished: Double, of size: ImageSize) -> Double {
        let side = Double(sidePixels) / Double(max(size.width, size.height)), pixels = min(pixels, Self.viewerPixels)
        let area = (Double(pixels) / (Double(size.width) * Double(size.height))).squareRoot()
        return max(min(wished, side * 0.999, area * 0.999), 0.1)
    }
}
