public import PortolanFeatures
public import PortolanRaster

extension Furniture {
    /// The elevation profile of a line: a panel along the bottom of a picture, above the information bar.
    public struct ProfilePanel: Hashable, Sendable {
        /// The height of a panel, in view pixels.
        public static let height = 150.0

        /// A place along the line.
        public struct Mark: Hashable, Sendable {
            /// The distance from the start along the line in metres.
            public var distance: Double
            /// The name.
            public var name: String

            /// Creates a mark.
            public init(distance: Double, name: String) {
                self.distance = distance
                self.name = name
            }
        }

        /// The elevations.
        public var profile: ElevationProfile
        /// The title at the top left, or `nil`.
        public var title: String?
        /// The places along the line.
        ///
        /// Names that would overlap an earlier one are omitted.
        public var marks: [Furniture.ProfilePanel.Mark]
        /// The colour of the profile.
        public var color: MapColor
        /// The colours of slopes, or `nil` for a profile in one colour.
        public var slopes: SlopeClasses?
        /// The distance reached so far in metres, which is marked, or `nil`.
        public var position: Double?

        /// Creates a panel.
        public init(
            _ profile: ElevationProfile, title: String? = nil, marks: [Furniture.ProfilePanel.Mark] = [],
            color: MapColor = MapColor(red: 33, green: 96, blue: 196), slopes: SlopeClasses? = nil,
            position: Double? = nil
        ) {
            self.profile = profile
            self.title = title
            self.marks = marks
            self.color = color
            self.slopes = slopes
            self.position = position
        }
    }

    /// The height of the bar and the panel along the bottom, in view pixels.
    package var footHeight: Double {
        (infoBar == nil ? 0 : InfoBar.height) + (profile == nil ? 0 : ProfilePanel.height)
    }
}
