/// A way a layer can be drawn.
public struct WMSStyle: Hashable, Sendable {
    /// A picture that explains the style.
    public struct Legend: Hashable, Sendable {
        /// Where the picture is.
        public var url: String
        /// Its format, or `nil` when the service does not tell.
        public var format: String?
        /// Pixels in a row, or `nil` when the service does not tell.
        public var width: Int?
        /// Rows of pixels, or `nil` when the service does not tell.
        public var height: Int?
    }

    /// The name to ask for it by.
    public var name: String
    /// The title for people.
    public var title: String
    /// What it shows, or `nil`.
    public var abstract: String?
    /// Its legends.
    public var legends: [Legend]
    /// The style sheet it is drawn by, or `nil`.
    public var styleSheet: WMSLink?
    /// A page about it, or `nil`.
    public var page: WMSLink?
}
