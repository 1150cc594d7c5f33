extension Rectangle {
    /// The rectangle of a picture grown by a margin on all sides; a margin below zero counts as none.
    public init(_ size: ImageSize, margin: Double = 0) {
        let margin = margin > 0 ? min(margin, 1e6) : 0
        self.init(
            minX: -margin, minY: -margin, maxX: Double(size.width) + margin, maxY: Double(size.height) + margin)
    }
}
