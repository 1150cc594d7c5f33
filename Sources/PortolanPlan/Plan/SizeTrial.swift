/// What to try where a service refuses an image for its size, of a service that does not state how large it draws.
public struct SizeTrial: Hashable, Sendable {
    /// The service's address for maps.
    public let service: String

    /// The longest side to try next, in pixels, or `nil` where the image is as small as it gets.
    public let nextSide: Int?

    /// Makes a trial.
    public init(service: String, nextSide: Int?) {
        self.service = service
        self.nextSide = nextSide
    }
}
