import PortolanGeo
package import PortolanPlan
package import PortolanRaster

/// The way from a mosaic's pixels to the picture's.
package enum MosaicTransform {
    /// Whole pixels are moved; nothing is resampled.
    case shift(x: Int, y: Int)
    /// One affine map of the whole mosaic.
    case affine(AffineTransform)
    /// A lattice of the picture's places on the mosaic, where the CRSs differ.
    case mesh(WarpMesh)

    /// Finds the way by up to `threads` threads, or `nil` when the mosaic's CRS and the map's cannot be brought
    /// together.
    package init?(from mosaic: Mosaic, to viewport: Viewport, threads: Int = 1) {
        guard let transform = try? CoordinateTransform(from: viewport.crs, to: mosaic.crs) else { return nil }
        guard transform.isIdentity else {
            let search = MosaicMesh(mosaic: mosaic, viewport: viewport, transform: transform, threads: threads)
            guard let mesh = search.mesh() else { return nil }
            self = .mesh(mesh)
            return
        }
        let corner = viewport.imagePixel(of: mosaic.topLeft)
        let x = mosaic.resolutionX / viewport.imageResolution, y = mosaic.resolutionY / viewport.imageResolution
        let (cosine, sine) = viewport.upAxis
        let drift = max(abs(x - 1) * Double(mosaic.size.width), abs(y - 1) * Double(mosaic.size.height))
        if cosine == 1, sine == 0, drift < 0.25, abs(corner.x) < 1e9, abs(corner.y) < 1e9 {
            // At its own resolution an image is moved by at most half a pixel rather than blurred.
            self = .shift(x: Int(corner.x.rounded()), y: Int(corner.y.rounded()))
        } else {
            self = .affine(
                AffineTransform(
                    a: x * cosine, b: -x * sine, c: y * sine, d: y * cosine, tx: corner.x, ty: corner.y))
        }
    }
}
