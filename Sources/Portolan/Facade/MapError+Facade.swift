import PortolanWeb

/// Failures of calls of the facade.
extension MapError {
    /// The map has a layer of that name already.
    package static func duplicateLayer(_ name: String) -> MapError {
        MapError(.duplicate, "the map already has a layer named '\(name)'")
    }

    /// The name is that of the vector layer, the mask or the position.
    package static func reservedName(_ name: String) -> MapError {
        MapError(.reservedName, "the layer name '\(name)' is reserved")
    }

    /// The map has no layer of that name.
    package static func noSuchLayer(_ name: String, among names: [String] = []) -> MapError {
        MapError(
            .unknownName, "no layer named '\(name)' in the map",
            suggestions: near(name, among: names))
    }

    /// The map has no group of layers of that name.
    package static func noSuchGroup(_ name: String, among names: [String] = []) -> MapError {
        MapError(
            .unknownName, "no layer group named '\(name)' in the map",
            suggestions: near(name, among: names))
    }

    /// The name that may be meant; letters alone resemble each other all.
    private static func near(_ name: String, among names: [String]) -> [String] {
        guard name.count > 2 else { return [] }
        return [NearName.nearest(to: name, in: names.filter { $0 != name })].compactMap(\.self)
    }

    /// The map has a group of layers of that name already.
    package static func duplicateGroup(_ name: String) -> MapError {
        MapError(.duplicate, "the map already has a layer group named '\(name)'")
    }

    /// The map has no feature with that identifier.
    package static func noSuchFeature(_ id: String) -> MapError {
        MapError(.unknownName, "no feature with the identifier '\(id)' in the map")
    }

    /// There are no features, so that there is nothing to go to.
    package static let noFeatures = MapError(.nothingFound, "no features in the map to show")

    /// The features of a layer have coordinates that cannot be the degrees they are taken for.
    package static func notDegrees(layer: String) -> MapError {
        MapError(
            .malformedDocument,
            "the coordinates of layer '\(layer)' are not degrees, and its document names no CRS")
    }

    /// The levels or the size of the tiles of a layer are out of range.
    package static func notTiled(_ name: String) -> MapError {
        MapError(
            .invalidArgument,
            "the tiles of layer '\(name)' must have levels from 0 to 30 and a size from 1 to 4096 pixels")
    }

    /// The coordinates lie outside the area that the map's CRS can show.
    package static func outsideMap(_ crs: String) -> MapError {
        MapError(.outsideMap, "the coordinate is outside the area of \(crs)")
    }

    /// An extent that should be in units of the map's CRS is one of degrees.
    package static func degrees(_ crs: String) -> MapError {
        MapError(
            .invalidArgument, "the extent looks like degrees, but the map is in \(crs)",
            remedy: "pass its CRS, or use show(west:south:east:north:)")
    }

    /// A service did not answer in time.
    package static func timedOut(_ address: String, after time: Duration) -> MapError {
        var error = MapError.layer(.deadline(time), source: address)
        error.remedy = "raise options.deadline for a slow server"
        return error
    }
}
