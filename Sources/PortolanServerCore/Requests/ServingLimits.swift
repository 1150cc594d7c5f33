/// The limits of a request, checked before any work is done.
package struct ServingLimits: Hashable, Sendable {
    /// The maximum pixels per side of a picture, including its pixel ratio.
    package var sidePixels = 4096
    /// The maximum pixels of a picture.
    ///
    /// The default is 4096 by 2048 pixels, which take 32 MiB while they are drawn.
    package var pixels = 8 << 20
    /// The maximum layers of a picture.
    package var layers = 20
    /// The maximum paths, markers and features that a client adds to a picture.
    package var overlays = 100
    /// The maximum vertices of all overlays.
    package var vertices = 10_000
    /// The maximum bytes of the path and the query.
    package var targetBytes = 16 << 10
    /// The maximum bytes of a request body.
    package var bodyBytes = 1 << 20
    /// The maximum bytes of a file that a person adds to the map of a viewer, if it is more than ``bodyBytes``.
    package var uploadBytes = 50_000_000

    /// Creates the default limits.
    package init() {}

    /// Checks the size of a picture.
    ///
    /// - Throws: ``Problem`` with the key.
    package func check(width: Int, height: Int, ratio: Double, key: String) throws(Problem) {
        let width = (Double(width) * ratio).rounded(), height = (Double(height) * ratio).rounded()
        guard width >= 1, height >= 1 else {
            throw Problem(.badRequest, "an image must have at least one pixel", key: key)
        }
        guard width <= Double(sidePixels), height <= Double(sidePixels) else {
            throw Problem(
                .badRequest, "an image can have at most \(sidePixels) pixels per side, including its pixel ratio",
                key: key)
        }
        guard width * height <= Double(pixels) else {
            throw Problem(.badRequest, "an image can have at most \(pixels) pixels", key: key)
        }
    }

    /// Returns the maximum bytes of the body of a request.
    ///
    /// - Parameter target: the path and the query.
    package func bodyLimit(of target: String) -> Int {
        let path = target.prefix { $0 != "?" }.split(separator: "/").suffix(3)
        return path.first == "session" && path.last == "features" ? max(uploadBytes, bodyBytes) : bodyBytes
    }

    /// Returns the problem of a body that exceeds a limit.
    package static func tooLarge(_ limit: Int) -> Problem {
        let size = limit < 1_000_000 ? "\(limit) bytes" : "\(limit / 1_000_000) MB"
        return Problem(.bodyTooLarge, "it is larger than \(size), the limit of this server")
    }

    /// Checks the lengths of the URL and of the body, before all other checks.
    ///
    /// - Throws: ``Problem``.
    package func check(target: String, bodyBytes bodyCount: Int) throws(Problem) {
        guard target.utf8.count <= targetBytes else {
            throw Problem(.targetTooLong, "the URL exceeds \(targetBytes) bytes; use POST for long paths")
        }
        guard bodyCount > bodyBytes else { return }
        let limit = bodyLimit(of: target)
        guard bodyCount <= limit else { throw Self.tooLarge(limit) }
    }
}
