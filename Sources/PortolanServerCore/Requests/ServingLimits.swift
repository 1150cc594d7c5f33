/// What a request may ask for at the most; looked at before any work is done.
package struct ServingLimits: Hashable, Sendable {
    /// Pixels of a side of a picture, its ratio included.
    package var sidePixels = 2048
    /// Pixels of a picture.
    package var pixels = 4 << 20
    /// Layers of a picture.
    package var layers = 20
    /// Paths, markers and features that a client puts on a picture.
    package var overlays = 100
    /// The vertices of all of them.
    package var vertices = 10_000
    /// Bytes of the path and the query.
    package var targetBytes = 16 << 10
    /// Bytes of a body.
    package var bodyBytes = 1 << 20

    /// Makes the usual limits.
    package init() {}

    /// Checks the size of a picture.
    ///
    /// - Throws: ``Problem`` that names the key.
    package func check(width: Int, height: Int, ratio: Double, key: String) throws(Problem) {
        let width = (Double(width) * ratio).rounded(), height = (Double(height) * ratio).rounded()
        guard width >= 1, height >= 1 else { throw Problem(.badRequest, "a picture has at least one pixel", key: key) }
        guard width <= Double(sidePixels), height <= Double(sidePixels) else {
            throw Problem(
                .badRequest, "a picture has at most \(sidePixels) pixels a side, its ratio included", key: key)
        }
        guard width * height <= Double(pixels) else {
            throw Problem(.badRequest, "a picture has at most \(pixels) pixels", key: key)
        }
    }

    /// Checks what comes before all else: the length of the address and of the body.
    ///
    /// - Throws: ``Problem``.
    package func check(targetBytes count: Int, bodyBytes bodyCount: Int) throws(Problem) {
        guard count <= targetBytes else {
            throw Problem(.targetTooLong, "the address has more than \(targetBytes) bytes; send long paths by POST")
        }
        guard bodyCount <= bodyBytes else { throw Problem(.bodyTooLarge, "the body has more than \(bodyBytes) bytes") }
    }
}
