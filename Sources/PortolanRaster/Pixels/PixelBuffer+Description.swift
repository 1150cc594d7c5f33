extension PixelBuffer: CustomStringConvertible, CustomReflectable {
    /// The size of the picture; its pixels would flood a log.
    public var description: String { "a picture of \(size) pixels" }

    /// The size alone, for the same reason.
    public var customMirror: Mirror { Mirror(self, children: ["size": size]) }
}
