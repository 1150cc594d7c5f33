import PortolanFeatures

/// The settings of vector tiles that are made from features.
///
/// A unit is the 4096th part of the side of a tile.
package struct FeatureTileSettings: Hashable, Sendable {
    /// The choice of the features that are dropped from a tile that exceeds a limit.
    package enum Drop: String, CaseIterable, Sendable {
        /// Small features that are close to another one are dropped first.
        case densest
        /// Features are dropped evenly, in the same order in all tiles.
        case fraction
        /// No feature is dropped: a tile that exceeds a limit is an error.
        case none
    }

    /// The choice of the attributes of features.
    package enum Attributes: Hashable, Sendable {
        case all
        case only(Set<String>)
        case except(Set<String>)

        /// Returns whether an attribute is part of the tiles.
        func contains(_ name: String) -> Bool {
            switch self {
            case .all: true
            case .only(let names): names.contains(name)
            case .except(let names): !names.contains(name)
            }
        }
    }

    /// The width in units of the margin around a tile within which geometries are kept.
    package var buffer = 64
    /// The distance in units by which simplified lines may deviate; 0 for no simplification.
    package var simplification = 1.0
    /// The features that are dropped from a tile that exceeds a limit.
    package var drop = Drop.densest
    /// The factor by which each coarser level has fewer points; 1 for all points at all levels.
    package var dropRate = 1.0
    /// The largest size of a compressed tile in bytes.
    package var byteLimit = 500_000
    /// The largest number of features of a tile.
    package var featureLimit = 200_000
    /// The attributes of the features.
    package var attributes = Attributes.all

    /// Creates the default settings.
    package init() {}
}
